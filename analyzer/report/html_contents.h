// The table of contents of the HTML report: kernels and their launches with sums.
#pragma once

#include "report/html_data.h"
#include "report/launch_floor.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smem {

/// Of one unit, over launches.
struct HtmlSum {
  std::uint64_t actual = 0, excess = 0;
  bool at_least = false; ///< some requests are not known and not counted
  bool assumed = false;  ///< rests on something that was assumed

  void add(const HtmlSum &other);
  double avoidable() const { return actual ? static_cast<double>(excess) / static_cast<double>(actual) : 0; }
};

struct HtmlSums {
  HtmlSum wavefronts, sectors;
  void add(const HtmlSums &other);
};

struct HtmlLaunch {
  std::size_t file = 0, launch = 0;
  std::string text; ///< instantiation, grid, block, architecture
  HtmlSums sums;
  std::optional<LaunchFloor> floor;
};

/// Instantiations of a template are one.
struct HtmlKernel {
  std::string name;
  SourceLocation location;
  std::size_t errors = 0, warnings = 0, notes = 0; ///< findings; one in several instantiations counts once
  HtmlSums sums;
  std::vector<HtmlLaunch> launches; ///< those with most to avoid first
};

/// Those with errors first, then with warnings, then by what part of their traffic is avoidable.
std::vector<HtmlKernel> html_kernels(const Report &report, const std::vector<HtmlSite> &sites);

/// By (file, launch): the launch's number on the page, counted over the kernels in their order.
std::map<std::pair<std::size_t, std::size_t>, std::size_t> launch_numbers(const std::vector<HtmlKernel> &kernels);

/// The table, in markup.
std::string contents_table(const std::vector<HtmlKernel> &kernels);

} // namespace smem
