// smem-races [--launch=SPEC] FILE.cu [-- compiler flags]: what is known of races in shared memory, a line for each launch and for each race. A developer's tool;
// tests read its output.
#include <cstdio>
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
            << " by " << to_string(access.thread);
}

void print(const Program &program, const Launch &launch, const Races &races) {
  std::cout << program.kernel << " grid " << to_string(launch.grid) << " block " << to_string(launch.block) << ": "
            << to_string(races.verdict()) << " (between warps " << to_string(races.between_warps) << ", within a warp "
            << to_string(races.within_warp) << ")" << (races.assumed ? " under assumed values" : "");
  if (!races.reason.empty())
    std::cout << ": " << races.reason;
  std::cout << '\n';
  for (const RaceWitness &witness : races.witnesses) {
    std::cout << "  " << (witness.within_warp ? "within a warp: " : "between warps: ");
    print(witness.first);
    std::cout << ", ";
    print(witness.second);
    std::cout << " of block " << to_string(witness.block) << ", byte "
              << (witness.array.empty() ? witness.byte : witness.array_byte) << " of "
              << (witness.array.empty() ? "shared memory" : witness.array) << ", interval " << witness.interval;
    if (witness.interval_begin.known())
      std::cout << " after line " << witness.interval_begin.line;
    std::cout << '\n';
  }
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
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--")) {
      options.frontend.compiler_flags.assign(argv + i + 1, argv + argc);
      break;
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
    std::cerr << "usage: smem-races [--launch=SPEC] FILE.cu [-- compiler flags]\n";
    return 2;
  }
  options.frontend.architecture = find_architecture("sm_90");
  options.frontend.toolkit = find_toolkit("none");
  const FileAnalysis analysis = analyze_file(options);
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      std::cerr << to_string(diagnostic.location) << ": " << diagnostic.message << '\n';
  for (const LaunchAnalysis &launch : analysis.launches)
    if (launch.races)
      print(analysis.programs[launch.program], launch.launch, *launch.races);
  return analysis.parsed ? 0 : 1;
}
