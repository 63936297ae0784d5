// The same execution with formulas in place of the numbers that nobody knows.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "bounds.h"
#include "classes.h"
#include "polynomial.h"
#include "pricing.h"
#include "readable.h"
#include "smem/simulate.h"

namespace smem {
namespace {

constexpr std::size_t kLongestFormula = 12; ///< terms; what is longer helps nobody
constexpr std::size_t kMostTerms =
    1 << 14; ///< of a sum before it is simplified: two loops whose steps take all residues have as many
constexpr const char *kTooLong = "the formula would be too long to be of use";
constexpr std::uint32_t kMostBlocksAcross[] = {0x7fffffffu, 65535, 65535};
/// A class that ends before so many blocks says nothing of grids in general.
constexpr std::int64_t kFewBlocks = 1024;

class SymbolicAccount {
public:
  explicit SymbolicAccount(Machine &machine)
      : machine_(machine), prices_(machine.architecture), sites_(machine.program.sites.size()) {}

  void add_marks(const Scopes &scopes) {
    for (const auto &[site, reason] : scopes.marks())
      fail(site, reason);
  }

  void add(Scopes &scopes, const Box &region) {
    add_marks(scopes);
    for (Event &event : scopes.events()) {
      std::vector<Event::SymbolicProgression> blocks; // there is one at least
      for (DimensionId d = 0; d < region.digits.size(); ++d) {
        const Digit &digit = region.digits[d];
        const auto own = std::find_if(event.coefficients.begin(), event.coefficients.end(),
                                      [&](const auto &c) { return c.first == d; });
        const Event::Step step = own == event.coefficients.end() ? Event::Step{} : own->second;
        const bool open = machine_.open_grid[digit.axis];
        Linear extent;
        if (open)
          extent.terms.emplace_back(machine_.grid_symbol(digit.axis), 1);
        else
          extent.constant = digit.extent;
        const auto depends = [&](DimensionId gate) {
          return !machine_.symbols[gate].definition->operands[0].terms.empty() &&
                 machine_.symbols[gate].definition->operands[0].terms[0].first == d;
        };
        Gates mine;
        std::copy_if(event.gates.begin(), event.gates.end(), std::back_inserter(mine), depends);
        std::erase_if(event.gates, depends);
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        if (mine.size() > 1 || (!mine.empty() && (step.own % kPeriod || step.source % kPeriod))) {
          fail(machine_.program.memory_operations[event.operation].site,
               machine_.reasons.add("blocks differ in what they execute"));
          event.symbolic_progressions.clear();
        } else if (!mine.empty()) {
          event.symbolic_progressions.push_back({{}, blocks_where(mine[0], std::move(extent))});
        } else if (open) {
          blocks.push_back({step, std::move(extent)});
        } else {
          event.progressions.push_back({step, static_cast<std::uint64_t>(digit.extent)});
        }
      }
      look_at_bounds(event);
      event.symbolic_progressions.insert(event.symbolic_progressions.end(), blocks.begin(), blocks.end());
      add_event(event);
    }
  }

  /// Of sites that are known, whether their formulas are of use or not. After finish().
  std::vector<Problem> problems(std::span<const SymbolicCounts> sites) {
    std::erase_if(problems_, [&](const Problem &problem) {
      const SymbolicCounts &counts = sites[*problem.site];
      return counts.presumes || (!counts.known() && counts.reason != kTooLong);
    });
    return std::move(problems_);
  }

  void fail_all(const std::string &why) {
    const std::uint32_t reason = machine_.reasons.add(why);
    for (SiteId site = 0; site < sites_.size(); ++site)
      fail(site, reason);
  }

