#include "line_cycles.h"

#include <algorithm>
#include <array>

#include "sectors.h"
#include "value.h"

namespace smem {

std::uint32_t line_cycles(const Request &request) {
  std::array<std::array<std::uint64_t, 32>, kSectorsOfLine> lines{}; // distinct ones, by sector
  std::array<std::uint32_t, kSectorsOfLine> counts{};
  for_lanes(request.active, [&](unsigned lane) {
    const std::uint64_t sector = request.address[lane] / kSectorBytes, line = sector / kSectorsOfLine;
    auto &seen = lines[sector % kSectorsOfLine];
    std::uint32_t &count = counts[sector % kSectorsOfLine];
    if ((count != 0 && seen[count - 1] == line) ||
        std::find(seen.begin(), seen.begin() + count, line) != seen.begin() + count)
      return;
    seen[count++] = line;
  });
  return *std::ranges::max_element(counts);
}

} // namespace smem
