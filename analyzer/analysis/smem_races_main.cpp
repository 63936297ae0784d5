// smem-races [--global] [--max-steps=N] [--launch=SPEC] FILE.cu [-- compiler flags]: what is known of races in shared memory, or in global memory, a line for
// each launch and for each race. A developer's tool; tests read its output.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "analysis/analysis.h"
#include "plan/launch_spec.h"
#include "smem/race.h"

namespace {

using namespace smem;

void print(const RacingAccess &access) {
  std::cout << "line " << access.location.line
            << (access.atomic   ? " atomic"
                : access.writes ? " write"
                                : " read")
            << " by " << to_string(access.thread) << (access.asynchronous ? "'s asynchronous copy" : "");
}

void print(const RaceWitness &witness, bool global) {
  std::cout << (witness.between_blocks ? "between blocks: "
                : witness.within_warp  ? "within a warp: "
                                       : "between warps: ");
  print(witness.first);
  if (witness.between_blocks)
    std::cout << " of block " << to_string(witness.block);
  std::cout << ", ";
  print(witness.second);
  std::cout << " of block " << to_string(witness.second_block) << ", byte "
            << static_cast<std::int64_t>(witness.array.empty() ? witness.byte : witness.array_byte) << " of "
            << (!witness.array.empty() ? witness.array
                : global               ? "global memory"
                                       : "shared memory");
  if (!witness.between_blocks)
    std::cout << ", interval " << witness.interval;
  if (witness.interval_begin.known())
    std::cout << " after line " << witness.interval_begin.line;
  std::cout << '\n';
}

void print(const Program &program, const Launch &launch, const Races &races, bool global) {
  std::cout << program.kernel << " grid " << to_string(launch.grid) << " block " << to_string(launch.block) << ": "
            << to_string(races.verdict()) << " (between warps " << to_string(races.between_warps) << ", within a warp "
            << to_string(races.within_warp)
            << (global ? ", between blocks " + std::string(to_string(races.between_blocks)) : "") << ")"
            << (races.assumed  ? " under assumed values"
                : races.always ? " in every launch with this block"
                               : "");
  if (!races.assumptions.empty())
    std::cout << ": " << to_string(races.assumptions);
  else if (!races.reason.empty())
    std::cout << ": " << races.reason;
  for (const Dim3 &block : races.free_blocks)
    std::cout << (&block == races.free_blocks.data() ? "; free in every launch with blocks " : " ") << to_string(block);
  std::cout << '\n';
  for (const RaceWitness &witness : races.witnesses) {
    std::cout << "  ";
    print(witness, global);
  }
  for (const RaceWitness &witness : races.same_value) {
    std::cout << "  one value, ";
    print(witness, global);
  }
  if (races.barriers_open && races.barriers.empty() && races.verdict() == RaceVerdict::Free)
    std::cout << "  barriers not known: " << races.barriers_reason << '\n';
  for (const Problem &problem : races.barriers)
    std::cout << "  barrier of line " << problem.location.line << ": " << problem.message << '\n';
  for (const SourceLocation &barrier : races.excusing)
    std::cout << "  threads end without the barrier of line " << barrier.line << '\n';
  for (const SourceLocation &barrier : races.redundant)
    std::cout << "  redundant barrier: line " << barrier.line << '\n';
  for (const UnwrittenRead &read : races.unwritten) {
    std::cout << "  unwritten: ";
    print(read.access);
    std::cout << " of block " << to_string(read.block) << ", byte "
              << (read.array.empty() ? read.byte : read.array_byte) << " of "
              << (read.array.empty() ? "shared memory" : read.array) << '\n';
  }
}

} // namespace

int main(int argc, char **argv) {
  AnalysisOptions options;
  options.races = true;
  bool global = false;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--")) {
      options.frontend.compiler_flags.assign(argv + i + 1, argv + argc);
      break;
    }
    if (!std::strcmp(argv[i], "--global")) {
      global = options.global_races = true;
      options.races = false;
      continue;
    }
    if (std::string_view(argv[i]).starts_with("--max-steps=")) {
      options.simulation.max_steps = std::strtoull(argv[i] + std::strlen("--max-steps="), nullptr, 10);
      continue;
    }
    if (std::string_view(argv[i]).starts_with("--launch=")) {
      const ParsedWish parsed = parse_launch_option(argv[i] + std::strlen("--launch="));
      if (!parsed.error.empty()) {
        std::cerr << "smem-races: " << parsed.error << '\n';
        return 2;
      }
      options.wishes.push_back(parsed.wish);
      continue;
    }
    options.frontend.file = argv[i];
  }
  if (options.frontend.file.empty()) {
    std::cerr << "usage: smem-races [--global] [--max-steps=N] [--launch=SPEC] FILE.cu [-- compiler flags]\n";
    return 2;
  }
  options.frontend.architecture = find_architecture("sm_90");
  options.frontend.toolkit = find_toolkit("none");
  const FileAnalysis analysis = analyze_file(options);
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      std::cerr << to_string(diagnostic.location) << ": " << diagnostic.message << '\n';
  for (const LaunchAnalysis &launch : analysis.launches)
    if (const std::optional<Races> &races = global ? launch.global_races : launch.races) {
      print(analysis.programs[launch.program], launch.launch, *races, global);
      for (const Problem &problem : launch.result.problems)
        if (problem.kind == Problem::Kind::DivergentBarrier)
          std::cout << "  barrier of line " << problem.location.line << ": " << problem.message << '\n';
    }
  return analysis.parsed ? 0 : 1;
}
