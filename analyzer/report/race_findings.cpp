#include "report/race_findings.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "report/format.h"
#include "report/identity.h"

namespace smem {
namespace {

using Severity = Diagnostic::Severity;

std::string verb_of(const RacingAccess &access, bool several) {
  if (access.atomic)
    return several ? "atomically update" : "atomically updates";
  return std::string(access.writes ? "write" : "read") + (several ? "" : "s");
}

std::string name_of(const RacingAccess &access) {
  return access.expression.empty() ? "shared memory" : shorten(access.expression, 60);
}

/// "on line 12", "on tile.h:12".
std::string on_line(const SourceLocation &location, const SourceLocation &from) {
  if (!location.known())
    return "elsewhere";
  const std::string line = std::to_string(location.line);
  return "on " + (location.file == from.file ? "line " + line : location.file + ":" + line);
}

/// What a reader looks at first: what is read, or else what comes later in the source.
std::pair<const RacingAccess *, const RacingAccess *> in_order(const RaceWitness &witness) {
  const RacingAccess &a = witness.first, &b = witness.second;
  const bool swapped = a.writes != b.writes ? a.writes : a.location < b.location;
  return swapped ? std::pair(&b, &a) : std::pair(&a, &b);
}

std::string message_of(const RaceWitness &witness, const RacingAccess &here, const RacingAccess &there) {
  const std::string kind = witness.within_warp ? "race of lanes of one warp" : "race";
  const std::string barrier = witness.within_warp ? "__syncwarp()" : "__syncthreads()";
  const std::string between = ", with no " + barrier + " between them";
  if (here.location == there.location && here.writes == there.writes && here.atomic == there.atomic)
    return kind + ": threads " + to_string(there.thread) + " and " + to_string(here.thread) + " both " +
           verb_of(here, true) + " " + name_of(here) + between;
  return kind + ": thread " + to_string(here.thread) + " " + verb_of(here, false) + " " + name_of(here) + ", thread " +
         to_string(there.thread) + " " + verb_of(there, false) + " it " + on_line(there.location, here.location) +
         between;
}

std::string interval_of(const RaceWitness &witness) {
  if (witness.interval == 0)
    return "before the first barrier";
  return "after " + plural(witness.interval, "barrier") +
         (witness.interval_begin.known() ? ", the last on line " + std::to_string(witness.interval_begin.line) : "");
}

std::string hint_of(const RaceWitness &witness, const SourceLocation &here) {
  std::string text;
  for (const BarrierEdit &edit : witness.edits)
    text += (text.empty() ? (edit.of_warp ? "`__syncwarp();`" : "`__syncthreads();`") : " and") +
            std::string(edit.ends_loop ? " at the end of the loop " + on_line(edit.line, here)
                                       : " before " + on_line(edit.line, here).substr(3));
  return text.empty() ? text : text + ": then these two no longer race in this launch";
}

} // namespace

std::vector<Finding> race_findings(const FileAnalysis &file, std::size_t file_index, std::size_t launch) {
  std::vector<Finding> findings;
  const LaunchAnalysis &analysis = file.launches[launch];
  if (!analysis.races)
    return findings;
  const Program &program = file.programs[analysis.program];
  // What orders two warps orders the lanes of one, too.
  std::vector<const RaceWitness *> witnesses;
  for (const bool within_warp : {false, true})
    for (const RaceWitness &witness : analysis.races->witnesses)
      if (witness.within_warp == within_warp)
        witnesses.push_back(&witness);
  std::set<std::pair<SourceLocation, SourceLocation>> seen;
  for (const RaceWitness *each : witnesses) {
    const RaceWitness &witness = *each;
    const auto [here, there] = in_order(witness);
    if (!seen.emplace(here->location, there->location).second)
      continue;
    Finding finding;
    finding.rule = find_rule(rule::race);
    finding.file = file_index;
    finding.launch = launch;
    finding.program = analysis.program;
    // Two writes may be of one value; lanes of a warp race on no GPU that executes them in step.
    const bool milder = witness.within_warp || (here->writes && there->writes && !here->atomic && !there->atomic);
    finding.severity = milder ? Severity::Note : finding.rule->severity;
    finding.location = here->location.known() ? here->location : program.location;
    finding.message = message_of(witness, *here, *there);
    finding.subject = std::string(witness.within_warp ? "warp " : "block ") + to_string(there->location);
    finding.cost = "in " + short_kernel(program.kernel, 60) + " launched with " +
                   (analysis.launch.grid_known ? "grid=" + to_string(analysis.launch.grid) + " " : std::string()) +
                   "block=" + to_string(analysis.launch.block);
    finding.cause = "block " + to_string(witness.block) + ", byte " +
                    (witness.array.empty() ? thousands(witness.byte) + " of its shared memory"
                                           : thousands(witness.array_byte) + " of " + witness.array) +
                    ", " + interval_of(witness);
    finding.hint = hint_of(witness, finding.location);
    finding.reach = analysis.launch.assumptions.empty() ? Reach::Launch : Reach::OpenValues;
    finding.occurrences = {
        {normalise_kernel(program.kernel), here->expression + " / " + there->expression, 0, Metrics{}}};
    const auto thread = [](const RacingAccess &access) {
      return "thread " + to_string(access.thread) + " " + verb_of(access, false) + " it here";
    };
    finding.threads = {{here->location, thread(*here)}, {there->location, thread(*there)}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

} // namespace smem
