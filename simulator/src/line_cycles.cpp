#include "line_cycles.h"

#include <algorithm>
#include <array>

#include "value.h"

namespace smem {

std::uint32_t line_cycles(const Request &request) {
  constexpr std::uint64_t kSector = 32, kSectors = 4;
  std::array<std::array<std::uint64_t, 32>, kSectors> lines{}; // distinct ones, by sector
  std::array<std::uint32_t, kSectors> counts{};
  for_lanes(request.active, [&](unsigned lane) {
    const std::uint64_t sector = request.address[lane] / kSector, line = sector / kSectors;
    auto &seen = lines[sector % kSectors];
    std::uint32_t &count = counts[sector % kSectors];
    if ((count != 0 && seen[count - 1] == line) ||
        std::find(seen.begin(), seen.begin() + count, line) != seen.begin() + count)
      return;
    seen[count++] = line;
  });
  return *std::ranges::max_element(counts);
}

} // namespace smem
