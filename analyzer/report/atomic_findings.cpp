// Findings about atomics whose lanes take turns.
#include "report/row_finder.h"

#include <bit>

#include "report/format.h"
#include "report/hints.h"
#include "report/lanes.h"
#include "report/word_sharing.h"

namespace smem {

void RowFinder::serial_atomic() {
  Finding finding = start(rule::atomic_serialization);
  Traffic moved = traffic(row, rows, Unit::Wavefronts);
  moved.ideal = moved.actual - row.counts.serial_wavefronts;
  const Claim claim = this->claim(Unit::Wavefronts);
  of_row(finding, moved, claim);
  finding.message = "serialised " + verb(row.site->access) + quoted(*row.site);
  if (row.shared_example) {
    const Request &request = row.shared_example->request;
    const std::uint32_t wavefronts = row.shared_example->cost.wavefronts;
    finding.message += worst_and_mean("takes", wavefronts,
                                      wavefronts - serial_wavefronts(request, row.site->access, *file.architecture),
                                      moved.actual, moved.requests, "wavefront") +
                       ": lanes update one word";
    finding.cause = serial_cause(request, row.site->access);
    finding.hint = serial_hint(request, row.site->access);
  }
  if (claim.reach == Reach::Assumed) // what other launches cost they need not cost for this reason
    finding.message += where(claim);
  finding.cost = cost(*finding.traffic, claim);
  add_what_to_state(finding, claim);
  out.push_back(std::move(finding));
}

void RowFinder::atomic_in_turns(const Claim &claim) {
  // The assumed launch has one of both causes or both, with which others need not have it in common: the sum is what is claimed.
  const std::uint64_t serial = row.counts.serial_wavefronts;
  const bool mostly_serial = 2 * serial >= row.excess_wavefronts();
  Finding finding = start(mostly_serial ? rule::atomic_serialization : rule::bank_conflict);
  of_row(finding, traffic(row, rows, Unit::Wavefronts), claim);
  finding.message = verb(row.site->access) + quoted(*row.site) + claimed_cost(claim, Unit::Wavefronts) +
                    std::string(kTurns) + where(claim);
  if (row.shared_example) {
    const Request &request = row.shared_example->request;
    finding.cause = (analysis.launch.block_known ? "" : "with block=" + to_string(analysis.launch.block) + ": ") +
                    (mostly_serial ? serial_cause(request, row.site->access)
                                   : shared_cause(request, row.site->access, *file.architecture));
    finding.hint = mostly_serial ? serial_hint(request, row.site->access)
                                 : shared_hint(program, row, rows, *file.architecture,
                                               [&](const SiteRow &each) { return requests_of(each); });
  }
  finding.cost = cost(*finding.traffic, claim);
  out.push_back(std::move(finding));
}

void RowFinder::serial_loop() {
  const Request &request = row.loop_example->request;
  const auto lanes = static_cast<unsigned>(std::popcount(shared_words(request, row.site->access).lanes));
  if (lanes < 2)
    return;
  Finding finding = start(rule::atomic_serialization);
  const Claim claim = this->claim(Unit::Wavefronts);
  of_row(finding, traffic(row, rows, Unit::Wavefronts), claim);
  if (claim.reach != Reach::Assumed)
    finding.severity = finding.rule->severity; // in rounds of the loop, not in wavefronts of a round
  finding.traffic.reset();
  finding.message = "serialised " + verb(row.site->access) + quoted(*row.site) + " is a loop of compare-and-swap of " +
                    plural(lanes, "round") + " instead of 1: lanes update one word" +
                    (claim.reach == Reach::Assumed ? where(claim) : "");
  finding.cost = "a round is a load and a compare-and-swap of the lanes that are left, in " +
                 short_kernel(program.kernel, 60) + "; " + std::string(to_string(row.verdict)) +
                 (row.verdict == Verdict::Unknown ? ": " + row.reason : "");
  finding.cause = serial_cause(request, row.site->access);
  finding.hint = serial_hint(request, row.site->access);
  out.push_back(std::move(finding));
}

} // namespace smem
