#include "report/race_findings.h"

#include <algorithm>
#include <set>
#include <utility>

#include "report/launch_finding.h"
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

std::string name_of(const RacingAccess &access, RaceMemory memory) {
  return !access.expression.empty()     ? shorten(access.expression, 60)
         : memory == RaceMemory::Shared ? "shared memory"
                                        : "global memory";
}

/// "thread (1,0,0)", "thread (1,0,0)'s asynchronous copy".
std::string who(const RacingAccess &access, const Dim3 *block) {
  return "thread " + to_string(access.thread) + (block ? " of block " + to_string(*block) : std::string()) +
         (access.asynchronous ? "'s asynchronous copy" : "");
}

/// "on line 12", "on tile.h:12".
std::string on_line(const SourceLocation &location, const SourceLocation &from) {
  if (!location.known())
    return "elsewhere";
  const std::string line = std::to_string(location.line);
  return "on " + (location.file == from.file ? "line " + line : location.file + ":" + line);
}

/// One of the two, and its block.
struct Side {
  const RacingAccess *access;
  const Dim3 *block;
};

/// " (called from line 215)": what tells two accesses of one function apart.
std::string called_from(const RacingAccess &access) {
  return access.call.known() ? " (called from " + on_line(access.call, access.location).substr(3) + ")" : std::string();
}

/// A thread and an asynchronous copy of its own, or two of these.
bool is_own_copy(const RaceWitness &witness) {
  return witness.within_warp && witness.first.thread == witness.second.thread;
}

/// What a reader looks at first: what is read, or else what comes later in the source.
std::pair<Side, Side> in_order(const RaceWitness &witness) {
  const RacingAccess &a = witness.first, &b = witness.second;
  const bool swapped = a.writes != b.writes ? a.writes : a.location < b.location;
  const Side first{&a, &witness.block}, second{&b, &witness.second_block};
  return swapped ? std::pair(second, first) : std::pair(first, second);
}

std::string message_of(const RaceWitness &witness, const Side &here, const Side &there, RaceMemory memory,
                       bool same_value) {
  const RacingAccess &mine = *here.access, &other = *there.access;
  const Dim3 *my_block = witness.between_blocks ? here.block : nullptr,
             *other_block = witness.between_blocks ? there.block : nullptr;
  if (same_value)
    return "threads write one value to the same place of " +
           std::string(memory == RaceMemory::Shared ? "shared" : "global") + " memory: " + who(mine, my_block) + " " +
           (mine.location == other.location
                ? "and " + who(other, other_block)
                : "here, " + who(other, other_block) + " " + on_line(other.location, mine.location));
  const bool own = is_own_copy(witness);
  const std::string kind = witness.within_warp && !own ? "race of lanes of one warp" : "race";
  const std::string barrier = witness.within_warp ? "__syncwarp()" : "__syncthreads()";
  const std::string between = witness.between_blocks ? ", and nothing orders the blocks"
                              : own                  ? ", with no wait for the copy between them"
                              : mine.asynchronous || other.asynchronous
                                  ? ", with no wait for the copy and " + barrier + " between them"
                                  : ", with no " + barrier + " between them";
  if (mine.location == other.location && mine.writes == other.writes && mine.atomic == other.atomic) {
    const bool one_call = mine.call == other.call;
    return kind + ": " + who(other, other_block) + (one_call ? "" : called_from(other)) + " and " +
           who(mine, my_block) + (one_call ? "" : called_from(mine)) + " both " + verb_of(mine, true) + " " +
           name_of(mine, memory) + (one_call ? called_from(mine) : "") + between;
  }
  return kind + ": " + who(mine, my_block) + " " + verb_of(mine, false) + " " + name_of(mine, memory) + ", " +
         who(other, other_block) + " " + verb_of(other, false) + " it " + on_line(other.location, mine.location) +
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
                                       : " before " + on_line(edit.line, here).substr(3)) +
            (edit.in_braces ? " (in braces with the loop's body)" : "");
  return text.empty() ? text : text + ": then these two no longer race in this launch";
}

