// Figures as every format prints them. What is not known is no number: formats for programs write null, those for people "?".
#pragma once

#include "report/site_rows.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace smem {

struct Figure {
  std::optional<std::uint64_t> value; ///< empty: nothing is known
  bool at_least = false;              ///< a lower bound: some requests are not known

  std::optional<std::uint64_t> known() const { return at_least ? std::nullopt : value; }
};

std::string to_string(const Figure &figure); ///< "1,024", ">=1,024", "?"
std::string ratio(const Figure &actual,
                  const Figure &ideal); ///< "1.25x", "-" without an ideal, "?" unless both are known

/// The sums of a row or of several over one launch, and the highest degree.
struct Figures {
  Figure requests, wavefronts, ideal_wavefronts, conflict_degree, sectors, ideal_sectors, tags;
};

/// By the names that they have in JSON.
inline constexpr std::array<std::pair<const char *, Figure Figures::*>, 7> kFigures{
    {{"requests", &Figures::requests},
     {"wavefronts", &Figures::wavefronts},
     {"ideal_wavefronts", &Figures::ideal_wavefronts},
     {"conflict_degree", &Figures::conflict_degree},
     {"sectors", &Figures::sectors},
     {"ideal_sectors", &Figures::ideal_sectors},
     {"tags", &Figures::tags}}};

/// `complete`: every request is counted. Of incomplete counts 0 says nothing, and any other number is a lower bound.
Figures figures(const Counts &counts, bool complete);
Figures figures(const SiteRow &row);

/// Sums over the rows of a space; lower bounds where one of them is not known.
Figures total_figures(std::span<const SiteRow> rows, Space space);

enum class Unit : std::uint8_t { Wavefronts, Sectors };

/// What an access moves, beside all accesses of its kernel, over one launch.
struct Traffic {
  Unit unit = Unit::Wavefronts;
  std::uint64_t requests = 0, actual = 0, ideal = 0; ///< of the access
  std::uint64_t kernel = 0;     ///< the unit's sum over all accesses of the kernel, this one included
  bool at_least = false;        ///< some requests of the access are not known and not counted
  bool kernel_at_least = false; ///< the same of the kernel

  std::uint64_t excess() const { return actual > ideal ? actual - ideal : 0; }
  double share() const { return of_kernel(actual); }       ///< what part of the kernel's is the access, 0 to 1
  double avoidable() const { return of_kernel(excess()); } ///< what part of the kernel's goes with the excess, 0 to 1

private:
  double of_kernel(std::uint64_t part) const {
    return kernel ? static_cast<double>(part) / static_cast<double>(kernel) : 0;
  }
};

Traffic traffic(const SiteRow &row, std::span<const SiteRow> rows, Unit unit);

std::string_view to_string(Unit unit); ///< "wavefronts", "sectors"

/// "87%"; what is not 0 or 100% does not become it by rounding: "<1%", ">99%".
std::string percent(double share);

/// `268,435,456 wavefronts where 33,554,432 are enough (8x) in 8,388,608 requests`
std::string traffic_text(const Traffic &traffic);

/// `93% of all wavefronts of gemm, 82% of all avoidable`
std::string share_text(const Traffic &traffic, std::string_view kernel);

} // namespace smem
