// Findings about wavefronts in shared memory: bank conflicts, and asynchronous copies that do not fit its lines.
#include "report/row_finder.h"

#include "report/format.h"
#include "report/hints.h"
#include "nvcc/uncertainties.h"
#include "report/lanes.h"

#include <algorithm>

namespace smem {

bool RowFinder::may_merge(unsigned degree) const {
  constexpr unsigned kWidest = 128;
  Access access = row.site->access;
  if (std::ranges::find(row.uncertainties, info_of(Uncertainty::Vectorisation).id) == row.uncertainties.end() ||
      (access.operation != Operation::Load && access.operation != Operation::Store))
    return false;
  if (!row.shared_example) // lanes that are apart by as much as the wider access has
    return degree * access.width_bits <= kWidest;
  const Request &narrow = row.shared_example->request;
  while ((access.width_bits *= 2) <= kWidest) {
    Request wide = narrow;
    for (std::uint64_t &address : wide.address)
      address -= address % (access.width_bits / 8);
    const RequestCost cost = evaluate(wide, access, *file.architecture);
    if (cost.wavefronts == cost.ideal_wavefronts)
      return true;
  }
  return false;
}

void RowFinder::bank_conflict() {
  Finding finding = start(rule::bank_conflict);
  const Access &access = row.site->access;
  Traffic moved = traffic(row, rows, Unit::Wavefronts);
  moved.actual -= row.counts.serial_wavefronts; // which is a finding of its own
  Claim claim = this->claim(Unit::Wavefronts);
  if (may_merge(claim.request.conflict_degree))
    presume_unmerged(claim);
  of_row(finding, moved, claim);
  unsigned degree = row.counts.conflict_degree;
  if (access.operation == Operation::Atomic && row.shared_example)
    degree = worst_pileup(row.shared_example->request, access, *file.architecture).words;
  const std::uint32_t serial =
      row.shared_example ? serial_wavefronts(row.shared_example->request, access, *file.architecture) : 0;
  if (by_claim(claim)) {
    finding.message = degree_words(claim.request.conflict_degree, claim.at_least) + verb(access) + quoted(*row.site) +
                      claimed_cost(claim, Unit::Wavefronts);
  } else {
    finding.message = degree_words(degree) + verb(access) + quoted(*row.site);
    if (row.shared_example)
      finding.message +=
          worst_and_mean("takes", row.shared_example->cost.wavefronts - serial,
                         row.shared_example->cost.ideal_wavefronts, moved.actual, moved.requests, "wavefront");
  }
  if (row.shared_example)
    finding.cause = shared_cause(row.shared_example->request, row.site->access, *file.architecture);
  if (access.operation != Operation::Atomic ||
      claim.reach == Reach::Assumed) // of others, the lanes may update one word
    finding.message += where(claim);
  finding.cost = cost(*finding.traffic, claim);
  finding.hint =
      shared_hint(program, row, rows, *file.architecture, [&](const SiteRow &each) { return requests_of(each); });
  add_what_to_state(finding, claim);
  out.push_back(std::move(finding));
}

void RowFinder::copy_lines() {
  Finding finding = start(rule::copy_lines);
  const Claim claim = this->claim(Unit::Wavefronts);
  of_row(finding, traffic(row, rows, Unit::Wavefronts), claim);
  finding.message = "async copy" + quoted(*row.site) + " fills lines of shared memory piece by piece";
  if (row.shared_example) {
    const RequestCost &cost = row.shared_example->cost;
    finding.message +=
        ":" + (by_claim(claim) ? " it" + claimed_cost(claim, Unit::Wavefronts)
                               : worst_and_mean("it takes", cost.wavefronts, cost.ideal_wavefronts,
                                                row.counts.wavefronts, row.counts.requests, "wavefront"));
    if (row.global_example)
      finding.cause = plural(distinct_lines(row.global_example->request, *file.architecture), "line") +
                      " of global memory go to " +
                      plural(distinct_lines(row.shared_example->request, *file.architecture), "line") +
                      " of shared memory; a wavefront moves from one line to one line";
  }
  finding.message += where(claim);
  finding.cost = cost(*finding.traffic, claim);
  finding.hint = "make the rows of the tile a multiple of 128 bytes, and begin them on one";
  add_what_to_state(finding, claim);
  out.push_back(std::move(finding));
}

} // namespace smem