  std::vector<SymbolicCounts> finish() {
    for (const MemoryOperation &operation : machine_.program.memory_operations)
      if (operation.loop_load != kNone)
        fail(operation.loop_load,
             machine_.reasons.add("a loop of compare-and-swap", machine_.program.sites[operation.site].location));
    std::vector<SymbolicCounts> out(sites_.size());
    const bool presumed = machine_.symbols.domain_used; // by the execution; what a site's formulas presume is its own
    for (SiteId i = 0; i < sites_.size(); ++i) {
      Sums &sums = sites_[i];
      SymbolicCounts &counts = out[i];
      machine_.symbols.domain_used = presumed;
      const std::pair<Polynomial *, Formula *> fields[] = {{&sums.requests, &counts.requests_formula},
                                                           {&sums.wavefronts, &counts.wavefronts_formula},
                                                           {&sums.ideal_wavefronts, &counts.ideal_wavefronts_formula},
                                                           {&sums.sectors, &counts.sectors_formula},
                                                           {&sums.ideal_sectors, &counts.ideal_sectors_formula},
                                                           {&sums.tags, &counts.tags_formula}};
      if (!machine_.program.sites[i].not_lowered.empty())
        fail(i, machine_.reasons.add(machine_.program.sites[i].not_lowered, machine_.program.sites[i].location));
      for (const auto &[sum, formula] : fields) {
        if (sums.reason)
          break;
        *sum = readable(std::move(*sum), machine_.symbols);
        auto text = sum->size() <= kLongestFormula ? sum->formula(machine_.symbols) : std::nullopt;
        if (text)
          *formula = std::move(*text);
        else
          fail(i, machine_.reasons.add(kTooLong));
      }
      if (sums.reason) {
        counts = {};
        counts.reason = machine_.reasons[sums.reason].text;
        counts.reason_location = machine_.reasons[sums.reason].location;
        continue;
      }
      counts.conflict_degree = sums.degree_span;
      counts.wavefronts = sums.wavefronts_span;
      counts.sectors = sums.sectors_span;
      counts.presumes = machine_.symbols.domain_used;
    }
    return out;
  }

private:
  struct Sums {
    Polynomial requests, wavefronts, ideal_wavefronts, sectors, ideal_sectors, tags;
    Span degree_span, wavefronts_span, sectors_span;
    std::uint32_t reason = 0;
    bool any = false;
  };

  /// Of `extent` coordinates those where a condition on the coordinate holds.
  Linear blocks_where(DimensionId gate, Linear extent) {
    Symbols &symbols = machine_.symbols;
    Linear rest = symbols[gate].definition->operands[0];
    const Wide slope = rest.terms[0].second;
    rest.terms.erase(rest.terms.begin());
    if (slope > 0) { // those where it does not fail
      const Linear others = blocks_where(symbols.opposite(gate, symbols[gate].reason), extent);
      return extent.add(others, -1);
    }
    rest.constant += 1; // rest - size * b >= 0 for ceil((rest + 1) / size) of them
    const Linear first = symbols.ceil_div(std::move(rest), static_cast<std::int64_t>(-slope), symbols[gate].reason);
    return symbols.extreme(Opcode::SMin, symbols.extreme(Opcode::SMax, first, {}), std::move(extent));
  }

  void look_at_bounds(const Event &event) {
    const MemoryOperation &operation = machine_.program.memory_operations[event.operation];
    if (event.data || event.representative || !has_lane_addresses(operation.access) ||
        operation.space == AddressSpace::Local)
      return;
    std::optional<Problem> problem = out_of_bounds(machine_, event, operation);
    if (!problem)
      return;
    const bool always = event.gates.empty() && event.symbolic_progressions.empty();
    problem->holds = always ? Problem::Holds::AllLaunches : Problem::Holds::WhereItRuns;
    const auto same = std::ranges::find(problems_, problem->site, &Problem::site);
    if (same == problems_.end())
      problems_.push_back(std::move(*problem));
    else if (always && same->holds != problem->holds)
      *same = std::move(*problem);
  }

  void fail(SiteId site, std::uint32_t reason) {
    if (!sites_[site].reason)
      sites_[site].reason = reason ? reason : machine_.reasons.add("not known");
  }

