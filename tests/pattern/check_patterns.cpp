// smem-check-patterns [--rounds N] [--seed N] [--patterns] [--verbose] [--json]
// FILE... [-- FLAG...]: claims about all launches against launches at random
// values of what they do not depend on. FLAGs are the compiler's.
//
// Each round takes a launch of every kernel, with random blocks, arguments and
// pointers, executes some warps of a random block without any summary, and
// compares what each request costs with the cases whose conditions hold.
// --patterns prints the claims, --verbose the program of one that is
// contradicted. One line for each file: sites by verdict and space, claims
// checked and contradicted; with --json as an object, with the sites that have
// no claim by their reasons. Exit code 1 when one is contradicted, or when a
// program is malformed.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/analysis.h"
#include "classes.h"
#include "machine.h"
#include "pattern_claims.h"
#include "smem/pattern.h"

namespace {

using namespace smem;

constexpr std::uint64_t kWrapped = std::uint64_t{1} << 31; ///< bytes between lanes

struct Tally {
  std::uint64_t checked = 0, contradicted = 0, wrapped = 0;
  std::uint64_t disobeyed = 0; ///< requests of launches of which an assumption or an assertion does not hold
  std::array<std::array<std::uint64_t, 4>, 2> sites{}; ///< by space and verdict
  std::array<std::uint64_t, 2> bounded{};              ///< of those with cases: with a bare bound in one of them
  /// Sites without a claim, by verdict, space, reason and the place of the reason.
  std::map<std::array<std::string, 4>, std::uint64_t> open;
};

constexpr std::array<const char *, 2> kSpaces = {"shared", "global"};
constexpr std::array<PatternVerdict, 4> kVerdicts = {PatternVerdict::Always, PatternVerdict::Cases,
                                                     PatternVerdict::Data, PatternVerdict::Unknown};

std::int64_t random_integer(std::mt19937_64 &random) {
  const auto pick = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  switch (pick(8)) {
  case 0: return pick(9);
  case 1: return std::int64_t{1} << pick(12);
  case 2: return (std::int64_t{1} << pick(11)) + pick(3) - 1;
  case 3: return pick(80);
  case 4: return 32 * pick(64);
  case 5: return -pick(70);
  case 6: return pick(5000);
  default: return 4 * pick(600);
  }
}

Dim3 random_block(const Program &program, const std::vector<Dim3> &usual, std::mt19937_64 &random) {
  const std::uint32_t most = std::min<std::uint32_t>(program.max_threads.value_or(1024), 1024);
  static constexpr std::uint32_t kWidths[] = {1,  2,  4,  7,  8,   12,  16,  20,  24,  32,
                                              33, 48, 64, 96, 100, 128, 192, 256, 512, 1024};
  for (;;) {
    if (!usual.empty() && random() % 3 == 0)
      return usual[random() % usual.size()];
    Dim3 block{kWidths[random() % std::size(kWidths)], 1, 1};
    if (random() % 2)
      block.y = 1u << random() % 6;
    if (random() % 8 == 0)
      block.y = static_cast<std::uint32_t>(1 + random() % 12);
    if (random() % 6 == 0)
      block.z = static_cast<std::uint32_t>(1 + random() % 4);
    if (block.count() <= most)
      return block;
  }
}

/// The launch, with what claims do not depend on changed.
Launch random_launch(const Program &program, const std::vector<const Launch *> &known, std::mt19937_64 &random) {
  std::vector<Dim3> usual;
  for (const Launch *launch : known)
    usual.push_back(launch->block);
  Launch launch;
  if (!known.empty())
    launch = *known[random() % known.size()];
  launch.mangled = program.mangled;
  launch.block = random_block(program, usual, random);
  launch.grid = {static_cast<std::uint32_t>(1 + random() % 40), static_cast<std::uint32_t>(1 + random() % 9),
                 static_cast<std::uint32_t>(1 + random() % 4)};
  launch.grid_known = launch.block_known = launch.dynamic_known = true;
  launch.least_global_alignment = 256;
  launch.dynamic_shared_bytes = 16384;
  const bool keep = random() % 3 == 0;
  const std::vector<ArgumentValue> before = std::move(launch.arguments);
  launch.arguments.clear();
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &i : block.instructions) {
      if (i.opcode != Opcode::Argument)
        continue;
      const auto same = [&](const ArgumentValue &v) {
        return v.index == i.index && v.offset == static_cast<std::uint64_t>(i.immediate);
      };
      if (std::any_of(launch.arguments.begin(), launch.arguments.end(), same))
        continue;
      ArgumentValue value;
      if (const auto old = std::find_if(before.begin(), before.end(), same); old != before.end())
        value = *old;
      value.index = i.index;
      value.offset = static_cast<std::uint64_t>(i.immediate);
      value.width_bits = std::max<std::uint32_t>(value.width_bits, i.width);
      bool pointer = value.pointer;
      if (i.index < program.parameters.size()) {
        pointer |= program.parameters[i.index].pointer && i.immediate == 0;
        for (const ParameterMember &member : program.parameters[i.index].members)
          pointer |= member.pointer && member.offset == value.offset;
      }
      value.pointer = pointer;
      if (pointer) {
        static constexpr std::int64_t kOffsets[] = {0, 0, 0, 0, 256, 128, 64, 32, 16, 8, 4, 96, 12};
        value.value = kOffsets[random() % std::size(kOffsets)];
        value.alignment = 256;
      } else if (!keep || !value.value || random() % 8 == 0) {
        value.value = random_integer(random);
        // Mostly one that leads to some access, by what the kernel's code says.
        std::vector<const ParameterFact *> said;
        for (const ParameterFact &fact : program.parameter_facts)
          if (fact.index == i.index && fact.offset == value.offset && fact.width == i.width)
            said.push_back(&fact);
        if (!said.empty() && random() % 4 != 0)
          value.value = said[random() % said.size()]->facts.nearest(*value.value).value_or(*value.value);
      }
      launch.arguments.push_back(value);
    }
  return launch;
}

