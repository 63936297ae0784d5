#include "smem/pattern.h"

#include <algorithm>
#include <vector>

namespace smem {

BlockShape shape_of(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  if (x % 32 == 0)
    return BlockShape::WholeWarps;
  if (y == 1 && z == 1)
    return BlockShape::Line;
  if (x == 16 && y % 2 == 0)
    return BlockShape::Rows16;
  if (x == 8 && y % 4 == 0)
    return BlockShape::Rows8;
  if (x == 4 && y % 8 == 0)
    return BlockShape::Rows4;
  return BlockShape::Other;
}

std::uint8_t shapes_of(const BlockFacts &facts, std::uint32_t most_threads) {
  constexpr std::uint32_t kMostZ = 64;
  if (std::ranges::all_of(facts, &ArgumentFacts::empty) && most_threads >= 32)
    return kAllShapes;
  std::uint8_t shapes = 0;
  std::vector<std::uint32_t> depths; // the least z, and the least above 1: others make no other shape
  for (std::uint32_t z = 1; z <= std::min(kMostZ, most_threads) && (depths.empty() || depths.back() == 1); ++z)
    if (facts[2].admits(z))
      depths.push_back(z);
  for (std::uint32_t x = 1; x <= most_threads; ++x) {
    if (!facts[0].admits(x))
      continue;
    for (std::uint32_t y = 1; x * y <= most_threads; ++y) {
      if (!facts[1].admits(y))
        continue;
      for (const std::uint32_t z : depths)
        if (x * y * z <= most_threads)
          shapes |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(shape_of(x, y, z)));
    }
  }
  return shapes;
}

} // namespace smem
