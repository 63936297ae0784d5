#include "report/race_findings.h"

#include <algorithm>
#include <set>
#include <utility>

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

std::string byte_of(std::uint64_t byte, const std::string &array, std::uint64_t array_byte) {
  return "byte " + (array.empty() ? thousands(byte) + " of its shared memory" : thousands(array_byte) + " of " + array);
}

class Finder {
public:
  Finder(const FileAnalysis &file, std::size_t file_index, std::size_t launch)
      : file_index_(file_index), launch_index_(launch), analysis_(file.launches[launch]),
        program_(file.programs[analysis_.program]) {}

  std::vector<Finding> run() {
    // What orders two warps orders the lanes of one, too.
    for (const bool within_warp : {false, true})
      for (const RaceWitness &witness : analysis_.races->witnesses)
        if (witness.within_warp == within_warp)
          race(witness);
    for (const UnwrittenRead &read : analysis_.races->unwritten)
      unwritten(read);
    return std::move(findings_);
  }

private:
  Finding start(std::string_view rule, const RacingAccess &access, std::string identity) const {
    Finding finding;
    finding.rule = find_rule(rule);
    finding.severity = finding.rule->severity;
    finding.file = file_index_;
    finding.launch = launch_index_;
    finding.program = analysis_.program;
    finding.location = access.location.known() ? access.location : program_.location;
    const Launch &launch = analysis_.launch;
    finding.cost = "in " + short_kernel(program_.kernel, 60) + " launched with " +
                   (launch.grid_known ? "grid=" + to_string(launch.grid) + " " : std::string()) +
                   "block=" + to_string(launch.block);
    finding.reach = launch.assumptions.empty() ? Reach::Launch : Reach::OpenValues;
    finding.occurrences = {{normalise_kernel(program_.kernel), std::move(identity), 0, Metrics{}}};
    return finding;
  }

  void race(const RaceWitness &witness) {
    const auto [here, there] = in_order(witness);
    if (!seen_.emplace(here->location, there->location).second)
      return;
    Finding finding = start(rule::race, *here, here->expression + " / " + there->expression);
    // Two writes may be of one value; lanes of a warp race on no GPU that executes them in step.
    if (witness.within_warp || (here->writes && there->writes && !here->atomic && !there->atomic))
      finding.severity = Severity::Note;
    finding.message = message_of(witness, *here, *there);
    if (analysis_.races->assumed) {
      finding.severity = Severity::Note;
      finding.reach = Reach::Assumed;
      finding.verdict = Verdict::Assumed;
      finding.message += ", in a launch that is assumed: " + to_string(analysis_.launch.assumptions);
    }
    finding.subject = std::string(witness.within_warp ? "warp " : "block ") + to_string(there->location);
    finding.cause = "block " + to_string(witness.block) + ", " +
                    byte_of(witness.byte, witness.array, witness.array_byte) + ", " + interval_of(witness);
    finding.hint = hint_of(witness, finding.location);
    const auto step = [](const RacingAccess &access) {
      return ThreadStep{access.location,
                        "thread " + to_string(access.thread) + " " + verb_of(access, false) + " it here"};
    };
    finding.threads = {step(*here), step(*there)};
    findings_.push_back(std::move(finding));
  }

  void unwritten(const UnwrittenRead &read) {
    Finding finding = start(rule::uninitialized, read.access, read.access.expression);
    finding.message = "thread " + to_string(read.access.thread) + " reads " + name_of(read.access) +
                      ", which no thread of its block has written";
    finding.subject = read.access.expression;
    finding.cause = "block " + to_string(read.block) + ", " + byte_of(read.byte, read.array, read.array_byte);
    findings_.push_back(std::move(finding));
  }

  std::size_t file_index_, launch_index_;
  const LaunchAnalysis &analysis_;
  const Program &program_;
  std::set<std::pair<SourceLocation, SourceLocation>> seen_;
  std::vector<Finding> findings_;
};

} // namespace

std::vector<Finding> race_findings(const FileAnalysis &file, std::size_t file_index, std::size_t launch) {
  return file.launches[launch].races ? Finder(file, file_index, launch).run() : std::vector<Finding>();
}

} // namespace smem
