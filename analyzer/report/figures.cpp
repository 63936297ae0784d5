#include "report/figures.h"

#include "report/format.h"

#include <algorithm>

namespace smem {

std::string to_string(const Figure &figure) {
  return figure.value ? (figure.at_least ? ">=" : "") + thousands(*figure.value) : "?";
}

std::string ratio(const Figure &actual, const Figure &ideal) {
  return actual.known() && ideal.known() ? ratio(*actual.value, *ideal.value) : "?";
}

Figures figures(const Counts &counts, bool complete) {
  const auto figure = [complete](std::uint64_t value) {
    return Figure{complete || value != 0 ? std::optional(value) : std::nullopt, !complete};
  };
  return {figure(counts.requests),
          figure(counts.wavefronts),
          figure(counts.ideal_wavefronts),
          figure(counts.conflict_degree),
          figure(counts.sectors),
          figure(counts.ideal_sectors),
          figure(counts.tags)};
}

Figures figures(const SiteRow &row) { return figures(row.counts, row.verdict != Verdict::Unknown); }

Figures total_figures(std::span<const SiteRow> rows, Space space) {
  Counts sum;
  bool complete = true;
  for (const SiteRow &row : rows)
    if (space == Space::Shared ? row.moves_shared : row.moves_global) {
      sum += row.counts;
      complete &= row.verdict != Verdict::Unknown;
    }
  return figures(sum, complete);
}

Traffic traffic(const SiteRow &row, std::span<const SiteRow> rows, Unit unit) {
  const auto [actual, ideal] = unit == Unit::Wavefronts ? std::pair(&Counts::wavefronts, &Counts::ideal_wavefronts)
                                                        : std::pair(&Counts::sectors, &Counts::ideal_sectors);
  Traffic traffic{unit, row.counts.requests, row.counts.*actual, row.counts.*ideal, 0, row.verdict == Verdict::Unknown,
                  false};
  for (const SiteRow &other : rows)
    if (unit == Unit::Wavefronts ? other.moves_shared : other.moves_global) {
      traffic.kernel += other.counts.*actual;
      traffic.kernel_at_least |= other.verdict == Verdict::Unknown;
    }
  return traffic;
}

std::string_view to_string(Unit unit) { return unit == Unit::Wavefronts ? "wavefronts" : "sectors"; }

std::string percent(double share) {
  const double value = 100 * share;
  if (value > 0 && value < 1)
    return "<1%";
  if (value > 99 && value < 100)
    return ">99%";
  return std::to_string(static_cast<int>(value + 0.5)) + "%";
}

std::string traffic_text(const Traffic &traffic) {
  const std::string_view unit = to_string(traffic.unit);
  return plural(traffic.actual, unit.substr(0, unit.size() - 1)) + " where " + thousands(traffic.ideal) +
         (traffic.ideal == 1 ? " is enough (" : " are enough (") + ratio(traffic.actual, traffic.ideal) + ") in " +
         plural(traffic.requests, traffic.at_least ? "known request" : "request");
}

std::string share_text(const Traffic &traffic, std::string_view kernel) {
  // Of a kernel with unknown accesses only what is known can be divided by.
  const std::string all = traffic.kernel_at_least ? "all known" : "all", unit(to_string(traffic.unit));
  return percent(traffic.share()) + " of " + all + " " + unit + " of " + std::string(kernel) + "; " +
         percent(traffic.avoidable()) + " avoidable here";
}

} // namespace smem
