// Findings about what one memory access costs in one launch.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/claim.h"
#include "report/findings.h"
#include "report/identity.h"
#include "report/launch_finding.h"
#include "report/site_rows.h"

namespace smem {

/// One row of a launch, and the other rows that its figures are compared with.
class RowFinder {
public:
  /// The requests of the first block that were kept, by their sites.
  using Samples = std::map<SiteId, std::vector<Request>>;

  RowFinder(const FileAnalysis &file, std::size_t file_index, std::size_t launch, const FindingOptions &options,
            const SiteRow &row, const AccessNames &names, std::span<const SiteRow> rows, const Samples &samples,
            std::vector<Finding> &out)
      : file(file), file_index(file_index), launch(launch), options(options), row(row), names(names), rows(rows),
        samples(samples), analysis(file.launches[launch]), program(file.programs[analysis.program]), out(out) {}

  /// Adds all findings of the row.
  void run();

private:
  /// A conflict that merging removes is no claim.
  static void presume_unmerged(Claim &claim);

  // pattern_findings.cpp
  /// Nothing of the access was counted, or it could not be counted to the end, and its pattern proves what a request costs all the same.
  bool by_pattern();
  void of_pattern(Unit unit, const Claim &claim);

  // shared_findings.cpp
  void bank_conflict();
  /// Whether nvcc may make one access of this and its neighbours, and the conflict would be gone then. `degree`: of a request that was not counted.
  bool may_merge(unsigned degree) const;
  /// An asynchronous copy that fills lines of shared memory piece by piece.
  void copy_lines();

  // atomic_findings.cpp
  /// Lanes that update one word.
  void serial_atomic();
  /// What is claimed of an atomic of launches beside the one that was analysed: not, why its lanes go one after the other.
  void atomic_in_turns(const Claim &claim);
  static constexpr std::string_view kTurns = ": lanes update one word, or words of one bank";
  /// The same of an atomic that is a loop, where each lane of a word takes a round.
  void serial_loop();

  // sector_findings.cpp
  /// What it leaves of its sectors, the accesses next to it use.
  void narrow();
  void uncoalesced();
  bool loads_parts_of_neighbours() const;

  // What they have in common: row_finder.cpp.
  Finding start(std::string_view rule) const { return launch_finding(rule, file, file_index, launch); }
  /// What the finding is of, and what it costs: its severity and its reach, too.
  void of_row(Finding &finding, const Traffic &traffic, const Claim &claim);
  /// Of an access that was counted: what holds as modelled only, its counts say.
  Claim claim(Unit unit) const;
  /// Of the first block.
  std::vector<Request> requests_of(const SiteRow &row) const;
  /// What would settle a finding that rests on an assumption: its cases, and how to state the values.
  void add_what_to_state(Finding &finding, const Claim &claim) const;
  static std::string verb(const Access &access);
  /// " of tile[threadIdx.x][k]"; " of tile" where the expression is not known.
  static std::string quoted(const Site &site);
  /// "8-way bank conflict: ", "at least 8-way bank conflict: "; of an excess without a conflict "scattered lanes: ".
  static std::string degree_words(unsigned degree, bool at_least = false);
  /// " takes at least 8 wavefronts instead of 1"
  static std::string claimed_cost(const Claim &claim, Unit unit);
  /// ` takes 8 wavefronts instead of 1`; of the worst request, and the mean where that is another.
  static std::string worst_and_mean(const char *verb, std::uint64_t worst, std::uint64_t ideal, std::uint64_t sum,
                                    std::uint64_t requests, const char *unit);
  /// To follow what a request costs: where that holds, or on which assumed values it rests.
  static std::string where(const Claim &claim);
  /// Of a launch of which something was assumed a message has the figures of the claim, never those that were counted.
  static bool by_claim(const Claim &claim);
  std::string certainty(const Claim &claim);
  /// How much, how often, how sure.
  std::string cost(const Traffic &traffic, const Claim &claim);

  const FileAnalysis &file;
  std::size_t file_index;
  std::size_t launch;
  const FindingOptions &options;
  const SiteRow &row;
  const AccessNames &names;
  std::span<const SiteRow> rows;
  const Samples &samples;
  const LaunchAnalysis &analysis;
  const Program &program;
  std::vector<Finding> &out;
};

} // namespace smem
