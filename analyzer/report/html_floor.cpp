#include "report/html_floor.h"

#include "sinks/escape.h"

#include <algorithm>

namespace smem {

std::string floor_picture(const LaunchFloor &launch) {
  constexpr std::size_t kMost = 5;
  constexpr std::uint64_t kLabel = 96, kLongest = 160, kTime = 64, kHeight = 12, kBar = 8;
  const std::vector<ResourceFloor> &units = launch.floor.resources;
  std::string out = "<div class=\"soft floor\">floor: " + sinks::markup(floor_text(launch)) +
                    (launch.floor.assumed || launch.assumed_launch ? ", assumed" : "") + "</div>";
  if (units.empty() || units.front().cycles == 0)
    return out;
  const std::size_t shown = std::min(units.size(), kMost);
  out += "<svg class=\"units\" role=\"img\" width=\"" + std::to_string(kLabel + kLongest + kTime) + "\" height=\"" +
         std::to_string(shown * kHeight) + "\"><title>What each unit takes at least</title>";
  for (std::size_t i = 0; i < shown; ++i) {
    const double part = static_cast<double>(units[i].cycles) / static_cast<double>(units.front().cycles);
    const auto length = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(part * kLongest + 0.5));
    const std::string base = std::to_string(i * kHeight + kBar + 1);
    out += "<text x=\"0\" y=\"" + base + "\">" + std::string(to_string(units[i].resource)) + "</text><rect class=\"" +
           (i == 0 ? "meets" : "cell") + "\" x=\"" + std::to_string(kLabel) + "\" y=\"" +
           std::to_string(i * kHeight + 1) + "\" width=\"" + std::to_string(length) + "\" height=\"" +
           std::to_string(kBar) + "\"/><text x=\"" + std::to_string(kLabel + length + 4) + "\" y=\"" + base + "\">" +
           duration_text(units[i].ns) + "</text>";
  }
  return out + "</svg>";
}

} // namespace smem