/// Of blocks whose rows are whole warps and of all lanes that get there nothing is known but a bound.
bool is_bare_bound(const PatternCase &c) {
  return c.at_most && std::none_of(c.when.begin(), c.when.end(), [](const PatternCondition &w) {
           return w.kind == PatternCondition::Kind::FewerLanes ||
                  (w.kind == PatternCondition::Kind::Shape && !(w.shapes & 1));
         });
}

std::optional<std::int64_t> argument(const Launch &launch, const PatternCondition &c) {
  for (const ArgumentValue &v : launch.arguments)
    if (v.index == c.argument && v.offset == c.offset && v.value && !v.pointer)
      return canonical(*v.value, c.width);
  return std::nullopt;
}

void describe(const Program &program, const Pattern &pattern, const Site &site) {
  std::printf("  %s:%u %s %s %s `%s`: %s %s\n", site.location.file.c_str(), site.location.line, program.kernel.c_str(),
              std::string(to_string(site.access.space)).c_str(), std::string(to_string(site.access.operation)).c_str(),
              site.expression.c_str(), std::string(to_string(pattern.verdict)).c_str(), pattern.reason.c_str());
  for (const PatternCase &c : pattern.cases)
    std::printf("    %s%u/%u wavefronts (%u-way), %u/%u sectors%s%s\n", c.at_most ? "at most " : "", c.wavefronts,
                c.ideal_wavefronts, c.conflict_degree, c.sectors, c.ideal_sectors, c.when.empty() ? "" : " when ",
                to_string(c.when).c_str());
}

