// Findings about sectors of global memory: uncoalesced and narrow accesses.
#include "report/row_finder.h"

#include "report/format.h"
#include "report/hints.h"
#include "report/lanes.h"
#include "report/sector_texts.h"

namespace smem {

void RowFinder::narrow() {
  if (loads_parts_of_neighbours())
    return;
  Finding finding = start(rule::narrow_access);
  const Claim claim = this->claim(Unit::Sectors);
  of_row(finding, traffic(row, rows, Unit::Sectors), claim);
  finding.message = "narrow " + verb(row.site->access) + quoted(*row.site) + " uses " + own_use(*row.sector_use) +
                    " of its sectors, with the accesses next to it " + whole_use(*row.sector_use);
  if (row.global_example) {
    Access access = row.site->access;
    access.space = Space::Global;
    finding.cause = global_cause(row.global_example->request, access, row.global_example->cost, *file.architecture);
  }
  finding.cause += finding.cause.empty() ? "" : "; ";
  finding.cause += row.site->access.operation == Operation::Store ? "L2 merges what each of these stores sends"
                                                                  : "L1 fetches them once for all of these accesses";
  if (claim.reach == Reach::Assumed)
    finding.message += where(claim);
  finding.cost = cost(*finding.traffic, claim);
  finding.hint = narrow_hint(row);
  add_what_to_state(finding, claim);
  out.push_back(std::move(finding));
}

/// Neighbouring lanes load neighbouring numbers, of which nvcc loads a part: nothing is left to improve.
bool RowFinder::loads_parts_of_neighbours() const {
  const std::int64_t width = row.site->access.width_bits / 8;
  const std::optional<std::int64_t> element = element_bytes(row, program);
  return row.site->access.operation == Operation::Load && row.global_example && element && *element > width &&
         lane_stride(row.global_example->request) == element;
}

void RowFinder::uncoalesced() {
  if (loads_parts_of_neighbours())
    return;
  Finding finding = start(rule::uncoalesced);
  const Claim claim = this->claim(Unit::Sectors);
  of_row(finding, traffic(row, rows, Unit::Sectors), claim);
  finding.message = "uncoalesced " + verb(row.site->access) + quoted(*row.site);
  Access access = row.site->access;
  access.space = Space::Global;
  if (row.global_example) {
    const RequestCost &cost = row.global_example->cost;
    finding.message += by_claim(claim) ? claimed_cost(claim, Unit::Sectors)
                                       : worst_and_mean("moves", cost.sectors, cost.ideal_sectors, row.counts.sectors,
                                                        row.counts.requests, "sector");
    finding.cause = global_cause(row.global_example->request, access, cost, *file.architecture);
    if (const std::string use = use_text(row); !use.empty())
      finding.cause += "; " + use;
  }
  finding.message += where(claim);
  finding.cost = cost(*finding.traffic, claim);
  finding.hint = global_hint(row, program);
  add_what_to_state(finding, claim);
  out.push_back(std::move(finding));
}

} // namespace smem