std::string byte_of(std::uint64_t byte, const std::string &array, std::uint64_t array_byte) {
  return "byte " + (array.empty() ? thousands(byte) + " of its shared memory" : thousands(array_byte) + " of " + array);
}

/// Offsets from a pointer may be negative.
std::string global_byte_of(const RaceWitness &witness) {
  const auto offset = static_cast<std::int64_t>(witness.byte);
  return (offset < 0 ? "byte -" + thousands(static_cast<std::uint64_t>(-offset)) : "byte " + thousands(witness.byte)) +
         " of " + (witness.array.empty() ? "an array in global memory" : witness.array);
}

/// "n = 1024, block=(256,1,1) and 4 more": a headline has room for a few values, and for nothing of where they are from, which the cause tells.
std::string first_of(const std::vector<Assumption> &assumptions) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(assumptions.size(), kMost); ++i) {
    const std::string &one = assumptions[i].text;
    text += (i == 0 ? "" : ", ") + one.substr(0, std::min(one.find(" ("), one.find(": ")));
  }
  return assumptions.size() <= kMost ? text : text + " and " + std::to_string(assumptions.size() - kMost) + " more";
}

class Finder {
public:
  Finder(const FileAnalysis &file, std::size_t file_index, std::size_t launch)
      : file_(file), file_index_(file_index), launch_index_(launch), analysis_(file.launches[launch]),
        program_(file.programs[analysis_.program]) {}

  std::vector<Finding> run() {
    if (analysis_.races)
      run(*analysis_.races, RaceMemory::Shared);
    if (analysis_.global_races)
      run(*analysis_.global_races, RaceMemory::Global);
    return std::move(findings_);
  }

private:
  void run(const Races &races, RaceMemory memory) {
    races_ = &races;
    memory_ = memory;
    seen_.clear();
    // What orders two warps orders the lanes of one, too.
    for (const bool within_warp : {false, true})
      for (const RaceWitness &witness : races.witnesses)
        if (witness.within_warp == within_warp)
          race(witness, false);
    for (const RaceWitness &witness : races.same_value)
      race(witness, true);
    for (const UnwrittenRead &read : races.unwritten)
      unwritten(read);
    for (const Problem &problem : races.barriers)
      found(problem, rule::barrier_divergence);
    for (const Problem &problem : races.outside)
      found(problem, rule::out_of_bounds);
    for (const SourceLocation &barrier : races.redundant)
      redundant(barrier);
  }

  Finding start(std::string_view rule, const RacingAccess &access, std::string identity) const {
    Finding finding = launch_finding(rule, file_, file_index_, launch_index_);
    finding.location = access.location.known() ? access.location : program_.location;
    const Launch &launch = analysis_.launch;
    finding.cost = "in " + short_kernel(program_.kernel, 60) + " launched with " +
                   (launch.grid_known ? "grid=" + to_string(launch.grid) + " " : std::string()) +
                   "block=" + to_string(races_->block.value_or(launch.block));
    finding.reach = launch.assumptions.empty() ? Reach::Launch : Reach::OpenValues;
    finding.occurrences = {{normalise_kernel(program_.kernel), std::move(identity), 0, Metrics{}}};
    return finding;
  }

  /// Beside races, whose own verdict says that: what else is found is of what is known of a launch, but of a block that was made up.
  bool rests_on_assumed() const { return !file_.assumed_headers.empty() || races_->block; }

  /// Once its message and its cause are there: no claim, if something was assumed.
  void name_assumed(Finding &finding) const {
    if (!races_->assumed)
      return;
    finding.severity = Severity::Note;
    finding.reach = Reach::Assumed;
    finding.verdict = Verdict::Assumed;
    // What has to hold of headers is no part of the launch.
    std::vector<Assumption> of_launch = races_->assumptions;
    const std::size_t in_headers = std::erase_if(
        of_launch, [&](const Assumption &one) { return !one.text.empty() && one.text == file_.assumed_headers; });
    if (in_headers != 0)
      finding.message += ", if " + file_.assumed_headers;
    if (of_launch.empty() && in_headers != 0)
      return;
    finding.message += ", in a launch that is assumed: " + first_of(of_launch);
    finding.cause += (finding.cause.empty() ? "assumed: " : "; assumed: ") + to_string(of_launch);
  }