  void add_event(const Event &event) {
    const MemoryOperation &operation = machine_.program.memory_operations[event.operation];
    const SiteId site = operation.site;
    if (event.data || sites_[site].reason)
      return; // marked as not known
    Access access = operation.access;
    access.space = event.space;
    access.plain_copy = is_plain_copy(operation, machine_.conditional[event.operation]);
    if (const auto why = event.copy ? std::string_view{} : unsupported_reason(access, machine_.architecture);
        !why.empty())
      return fail(site, machine_.reasons.add(std::string(why), machine_.program.sites[site].location));
    // How often, by shift.
    std::map<Shift, Polynomial> histogram;
    Polynomial gates(1);
    for (const DimensionId gate : event.gates) {
      Linear one;
      one.terms.emplace_back(gate, 1);
      gates = gates * Polynomial(one);
    }
    for (const auto &[shift, times] : residues(event))
      histogram[shift] = Polynomial(static_cast<Wide>(times)) * gates;
    for (const auto &[step, count] : event.symbolic_progressions) {
      const auto residue = [](std::int64_t way) {
        return static_cast<unsigned>(static_cast<std::uint64_t>(way) % kPeriod);
      };
      const unsigned period = kPeriod / std::gcd(std::gcd(residue(step.own), residue(step.source)), kPeriod);
      std::map<Shift, Polynomial> next;
      std::size_t terms = 0;
      for (unsigned k = 0; k < period; ++k) {
        // Steps k, k + period, ...: ceil((count - k) / period) of them.
        Linear from = count;
        from.constant -= k;
        const Polynomial times(machine_.symbols.ceil_div(std::move(from), period, 0));
        for (const auto &[shift, weight] : histogram)
          terms +=
              next[{(shift.own + k * residue(step.own)) % kPeriod, (shift.source + k * residue(step.source)) % kPeriod}]
                  .add(weight * times)
                  .size();
        machine_.steps += histogram.size();
        if (terms > kMostTerms)
          return fail(site, machine_.reasons.add(kTooLong));
      }
      histogram = std::move(next);
    }
    Sums &sums = sites_[site];
    for (const auto &[shift, times] : histogram) {
      const Priced one = prices_.of(event, shift, access);
      if (one.unknown == kAlignmentNotKnown)
        if (const std::uint32_t why = event.side.shift_reason ? event.side.shift_reason
                                      : event.source          ? event.source->shift_reason
                                                              : 0)
          return fail(site, machine_.reasons.add("the alignment of the address is not known, because " +
                                                 machine_.reasons[why].text));
      if (!one.unknown.empty())
        return fail(site, machine_.reasons.add(std::string(one.unknown)));
      const RequestCost &cost = one.cost;
      machine_.steps += times.size();
      if (sums.requests.size() + times.size() > kMostTerms)
        return fail(site, machine_.reasons.add(kTooLong));
      sums.requests.add(times);
      sums.wavefronts.add(times, cost.wavefronts);
      sums.ideal_wavefronts.add(times, cost.ideal_wavefronts);
      sums.sectors.add(times, cost.sectors);
      sums.ideal_sectors.add(times, cost.ideal_sectors);
      sums.tags.add(times, cost.tags);
      const auto widen = [&](Span &span, std::uint32_t value) {
        span = sums.any ? Span{std::min(span.least, value), std::max(span.most, value)} : Span{value, value};
      };
      widen(sums.degree_span, cost.conflict_degree);
      widen(sums.wavefronts_span, cost.wavefronts);
      widen(sums.sectors_span, cost.sectors);
      sums.any = true;
    }
  }

  Machine &machine_;
  Prices prices_;
  std::vector<Sums> sites_;
  std::vector<Problem> problems_; ///< one a site
};

} // namespace

SymbolicResult simulate_symbolic(const Program &program, const OpenLaunch &open, const Architecture &architecture,
                                 const SimulationOptions &options) {
  Launch launch = open.launch;
  std::uint32_t *const extents[] = {&launch.grid.x, &launch.grid.y, &launch.grid.z};
  std::array<std::uint64_t, 3> most_blocks{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (open.grid[axis])
      *extents[axis] = kMostBlocksAcross[axis];
    most_blocks[axis] = *extents[axis];
  }
  Machine machine(program, launch, architecture, options);
  machine.symbols.symbolic = true;
  machine.open_grid = open.grid;
  SymbolicAccount account(machine);
  SymbolicResult result;
  const std::vector<Problem> problems = check_launch(machine);
  if (const auto wrong = std::find_if(problems.begin(), problems.end(), fatal); wrong != problems.end()) {
    account.fail_all("the launch fails: " + wrong->message);
    result.sites = account.finish();
    return result;
  }
  bool alike = true;
  run_classes(machine, [&](Scopes &scopes, const Box &region) {
    account.add_marks(scopes);
    std::array<unsigned, 3> digits{};
    for (const Digit &digit : region.digits) {
      if (!machine.open_grid[digit.axis])
        continue;
      alike &= ++digits[digit.axis] == 1 && digit.extent >= kFewBlocks;
      if (!alike)
        return false;
      most_blocks[digit.axis] = std::min(most_blocks[digit.axis], static_cast<std::uint64_t>(digit.extent));
    }
    if (alike)
      account.add(scopes, region);
    return alike;
  });
  if (!alike)
    account.fail_all("blocks differ, and the size of the grid is not known");
  if (machine.out_of_steps())
    account.fail_all("the simulation's budget of " + std::to_string(options.max_steps) + " instructions ran out");
  result.exhausted = machine.out_of_steps();
  result.steps = machine.steps;
  result.sites = account.finish();
  result.problems = account.problems(result.sites);
  for (const auto &[place, symbol] : machine.argument_symbols)
    if (const auto &definition = machine.symbols[symbol].definition)
      result.quantities.push_back({definition->name, place.first, std::nullopt});
  for (unsigned axis = 0; axis < 3; ++axis)
    if (open.grid[axis])
      result.quantities.push_back(
          {machine.symbols[machine.grid_symbol(axis)].definition->name, std::nullopt,
           most_blocks[axis] < kMostBlocksAcross[axis] ? std::optional(most_blocks[axis]) : std::nullopt});
  return result;
}

} // namespace smem
