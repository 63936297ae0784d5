#include "report/block_ranges.h"

#include <algorithm>
#include <vector>

namespace smem {
namespace {

constexpr std::size_t kMostNamed = 4;     ///< blocks in a plane
constexpr std::size_t kLeastOfARange = 4; ///< fewer are named one by one
constexpr std::size_t kMostAlternatives = 8;

/// Ascending and different.
std::string lines_of_threads(const std::vector<std::uint32_t> &x) {
  const std::uint32_t step = x.size() < kLeastOfARange ? 0 : x[1] - x[0];
  bool even = step != 0;
  for (std::size_t i = 1; even && i < x.size(); ++i)
    even = x[i] - x[i - 1] == step;
  std::string text;
  if (even)
    text = std::to_string(x.front()) + ".." + std::to_string(x.back()) + " step " + std::to_string(step);
  else
    for (std::size_t i = 0; i < std::min(x.size(), kMostAlternatives); ++i)
      text += (i ? "|" : "") + std::to_string(x[i]);
  return "(" + text + ",1,1)" +
         (even || x.size() <= kMostAlternatives ? ""
                                                : " and " + std::to_string(x.size() - kMostAlternatives) + " more");
}

} // namespace

std::string block_ranges(std::span<const Dim3> blocks) {
  std::vector<std::uint32_t> lines;
  std::vector<Dim3> planes;
  for (const Dim3 &block : blocks)
    if (block.y == 1 && block.z == 1)
      lines.push_back(block.x);
    else
      planes.push_back(block);
  std::ranges::sort(lines);
  std::string text = lines.empty() ? "" : lines_of_threads(lines);
  for (std::size_t i = 0; i < std::min(planes.size(), kMostNamed); ++i)
    text += (text.empty() ? "" : ", ") + to_string(planes[i]);
  if (planes.size() > kMostNamed)
    text += " and " + std::to_string(planes.size() - kMostNamed) + " more";
  return text;
}

} // namespace smem