  void race(const RaceWitness &witness, bool same_value) {
    const auto [mine, other] = in_order(witness);
    const RacingAccess *here = mine.access, *there = other.access;
    if (!seen_.emplace(here->location, there->location).second)
      return;
    Finding finding = start(memory_ == RaceMemory::Shared ? rule::race : rule::global_race, *here,
                            here->expression + " / " + there->expression);
    // Two writes may be of one value; lanes of a warp race on no GPU that executes them in step.
    const bool may_be_one_value = here->writes && there->writes && !here->atomic && !there->atomic;
    if (same_value || (!is_own_copy(witness) && (witness.within_warp || may_be_one_value)))
      finding.severity = Severity::Note;
    finding.message = message_of(witness, mine, other, memory_, same_value);
    finding.subject = std::string(witness.within_warp      ? "warp "
                                  : witness.between_blocks ? "grid "
                                                           : "block ") +
                      to_string(there->location);
    const std::string byte = memory_ == RaceMemory::Shared ? byte_of(witness.byte, witness.array, witness.array_byte)
                                                           : global_byte_of(witness);
    finding.cause =
        witness.between_blocks ? byte : "block " + to_string(witness.block) + ", " + byte + ", " + interval_of(witness);
    name_assumed(finding);
    finding.hint = hint_of(witness, finding.location);
    const auto step = [&](const Side &side) {
      return ThreadStep{side.access->location, who(*side.access, witness.between_blocks ? side.block : nullptr) + " " +
                                                   verb_of(*side.access, false) + " it here"};
    };
    finding.threads = {step(mine), step(other)};
    if (memory_ == RaceMemory::Shared && !same_value)
      finding.witness = static_cast<std::size_t>(&witness - races_->witnesses.data());
    findings_.push_back(std::move(finding));
  }

  void unwritten(const UnwrittenRead &read) {
    Finding finding = start(rule::uninitialized, read.access, read.access.expression);
    finding.message = "thread " + to_string(read.access.thread) + " reads " + name_of(read.access, memory_) +
                      ", which no thread of its block has written";
    finding.subject = read.access.expression;
    finding.cause = "block " + to_string(read.block) + ", " + byte_of(read.byte, read.array, read.array_byte);
    if (rests_on_assumed())
      name_assumed(finding);
    findings_.push_back(std::move(finding));
  }

  /// Unless the counts have shown it already.
  void found(const Problem &problem, std::string_view rule) {
    if (std::ranges::any_of(analysis_.result.problems, [&](const Problem &known) {
          return known.kind == problem.kind && known.location == problem.location;
        }))
      return;
    RacingAccess at;
    at.location = problem.location;
    Finding finding = start(rule, at, problem.message);
    finding.message = problem.message;
    if (rests_on_assumed())
      name_assumed(finding);
    findings_.push_back(std::move(finding));
  }

  /// Launches that have the barrier agree (find_launch_races()); one of them says so.
  void redundant(const SourceLocation &barrier) {
    RacingAccess at;
    at.location = barrier;
    Finding finding = start(rule::redundant_barrier, at, "barrier");
    finding.message = "no two accesses need this barrier: without it no two threads of a block race either";
    if (std::ranges::count_if(program_.parameters, &Parameter::pointer) > 1)
      finding.cause = "if pointers among the arguments point to different arrays";
    if (!file_.assumed_headers.empty())
      name_assumed(finding);
    findings_.push_back(std::move(finding));
  }

  const FileAnalysis &file_;
  std::size_t file_index_, launch_index_;
  const LaunchAnalysis &analysis_;
  const Program &program_;
  const Races *races_ = nullptr; ///< whose findings are being made
  RaceMemory memory_ = RaceMemory::Shared;
  std::set<std::pair<SourceLocation, SourceLocation>> seen_;
  std::vector<Finding> findings_;
};

} // namespace

std::vector<Finding> race_findings(const FileAnalysis &file, std::size_t file_index, std::size_t launch) {
  return Finder(file, file_index, launch).run();
}

} // namespace smem
