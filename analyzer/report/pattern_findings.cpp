// Findings about accesses of which a pattern proves what a request costs, where they are not counted, or not to the end.
#include "report/row_finder.h"

#include "report/format.h"

namespace smem {

bool RowFinder::by_pattern() {
  const bool open = row.verdict == Verdict::Unknown || (row.counts.requests == 0 && may_be_reached(row, analysis));
  if (!open || row.site->compared == Agreement::Absent)
    return false;
  const auto says = [&](Unit unit, double least_ratio) {
    const Counts &counts = row.counts;
    const bool counted =
        unit == Unit::Wavefronts ? counts.wavefronts > counts.ideal_wavefronts : counts.sectors > counts.ideal_sectors;
    if (counted) // the counts have an example, too
      return false;
    Claim claim = claim_of(row, file, analysis, unit, least_ratio);
    if (!claim.has_request)
      return false;
    if (unit == Unit::Wavefronts && may_merge(claim.request.conflict_degree))
      presume_unmerged(claim);
    of_pattern(unit, claim);
    return true;
  };
  const bool shared =
      row.moves_shared && row.site->access.operation != Operation::AsyncCopy && says(Unit::Wavefronts, 1);
  const bool global = row.moves_global && says(Unit::Sectors, options.thresholds.least_sector_ratio);
  return shared || global;
}

void RowFinder::of_pattern(Unit unit, const Claim &claim) {
  const bool shared = unit == Unit::Wavefronts, atomic = row.site->access.operation == Operation::Atomic;
  const PatternCase &request = claim.request;
  const std::string_view id = !shared ? rule::uncoalesced : atomic ? rule::atomic_serialization : rule::bank_conflict;
  Finding finding = start(id);
  Traffic moved = traffic(row, rows, unit);
  moved.at_least = true; // whatever was counted, it is not all
  of_row(finding, moved, claim);
  // Whether the accesses next to it use the rest of its sectors is known of requests that were counted only; whether all lanes ever come there
  // in a launch that is known, its data decide.
  const bool lanes_by_data = claim.all_lanes && row.verdict == Verdict::Unknown && !claim.launch_assumed;
  if (!shared || lanes_by_data)
    finding.severity = Diagnostic::Severity::Note;
  finding.message = (!shared  ? "uncoalesced "
                     : atomic ? ""
                              : degree_words(request.conflict_degree, claim.at_least)) +
                    verb(row.site->access) + quoted(*row.site) + claimed_cost(claim, unit) +
                    (shared && atomic ? std::string(kTurns) : "") +
                    (lanes_by_data && claim.words.empty() ? ", in warps whose lanes are all active" : "") +
                    where(claim);
  finding.cost = (row.verdict == Verdict::Unknown
                      ? "how often it runs is not known" + (row.reason.empty() ? "" : ": " + row.reason)
                      : "not reached in the launch that was assumed") +
                 ", in " + short_kernel(program.kernel, 60) +
                 (claim.if_modelled.empty() ? "" : "; assumed: " + claim.if_modelled);
  if (const Launch &stated = analysis.launch; !stated.assumptions.empty() || !stated.not_known.empty())
    finding.hint = "state the launch to see how much it costs in all: --launch, --set or a comment above the kernel";
  if (row.counts.requests == 0)
    finding.occurrences[0].metrics = {request.conflict_degree, static_cast<double>(request.wavefronts),
                                      static_cast<double>(request.ideal_wavefronts),
                                      static_cast<double>(request.sectors), static_cast<double>(request.ideal_sectors)};
  out.push_back(std::move(finding));
}

} // namespace smem
