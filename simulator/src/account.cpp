#include "account.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "bounds.h"
#include "line_cycles.h"
#include "saturating.h"

namespace smem {
namespace {

const Assumption kValueChanges{
    "every one of these atomics changes the value", {}, std::string(assumption_id::changed_value)};

/// So that 128 units an execution still fit.
constexpr std::uint64_t kMostExecutions = std::uint64_t{1} << 56;

/// Of an access to global memory: it changes what is there.
bool writes_global(const Access &access) {
  return access.operation == Operation::Store || access.operation == Operation::Atomic ||
         access.operation == Operation::MatrixStore || access.operation == Operation::BulkCopy;
}

} // namespace

Account::Account(Machine &machine, SimulationResult &result)
    : machine_(machine), result_(result), prices_(machine.architecture), reasons_(machine.program.sites.size()),
      assumption_of_(machine.program.sites.size()), loop_load_(machine.program.sites.size(), kNone),
      one_warp_(machine.launch.block.count() <= kWarpSize), shared_seen_(machine.program.sites.size()),
      global_seen_(machine.program.sites.size()), elsewhere_seen_(machine.program.sites.size()) {
  result_.sites.resize(machine.program.sites.size());
  for (const MemoryOperation &operation : machine.program.memory_operations)
    if (operation.loop_load != kNone)
      loop_load_[operation.site] = operation.loop_load;
}

void Account::problem_once(Problem problem) {
  const bool known = std::any_of(result_.problems.begin(), result_.problems.end(), [&](const Problem &p) {
    return p.kind == problem.kind && p.site == problem.site && p.location == problem.location;
  });
  if (!known)
    result_.problems.push_back(std::move(problem));
}

void Account::check_bounds(const Event &event, const MemoryOperation &operation) {
  if (std::optional<Problem> problem = out_of_bounds(machine_, event, operation))
    problem_once(std::move(*problem));
}

void Account::unknown(SiteId site, std::uint32_t reason) {
  result_.sites[site].executed = true;
  const Site &source = machine_.program.sites[site];
  if (writes_global(source.access) && (source.access.space == Space::Global || source.generic))
    footprints_.write_anywhere();
  if (!reasons_[site])
    reasons_[site] = reason ? reason : machine_.reasons.add("not known");
  if (loop_load_[site] != kNone)
    unknown(loop_load_[site], reason);
}

/// Whether every lane's address is a multiple of `width` bytes, as far as that is known.
static bool aligned(const Event::Side &side, LaneMask lanes, unsigned shift, std::uint64_t width) {
  bool multiple = true;
  if (!side.unknown_shift)
    for_lanes(lanes, [&](unsigned lane) { multiple &= (side.request.address[lane] + shift) % width == 0; });
  return multiple;
}

void Account::misaligned(SiteId site, std::uint64_t width) {
  Problem problem;
  problem.kind = Problem::Kind::Misaligned;
  problem.message = "an address is not a multiple of the " + std::to_string(width) +
                    " bytes accessed there; the GPU stops with an error";
  problem.site = site;
  problem.location = machine_.program.sites[site].location;
  problem_once(std::move(problem));
  unknown(site, machine_.reasons.add("misaligned address"));
}

void Account::add_to_block(const Event &event, const Access &access, std::uint64_t times, const RequestCost &least,
                           const Box &region, std::uint32_t cycles_of_lines) {
  if (!event.nests.empty() ||
      event.elsewhere) // blocks may differ in how often it happens; what goes elsewhere costs nothing here
    return;
  const std::uint64_t in_each = times / region.count();
  in_region_ += unit_work(access, event.space, 1, least.wavefronts, least.ideal_sectors, least.tags, cycles_of_lines)
                    .times(in_each);
}

/// What of a load is known to go through L1; 0 of all else.
static std::uint32_t cycles_of_lines(const Event &event, const Shift &shift, const Access &access) {
  if (event.space != Space::Global || access.operation != Operation::Load || access.bypass_l1 ||
      event.side.unknown_shift)
    return 0;
  return line_cycles(moved(event.side.request, shift.own));
}

void Account::add_data(const Event &event, SiteResult &site, const Box &region) {
  if (event.space == Space::Shared)
    shared_seen_[static_cast<std::size_t>(&site - result_.sites.data())] = true;
  else
    global_seen_[static_cast<std::size_t>(&site - result_.sites.data())] = true;
  std::uint64_t times = 0;
  for (const auto &[shift, count] : residues(event))
    times = saturating_add(times, count);
  const DataCost &cost = *event.data;
  Access access = machine_.program.memory_operations[event.operation].access;
  access.space = event.space;
  RequestCost least;
  least.wavefronts = cost.wavefronts.least;
  if (event.space == Space::Global) {
    footprints_.read_anywhere();
    if (writes_global(access))
      footprints_.write_anywhere();
  }
  add_to_block(event, access, times, least, region);
  const DataDependence here{times,
                            cost.conflict_degree,
                            cost.wavefronts,
                            cost.sectors,
                            cost.expected_degree,
                            cost.expected_wavefronts,
                            cost.expected_sectors,
                            cost.range};
  if (site.data)
    *site.data += here;
  else
    site.data = here;
}

void Account::add_event(const Event &event, const Box &region, std::optional<std::size_t> own_moves) {
  const MemoryOperation &operation = machine_.program.memory_operations[event.operation];
  const SiteId site = operation.site;
  SiteResult &sum = result_.sites[site];
  sum.executed = true;
  Access access = operation.access;
  access.space = event.space;
  access.plain_copy = is_plain_copy(operation, machine_.conditional[event.operation]);
  if (machine_.behind_exit[event.operation] && access.bypass_l1 && access.plain_copy && !assumption_of_[site] &&
      machine_.open(OpenChoice::SkippedCopy))
    assumption_of_[site] = machine_.assume(OpenChoice::SkippedCopy);
  if (event.space == Space::Shared && operation.loop_load != kNone && !event.data) {
    show_loop(event, access, region);
    if (one_warp_)
      return add_loop(event, access);
  }
  if (const auto why = event.copy ? std::string_view{} : unsupported_reason(access, machine_.architecture);
      !why.empty()) {
    unknown(site, machine_.reasons.add(std::string(why), machine_.program.sites[site].location, true));
    return;
  }
  if (event.data) {
    add_data(event, sum, region);
    return;
  }
  const bool addressed = has_lane_addresses(access) && operation.space != AddressSpace::Local;
  if (addressed && !event.representative)
    check_bounds(event, operation);
  if (event.elsewhere)
    elsewhere_seen_[site] = true;
  if (event.space == Space::Shared)
    shared_seen_[site] = true;
  if (event.space == Space::Global || event.copy)
    global_seen_[site] = true;
  const std::uint64_t width = access.width_bits / 8u;
  LaneMask addressing = event.side.request.active;
  if (access.matrices && access.matrices < 4)
    addressing &= (1u << (8 * access.matrices)) - 1;
  std::uint64_t executions = 0;
  std::optional<RequestCost> least;
  std::optional<std::uint32_t> fewest_cycles; // of the tag stage
  for (const auto &[shift, times] : residues(event)) {
    if (addressed && (!aligned(event.side, addressing, shift.own, width) ||
                      (event.copy && !aligned(*event.source, event.source->request.active, shift.source, width))))
      return misaligned(site, width);
    const Priced priced = prices_.of(event, shift, access);
    if (!priced.unknown.empty()) {
      const bool certain = priced.unknown != kAlignmentNotKnown;
      unknown(site, machine_.reasons.add(std::string(priced.unknown),
                                         certain ? machine_.program.sites[site].location : SourceLocation{}, certain));
      return;
    }
    const RequestCost &cost = priced.cost;
    // No counter of the hardware is wider than 64 bits; a launch that would overflow one takes centuries.
    if (times > kMostExecutions || sum.counts.requests > kMostExecutions) {
      unknown(site, machine_.reasons.add("the counts do not fit in 64 bits"));
      return;
    }
    executions = saturating_add(executions, times);
    if (!least)
      least = cost;
    least->wavefronts = std::min(least->wavefronts, cost.wavefronts);
    least->ideal_sectors = std::min(least->ideal_sectors, cost.ideal_sectors);
    least->tags = std::min(least->tags, cost.tags);
    sum.counts.requests += times;
    sum.counts.wavefronts += times * cost.wavefronts;
    sum.counts.ideal_wavefronts += times * cost.ideal_wavefronts;
    sum.counts.sectors += times * cost.sectors;
    sum.counts.ideal_sectors += times * cost.ideal_sectors;
    sum.counts.tags += times * cost.tags;
    const std::uint32_t cycles = addressed ? cycles_of_lines(event, shift, access) : 0;
    sum.counts.line_cycles += times * cycles;
    fewest_cycles = std::min(fewest_cycles.value_or(cycles), cycles);
    sum.counts.conflict_degree = std::max(sum.counts.conflict_degree, cost.conflict_degree);
    if (access.operation == Operation::Atomic && addressed && !event.representative)
      sum.counts.serial_wavefronts +=
          times * serial_wavefronts(moved(event.side.request, shift.own), access, machine_.architecture);
    auto show = [&](std::optional<Example> &example, const Request &request, auto &&excess) {
      if (!example || excess(cost) > excess(example->cost))
        example = Example{request,
                          cost,
                          {static_cast<std::uint32_t>(region.corner(0)), static_cast<std::uint32_t>(region.corner(1)),
                           static_cast<std::uint32_t>(region.corner(2))},
                          event.warp};
    };
    if (!addressed || !event.side.request.active)
      continue;
    if (event.space == Space::Shared)
      show(sum.shared_example, moved(event.side.request, shift.own),
           [](const RequestCost &c) { return std::int64_t{c.wavefronts} - c.ideal_wavefronts; });
    if (event.space == Space::Global || event.copy)
      show(sum.global_example,
           event.copy ? moved(event.source->request, shift.source) : moved(event.side.request, shift.own),
           [](const RequestCost &c) { return std::int64_t{c.sectors} - c.ideal_sectors; });
  }
  if (least)
    add_to_block(event, access, executions, *least, region, fewest_cycles.value_or(0));
  if ((event.space == Space::Global || event.copy) && addressed)
    footprints_.add(event, width, writes_global(access), site, executions, own_moves);
}

/// The request of an atomic that is a loop whose lanes get in each other's way the most: trips count from as few as they can be.
void Account::show_loop(const Event &event, const Access &access, const Box &region) {
  const std::uint64_t width = access.width_bits / 8u;
  if (event.side.unknown_shift || !event.side.request.active ||
      !aligned(event.side, event.side.request.active, 0, width))
    return;
  std::optional<Example> &example =
      result_.sites[machine_.program.memory_operations[event.operation].site].loop_example;
  const auto trips = [&](const Request &request) {
    return evaluate_atomic_loop(request, access, machine_.architecture).trips;
  };
  if (example && trips(example->request) >= trips(event.side.request))
    return;
  example = Example{event.side.request,
                    {},
                    {static_cast<std::uint32_t>(region.corner(0)), static_cast<std::uint32_t>(region.corner(1)),
                     static_cast<std::uint32_t>(region.corner(2))},
                    event.warp};
}

/// An atomic that is a loop of a load and a compare-and-swap, in a block of one warp: nobody else comes in between.
void Account::add_loop(const Event &event, const Access &access) {
  const MemoryOperation &operation = machine_.program.memory_operations[event.operation];
  shared_seen_[operation.site] = shared_seen_[operation.loop_load] = true;
  check_bounds(event, operation);
  for (const auto &[shift, times] : residues(event)) {
    if (event.side.unknown_shift)
      return unknown(operation.site, machine_.reasons.add(std::string(kAlignmentNotKnown)));
    const std::uint64_t width = access.width_bits / 8u;
    if (!aligned(event.side, event.side.request.active, shift.own, width))
      return misaligned(operation.site, width);
    const Request request = moved(event.side.request, shift.own);
    const AtomicLoopCost cost = evaluate_atomic_loop(request, access, machine_.architecture);
    if (times > kMostExecutions / std::max(cost.trips, 1u) ||
        result_.sites[operation.site].counts.requests > kMostExecutions)
      return unknown(operation.site, machine_.reasons.add("the counts do not fit in 64 bits"));
    if (cost.trips > 1)
      assumption_of_[operation.site] = assumption_of_[operation.loop_load] = machine_.assume(kValueChanges);
    for (const auto &[site, part] :
         {std::pair(operation.site, &cost.swap), std::pair(operation.loop_load, &cost.load)}) {
      SiteResult &sum = result_.sites[site];
      sum.executed = true;
      sum.counts.requests += times * cost.trips;
      sum.counts.wavefronts += times * part->wavefronts;
      sum.counts.ideal_wavefronts += times * part->ideal_wavefronts;
      sum.counts.conflict_degree = std::max(sum.counts.conflict_degree, part->conflict_degree);
    }
  }
}

void Account::add(Scopes &scopes, const Box &region) {
  for (const auto &[site, reason] : scopes.marks())
    unknown(site, reason);
  for (const auto &[site, assumption] : scopes.assumptions()) {
    assumption_of_[site] = assumption;
    if (loop_load_[site] != kNone)
      assumption_of_[loop_load_[site]] = assumption;
  }
  for (Problem &problem : scopes.problems())
    problem_once(std::move(problem));
  in_region_ = {};
  for (Event &event : scopes.events()) {
    const std::size_t moves = event.footprint.closed.size();
    for (DimensionId d = 0; d < region.digits.size(); ++d) {
      Linear extent;
      extent.constant = region.digits[d].extent;
      event.repeat(d, extent);
    }
    add_event(event, region, region.count() == machine_.launch.grid.count() ? std::optional(moves) : std::nullopt);
  }
  // Warps that share no values are executed one after the other, each for all blocks.
  least_of_warps_ = covered_ == 0 ? in_region_ : least_of(least_of_warps_, in_region_);
  covered_ += region.count();
  if (covered_ == machine_.launch.grid.count()) {
    result_.least.block += least_of_warps_;
    covered_ = 0;
  }
}

bool Account::knows_nothing() const {
  for (SiteId site = 0; site < reasons_.size(); ++site)
    if (!reasons_[site] || result_.sites[site].data)
      return false;
  return true;
}

bool Account::knows_no_less_than(const Account &other) const {
  for (SiteId site = 0; site < reasons_.size(); ++site)
    if (reasons_[site] && !other.reasons_[site] && !machine_.reasons[reasons_[site]].certain)
      return false;
  return true;
}

void Account::give_up(const std::string &why) {
  const std::uint32_t reason = machine_.reasons.add(why);
  for (SiteId site = 0; site < reasons_.size(); ++site)
    if (!reasons_[site])
      reasons_[site] = reason;
}

/// What nobody learns from the counters.
static std::string not_shown(const Access &access, bool elsewhere) {
  if (access.operation == Operation::BulkCopy)
    return "an engine of its own copies, which no counter sees: 0 is what they read, not what the copy costs";
  if (access.operation == Operation::MatrixMultiply)
    return "counted by the size of the operands in shared memory: conflicts that their layout has do not show";
  if (access.uncounted || elsewhere)
    return "what goes to another block's shared memory is not counted: 0 is what the counters read, not what it costs";
  return {};
}

/// The numbers that blocks drew are theirs only if every block drew one.
void Account::check_tickets() {
  for (const Ticket &ticket : machine_.tickets) {
    const bool each = !ticket.spoiled && !reasons_[ticket.site] &&
                      result_.sites[ticket.site].counts.requests == machine_.launch.grid.count();
    if (!ticket.drawn || each)
      continue;
    const Site &site = machine_.program.sites[ticket.site];
    const std::uint32_t reason = machine_.reasons.add(
        "what the atomic at line " + std::to_string(site.location.line) + " returns is not known", site.location);
    for (const SiteId dependent : ticket.dependents)
      unknown(dependent, reason);
  }
}

void Account::finish() {
  check_tickets();
  for (SiteId i = 0; i < result_.sites.size(); ++i)
    if (reasons_[i] != 0 || !machine_.program.sites[i].not_lowered.empty())
      footprints_.read_anywhere(); // of an array that is known, perhaps
  footprints_.finish(result_.least, [&](std::uint32_t base) { return machine_.origin_of(base); });
  for (SiteId i = 0; i < result_.sites.size(); ++i) {
    SiteResult &site = result_.sites[i];
    const Site &source = machine_.program.sites[i];
    site.note = not_shown(source.access, elsewhere_seen_[i]);
    site.space = shared_seen_[i] ? Space::Shared : global_seen_[i] ? Space::Global : source.access.space;
    const bool not_there = machine_.program.is_final && !site.executed;
    if (!source.not_lowered.empty() && !not_there) {
      site.verdict = Verdict::Unknown;
      site.reason = source.not_lowered;
      site.reason_location = source.location;
    } else if (shared_seen_[i] && global_seen_[i] && source.access.operation != Operation::AsyncCopy) {
      site.verdict = Verdict::Unknown;
      site.reason = "it goes to shared memory in some cases and to global memory in others";
      site.reason_location = source.location;
    } else if (reasons_[i]) {
      site.verdict = Verdict::Unknown;
      site.reason = machine_.reasons[reasons_[i]].text;
      site.reason_location = machine_.reasons[reasons_[i]].location;
    } else {
      std::vector<Assumption> assumptions = machine_.launch.assumptions;
      if (!source.assumption.empty())
        assumptions.push_back(source.assumption);
      if (machine_.repeats_place[i] && site.executed && machine_.open(OpenChoice::InvariantAccess))
        assumptions.push_back(machine_.program.open[index_of(OpenChoice::InvariantAccess)]);
      if (assumption_of_[i])
        assumptions.push_back(machine_.assumptions[*assumption_of_[i]]);
      if (assumptions.empty())
        continue;
      site.verdict = Verdict::Assumed;
      site.reason = to_string(assumptions);
      site.assumptions = std::move(assumptions);
    }
  }
}

} // namespace smem
