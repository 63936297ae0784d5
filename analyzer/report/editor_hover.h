// What an editor shows at one access: a short label beside it, and a page below the cursor.
#pragma once

#include "report/report.h"
#include "report/site_rows.h"

#include <string>
#include <vector>

namespace smem {

/// A row in one launch.
struct PlacedRow {
  const FileAnalysis *file = nullptr;
  const LaunchAnalysis *launch = nullptr;
  SiteRow row;
};

/// What the rows of one place cost, over all launches, instantiations and operations: `8-way`, `4 sectors`, `2 to 8-way, assumed`. Empty: no lane comes there.
std::string access_label(const std::vector<PlacedRow> &rows);

/// Some of them cost more than they have to.
bool is_costly(const std::vector<PlacedRow> &rows);

/// The page, in Markdown: counts of each launch, what holds in all launches, the costliest request as lanes × banks or lines × sectors.
std::string access_page(const std::vector<PlacedRow> &rows);

/// What an expectation of the line may say that has these rows: `degree<=8, sectors/request<=4`. Empty where a figure is not exact.
std::string expectable(const std::vector<PlacedRow> &rows);

} // namespace smem
