#include "report/row_finder.h"

#include <algorithm>
#include <cstdio>

#include "report/format.h"
#include "report/lanes.h"
#include "report/sector_texts.h"

namespace smem {

void RowFinder::run() {
  if (by_pattern())
    return;
  // What of a copy meets in no bank of shared memory has another cause: its source.
  const bool of_source = row.site->access.operation == Operation::AsyncCopy && row.counts.conflict_degree <= 1;
  const std::uint64_t serial = row.counts.serial_wavefronts;
  const bool atomic =
      row.moves_shared && row.site->access.operation == Operation::Atomic && row.excess_wavefronts() > 0;
  if (const Claim claimed = atomic ? claim(Unit::Wavefronts) : Claim(); atomic && by_claim(claimed)) {
    atomic_in_turns(claimed);
    return;
  }
  if (row.moves_shared && of_source && row.excess_wavefronts() > 0)
    copy_lines();
  else if (row.moves_shared && row.excess_wavefronts() > serial)
    bank_conflict();
  if (serial > 0)
    serial_atomic();
  else if (row.loop_example)
    serial_loop();
  const double ideal = static_cast<double>(row.counts.ideal_sectors);
  if (row.moves_global && row.excess_sectors() > 0 &&
      static_cast<double>(row.counts.sectors) >= options.thresholds.least_sector_ratio * ideal)
    is_narrow(row, options.thresholds.least_sector_ratio) ? narrow() : uncoalesced();
}

std::string RowFinder::verb(const Access &access) {
  switch (access.operation) {
  case Operation::Load: return "load";
  case Operation::Store: return "store";
  case Operation::Atomic: return "atomic";
  case Operation::AsyncCopy: return "async copy";
  case Operation::MatrixLoad: return "ldmatrix";
  case Operation::MatrixStore: return "stmatrix";
  case Operation::MatrixMultiply: return "wgmma";
  case Operation::BulkCopy: return "bulk copy";
  }
  return "access";
}

std::string RowFinder::quoted(const Site &site) {
  const std::string &name = site.expression.empty() ? site.array : site.expression;
  return name.empty() ? name : " of " + shorten(name, 60);
}

std::string RowFinder::degree_words(unsigned degree, bool at_least) {
  if (degree <= 1) // more phases than the bytes of the active lanes need
    return "scattered lanes: ";
  return (at_least ? "at least " : "") + std::to_string(degree) + "-way bank conflict: ";
}

std::string RowFinder::claimed_cost(const Claim &claim, Unit unit) {
  const PatternCase &request = claim.request;
  const std::string least = claim.at_least ? "at least " : claim.up_to ? "up to " : "";
  const std::string copies = claim.at_least && claim.up_to ? " in some copies of it" : ""; // others cost less than that
  return (unit == Unit::Wavefronts ? " takes " + least + plural(request.wavefronts, "wavefront") + " instead of " +
                                         std::to_string(request.ideal_wavefronts)
                                   : " moves " + least + plural(request.sectors, "sector") + " instead of " +
                                         std::to_string(request.ideal_sectors)) +
         copies;
}

std::string RowFinder::where(const Claim &claim) {
  if (claim.reach != Reach::Assumed)
    return claim.words.empty() ? "" : ", " + claim.words;
  return (claim.words.empty() ? "" : ", " + claim.words + ",") + if_assumed(claim);
}

bool RowFinder::by_claim(const Claim &claim) { return claim.launch_assumed && claim.has_request; }

std::vector<Request> RowFinder::requests_of(const SiteRow &row) const {
  std::vector<Request> requests;
  for (const SiteId id : row.ids)
    if (const auto own = samples.find(id); own != samples.end())
      requests.insert(requests.end(), own->second.begin(), own->second.end());
  return requests;
}

void RowFinder::of_row(Finding &finding, const Traffic &traffic, const Claim &claim) {
  finding.location = row.site->location;
  finding.site = row.ids.front();
  finding.subject = verb(row.site->access) + quoted(*row.site);
  finding.verdict = row.verdict;
  finding.uncertainties = row.uncertainties;
  finding.counts = row.counts;
  finding.traffic = traffic;
  finding.operation = row.site->access.operation;
  // Of an access that is not fully counted, the share may be larger.
  if (traffic.avoidable() < options.thresholds.note_below_share && !traffic.at_least)
    finding.severity = Diagnostic::Severity::Note;
  else if (traffic.avoidable() > options.thresholds.error_above_share && finding.severity != Diagnostic::Severity::Note)
    finding.severity = Diagnostic::Severity::Error;
  finding.reach = claim.reach;
  // A cost that another value may not have is no claim.
  if (claim.reach == Reach::Assumed)
    finding.severity = Diagnostic::Severity::Note;
  finding.occurrences = {names.occurrence(row)};
}

Claim RowFinder::claim(Unit unit) const {
  Claim claim =
      claim_of(row, file, analysis, unit, unit == Unit::Wavefronts ? 1 : options.thresholds.least_sector_ratio);
  if (!claim.if_modelled.empty() && !claim.launch_assumed) {
    claim.has_request = false;
    claim.words.clear();
  }
  return claim;
}

void RowFinder::presume_unmerged(Claim &claim) {
  claim.reach = Reach::Assumed;
  claim.certain = false;
  claim.rests_on.insert(claim.rests_on.begin(), "nvcc does not merge it with its neighbours");
}

void RowFinder::add_what_to_state(Finding &finding, const Claim &claim) const {
  if (claim.reach != Reach::Assumed)
    return;
  // Cases that turn on what has no name are nothing that anybody could state, and neither is a mere bound.
  if (const std::string cases = pattern_words(row, analysis.launch);
      !cases.empty() && cases.find("on a condition") == std::string::npos && !cases.starts_with("at most"))
    finding.cause += (finding.cause.empty() ? "" : "; ") + cases;
  if (const std::string how = how_to_state(claim, program.kernel); !how.empty())
    finding.hint = how + (finding.hint.empty() ? "" : "; " + finding.hint);
}

std::string RowFinder::certainty(const Claim &claim) {
  if (row.verdict == Verdict::Unknown)
    return "at least: " + (row.reason.empty() ? std::string("not all of it is known") : row.reason);
  if (row.verdict == Verdict::Assumed && claim.certain && claim.launch_assumed)
    return "how often it runs is assumed";
  return std::string(to_string(row.verdict));
}

std::string RowFinder::cost(const Traffic &traffic, const Claim &claim) {
  return traffic_text(traffic) + "; " + share_text(traffic, short_kernel(program.kernel, 60)) + "; " + certainty(claim);
}

std::string RowFinder::worst_and_mean(const char *verb, std::uint64_t worst, std::uint64_t ideal, std::uint64_t sum,
                                      std::uint64_t requests, const char *unit) {
  const bool all = requests == 0 || sum == worst * requests;
  std::string text =
      std::string(" ") + verb + (all ? " " : " up to ") + plural(worst, unit) + " instead of " + std::to_string(ideal);
  const double mean = requests == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(requests);
  if (!all && mean < 0.99 * static_cast<double>(worst)) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.3g", mean);
    text += std::string(" (") + digits + " on average)";
  }
  return text;
}

} // namespace smem