void check(const Program &program, const std::vector<Pattern> &patterns, const Launch &launch,
           const Architecture &architecture, std::mt19937_64 &random, Tally &tally, bool verbose) {
  SimulationOptions options;
  options.max_steps = 60000;
  options.classes = false;
  Machine machine(program, launch, architecture, options);
  for (const Problem &problem : check_launch(machine))
    if (fatal(problem) && problem.kind != Problem::Kind::SharedCapacity)
      return;
  const auto coordinate = [&](unsigned axis, std::uint32_t extent) {
    return Digit{axis, 1, static_cast<std::int64_t>(random() % extent), 1};
  };
  const Box block{{coordinate(0, launch.grid.x), coordinate(1, launch.grid.y), coordinate(2, launch.grid.z)}};
  const auto warps = static_cast<std::uint32_t>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  std::uint32_t first = 0, last = warps;
  if (!machine.values_in_shared && warps > 2) {
    first = static_cast<std::uint32_t>(random() % warps);
    last = first + 1;
  }
  Scopes scopes(block);
  execute_block(machine, scopes, first, last);
  std::vector<bool> shown(program.sites.size());
  for (const Event &event : scopes.events()) {
    const MemoryOperation &operation = program.memory_operations[event.operation];
    if (operation.site == kNone || event.data || event.representative || event.elsewhere ||
        !event.progressions.empty() || !event.nests.empty() || event.side.unknown_shift)
      continue;
    const Pattern &pattern = patterns[operation.site];
    if (pattern.cases.empty())
      continue;
    // What is assumed and asserted is no part of the program.
    if (std::any_of(operation.facts.begin(), operation.facts.end(), [&](std::uint32_t number) {
          const ParameterFact &fact = program.parameter_facts[number];
          PatternCondition piece;
          piece.argument = fact.index;
          piece.offset = fact.offset;
          piece.width = fact.width;
          const auto value = argument(launch, piece);
          return value && !fact.facts.admits(*value);
        })) {
      ++tally.disobeyed;
      continue;
    }
    Access access = operation.access;
    access.space = event.space;
    const Request &request = event.side.request;
    const std::uint64_t width = std::max<std::uint64_t>(access.width_bits / 8, 1);
    bool faults = request.active == 0;
    for_lanes(request.active, [&](unsigned lane) {
      if (has_lane_addresses(access) && (!access.matrices || access.matrices >= 4 || lane < 8u * access.matrices))
        faults |= request.address[lane] % width != 0;
    });
    // Presumed is that no index wraps around between lanes.
    std::uint64_t lowest = UINT64_MAX, highest = 0;
    for_lanes(request.active, [&](unsigned lane) {
      lowest = std::min(lowest, request.address[lane]);
      highest = std::max(highest, request.address[lane]);
    });
    if (request.active && highest - lowest >= kWrapped) {
      ++tally.wrapped;
      continue;
    }
    PatternCase cost;
    if (event.copy) {
      if (!event.source || event.source->unknown_shift)
        continue;
      for_lanes(event.source->request.active,
                [&](unsigned lane) { faults |= event.source->request.address[lane] % width != 0; });
      const CopyCost both = evaluate_copy(request, event.source->request, access, architecture);
      if (faults || !both.shared_unknown.empty() || !both.global_unknown.empty())
        continue;
      cost.wavefronts = both.cost.wavefronts;
      cost.ideal_wavefronts = both.cost.ideal_wavefronts;
      cost.conflict_degree = both.cost.conflict_degree;
      cost.sectors = both.cost.sectors;
      cost.ideal_sectors = both.cost.ideal_sectors;
    } else {
      if (faults || !unsupported_reason(access, architecture).empty())
        continue;
      const RequestCost one = evaluate(request, access, architecture);
      if (access.space == Space::Shared) {
        cost.wavefronts = one.wavefronts;
        cost.ideal_wavefronts = one.ideal_wavefronts;
        cost.conflict_degree = one.conflict_degree;
      } else {
        cost.sectors = one.sectors;
        cost.ideal_sectors = one.ideal_sectors;
      }
    }
    const BlockShape shape = shape_of(launch.block.x, launch.block.y, launch.block.z);
    const auto covers = [&](const PatternCase &c) {
      return std::all_of(c.when.begin(), c.when.end(), [&](const PatternCondition &w) {
        return w.kind != PatternCondition::Kind::Shape || (w.shapes >> static_cast<unsigned>(shape) & 1);
      });
    };
    if (!pattern.reason.empty() && std::none_of(pattern.cases.begin(), pattern.cases.end(), covers))
      continue; // nothing is claimed of such blocks
    ++tally.checked;
    const Request *source = event.source ? &event.source->request : nullptr;
    const auto value_of = [&](const PatternCondition &c) { return argument(launch, c); };
    if (test::is_claimed(pattern, cost, launch.block, value_of, request, source))
      continue;
    ++tally.contradicted;
    if (shown[operation.site])
      continue;
    shown[operation.site] = true;
    std::printf("CONTRADICTED block (%u,%u,%u) active %08x: %u/%u wavefronts "
                "(%u-way), %u/%u sectors\n",
                launch.block.x, launch.block.y, launch.block.z, request.active, cost.wavefronts, cost.ideal_wavefronts,
                cost.conflict_degree, cost.sectors, cost.ideal_sectors);
    for (const ArgumentValue &v : launch.arguments)
      if (v.value)
        std::printf("  argument %u+%llu = %lld%s\n", v.index, static_cast<unsigned long long>(v.offset),
                    static_cast<long long>(*v.value), v.pointer ? " (pointer)" : "");
    std::printf("  addresses");
    for_lanes(request.active,
              [&](unsigned lane) { std::printf(" %llu", static_cast<unsigned long long>(request.address[lane])); });
    std::printf("\n");
    describe(program, pattern, program.sites[operation.site]);
    if (verbose)
      std::printf("%s\n", to_string(program).c_str());
  }
}

} // namespace

void print(const std::string &file, const Tally &tally, bool parsed) {
  std::printf("%s:", file.c_str());
  for (unsigned space = 0; space < 2; ++space) {
    const auto &s = tally.sites[space];
    std::printf(" %s always %llu cases %llu data %llu unknown %llu;", kSpaces[space],
                static_cast<unsigned long long>(s[0]), static_cast<unsigned long long>(s[1]),
                static_cast<unsigned long long>(s[2]), static_cast<unsigned long long>(s[3]));
  }
  std::printf(" checked %llu contradicted %llu wrapped %llu disobeyed %llu%s\n",
              static_cast<unsigned long long>(tally.checked), static_cast<unsigned long long>(tally.contradicted),
              static_cast<unsigned long long>(tally.wrapped), static_cast<unsigned long long>(tally.disobeyed),
              parsed ? "" : " (not parsed)");
}

void print_json(const std::string &file, const Tally &tally, const FileAnalysis &analysis) {
  nlohmann::json out = {{"file", file},
                        {"parsed", analysis.parsed},
                        {"kernels", analysis.programs.size()},
                        {"checked", tally.checked},
                        {"contradicted", tally.contradicted},
                        {"wrapped", tally.wrapped},
                        {"disobeyed", tally.disobeyed}};
  for (unsigned space = 0; space < 2; ++space)
    for (const PatternVerdict verdict : kVerdicts)
      out["sites"][kSpaces[space]][std::string(to_string(verdict))] =
          tally.sites[space][static_cast<std::size_t>(verdict)];
  for (unsigned space = 0; space < 2; ++space)
    out["sites"][kSpaces[space]]["bounded"] = tally.bounded[space];
  out["open"] = nlohmann::json::array();
  for (const auto &[what, count] : tally.open)
    out["open"].push_back(
        {{"verdict", what[0]}, {"space", what[1]}, {"reason", what[2]}, {"place", what[3]}, {"sites", count}});
  std::printf("%s\n", out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

int main(int argc, char **argv) {
  unsigned rounds = 50;
  std::uint64_t seed = 1;
  bool verbose = false, dump = false, json = false;
  std::vector<std::string> files, flags;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--rounds") && i + 1 < argc)
      rounds = static_cast<unsigned>(std::stoul(argv[++i]));
    else if (!std::strcmp(argv[i], "--seed") && i + 1 < argc)
      seed = std::stoull(argv[++i]);
    else if (!std::strcmp(argv[i], "--verbose"))
      verbose = true;
    else if (!std::strcmp(argv[i], "--patterns"))
      dump = true;
    else if (!std::strcmp(argv[i], "--json"))
      json = true;
    else if (!std::strcmp(argv[i], "--")) {
      flags.assign(argv + i + 1, argv + argc);
      break;
    } else
      files.push_back(argv[i]);
  }
  bool wrong = false;
  for (const std::string &file : files) {
    AnalysisOptions options;
    options.frontend.file = file;
    options.frontend.architecture = find_architecture("sm_90");
    options.frontend.toolkit = find_toolkit("");
    options.frontend.compiler_flags = flags;
    options.simulation.max_steps = 2000;
    const FileAnalysis analysis = analyze_file(options);
    Tally tally;
    for (std::size_t p = 0; p < analysis.programs.size(); ++p) {
      const Program &program = analysis.programs[p];
      if (dump && verbose)
        std::printf("%s\n", to_string(program).c_str());
      if (const std::string malformed = verify(program); !malformed.empty()) { // which the analyzer says and leaves out
        std::fprintf(stderr, "%s: the program of %s is malformed: %s\n", file.c_str(), program.kernel.c_str(),
                     malformed.c_str());
        wrong = true;
        continue;
      }
      const std::vector<Pattern> &patterns = analysis.patterns[p]; // none: it has no site
      if (patterns.empty())
        continue;
      for (std::size_t s = 0; s < patterns.size(); ++s) {
        const Pattern &pattern = patterns[s];
        if (!pattern.reached)
          continue;
        const unsigned space = program.sites[s].access.space == Space::Global;
        ++tally.sites[space][static_cast<std::size_t>(pattern.verdict)];
        tally.bounded[space] += std::any_of(pattern.cases.begin(), pattern.cases.end(), is_bare_bound);
        if (pattern.cases.empty())
          ++tally.open[{std::string(to_string(pattern.verdict)), kSpaces[space], pattern.reason,
                        pattern.reason_location.file + ":" + std::to_string(pattern.reason_location.line)}];
        if (dump)
          describe(program, patterns[s], program.sites[s]);
      }
      std::vector<const Launch *> known;
      for (const LaunchAnalysis &launch : analysis.launches)
        if (launch.program == p)
          known.push_back(&launch.launch);
      std::mt19937_64 random(seed * 1000003 + p);
      for (unsigned round = 0; round < rounds; ++round)
        check(program, patterns, random_launch(program, known, random), *analysis.architecture, random, tally, verbose);
    }
    wrong |= tally.contradicted != 0;
    if (json)
      print_json(file, tally, analysis);
    else
      print(file, tally, analysis.parsed);
  }
  return wrong ? 1 : 0;
}
