#include "data_dependence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "lanes.h"
#include "sectors.h"

namespace smem {
namespace {

constexpr unsigned kMostLanes = kWarpSize;
constexpr std::uint64_t kFewIndices = 4096; ///< looked at one by one
constexpr std::uint64_t kEnoughIndices = 8; ///< that lanes agree by chance, pair by pair, is then too rare to be seen

/// Ways to cut j things into i groups that are not empty.
const std::array<std::array<double, kMostLanes + 1>, kMostLanes + 1> &stirling() {
  static const auto table = [] {
    std::array<std::array<double, kMostLanes + 1>, kMostLanes + 1> s{};
    s[0][0] = 1;
    for (unsigned j = 1; j <= kMostLanes; ++j)
      for (unsigned i = 1; i <= j; ++i)
        s[j][i] = i * s[j - 1][i] + s[j - 1][i - 1];
    return s;
  }();
  return table;
}

/// Ways to choose j of n lanes.
const std::array<std::array<double, kMostLanes + 1>, kMostLanes + 1> &binomial() {
  static const auto table = [] {
    std::array<std::array<double, kMostLanes + 1>, kMostLanes + 1> c{};
    for (unsigned n = 0; n <= kMostLanes; ++n) {
      c[n][0] = 1;
      for (unsigned j = 0; j < n; ++j)
        c[n][j + 1] = c[n][j] * (n - j) / (j + 1);
    }
    return c;
  }();
  return table;
}

using Chances = std::array<double, kMostLanes + 1>; ///< by number of lanes

/// The chance that j given lanes all come to this bank, which has `units` of the `total` equally likely places, and load it no
/// deeper than `depth`: in different units, or in lanes.
Chances bank_chances(double units, double total, unsigned depth, bool by_lane) {
  Chances out{};
  for (unsigned j = 0; j <= kMostLanes; ++j) {
    if (by_lane) {
      out[j] = j <= depth ? std::pow(units / total, j) : 0;
      continue;
    }
    double sum = 0;
    double product = std::pow(1 / total, j); // units * (units - 1) * ... / total^j
    for (unsigned i = 0; i <= std::min(depth, j); ++i) {
      sum += product * stirling()[j][i];
      product *= units - i;
      if (product <= 0)
        break;
    }
    out[j] = sum;
  }
  return out;
}

/// Up to so many lanes divide themselves between two groups of banks.
Chances both(const Chances &a, const Chances &b, unsigned lanes) {
  Chances out{};
  for (unsigned n = 0; n <= lanes; ++n)
    for (unsigned j = 0; j <= n; ++j)
      out[n] += binomial()[n][j] * a[j] * b[n - j];
  return out;
}

Chances none() {
  Chances out{};
  out[0] = 1;
  return out;
}

/// Memory as one phase sees it: lanes start in units of their own and move `step` units with each index.
struct Phase {
  std::vector<std::uint64_t> start; ///< by active lane
  std::uint64_t step = 1;           ///< units; 0 only if there is one index
  std::uint64_t count = 1;          ///< indices, each as likely as any other
  unsigned groups = 32;             ///< banks of a unit's size
  bool by_lane = false;             ///< lanes on one unit count again

  unsigned lanes() const { return static_cast<unsigned>(start.size()); }
  bool alike() const {
    return std::all_of(start.begin(), start.end(), [&](std::uint64_t s) { return s == start[0]; });
  }
  bool stays() const { return step % groups == 0; } ///< in its bank, whatever the index
};

/// Units that a lane finds in each bank.
std::vector<std::uint64_t> units_by_bank(const Phase &phase, std::uint64_t start) {
  std::vector<std::uint64_t> units(phase.groups);
  const std::uint64_t period = phase.groups / std::gcd<std::uint64_t>(phase.step % phase.groups, phase.groups);
  for (std::uint64_t i = 0; i < std::min(period, phase.count); ++i)
    units[(start + i * (phase.step % phase.groups)) % phase.groups] +=
        phase.count / period + (i < phase.count % period);
  return units;
}

/// Most lanes that can be in one bank, each in a unit of its own.
unsigned deepest(const Phase &phase) {
  if (phase.by_lane) {
    std::vector<unsigned> lanes(phase.groups);
    for (const std::uint64_t start : phase.start) {
      const auto units = units_by_bank(phase, start);
      for (unsigned b = 0; b < phase.groups; ++b)
        lanes[b] += units[b] > 0;
    }
    return *std::max_element(lanes.begin(), lanes.end());
  }
  if (phase.alike()) {
    const auto units = units_by_bank(phase, phase.start[0]);
    return static_cast<unsigned>(std::min<std::uint64_t>(phase.lanes(), *std::max_element(units.begin(), units.end())));
  }
  unsigned most = 0;
  for (unsigned bank = 0; bank < phase.groups; ++bank) {
    // Lanes and the units of this bank, each at most once.
    std::map<std::uint64_t, unsigned> taken; // unit -> lane
    std::vector<std::vector<std::uint64_t>> wanted(phase.lanes());
    for (unsigned lane = 0; lane < phase.lanes(); ++lane) {
      if (phase.stays() && phase.start[lane] % phase.groups != bank)
        continue;
      for (std::uint64_t i = 0; i < std::min(phase.count, kFewIndices) && wanted[lane].size() < kMostLanes; ++i) {
        const std::uint64_t unit = phase.start[lane] + i * phase.step;
        if (unit % phase.groups == bank)
          wanted[lane].push_back(unit);
      }
    }
    unsigned matched = 0;
    for (unsigned lane = 0; lane < phase.lanes(); ++lane) {
      std::vector<std::uint64_t> tried;
      auto place = [&](auto &&self, unsigned who) -> bool {
        for (const std::uint64_t unit : wanted[who]) {
          if (std::find(tried.begin(), tried.end(), unit) != tried.end())
            continue;
          tried.push_back(unit);
          const auto owner = taken.find(unit);
          if (owner == taken.end() || self(self, owner->second)) {
            taken[unit] = who;
            return true;
          }
        }
        return false;
      };
      matched += place(place, lane);
    }
    most = std::max(most, matched);
  }
  return most;
}

/// A depth that no data can go below.
unsigned shallowest(const Phase &phase) {
  if (phase.stays()) {
    std::map<std::uint64_t, std::vector<std::uint64_t>> banks;
    for (const std::uint64_t start : phase.start)
      banks[start % phase.groups].push_back(start);
    unsigned most = 0;
    for (auto &[bank, starts] : banks) {
      if (phase.by_lane) {
        most = std::max(most, static_cast<unsigned>(starts.size()));
        continue;
      }
      // Lanes can meet in one unit only if whole steps lie between them.
      if (phase.step)
        for (std::uint64_t &start : starts)
          start %= phase.step;
      std::sort(starts.begin(), starts.end());
      most = std::max(most, static_cast<unsigned>(std::unique(starts.begin(), starts.end()) - starts.begin()));
    }
    return most;
  }
  if (phase.by_lane && phase.alike()) {
    const auto units = units_by_bank(phase, phase.start[0]);
    const auto reached =
        static_cast<unsigned>(std::count_if(units.begin(), units.end(), [](std::uint64_t u) { return u > 0; }));
    return (phase.lanes() + reached - 1) / reached;
  }
  return 1;
}

using UnitCounts = std::map<std::uint64_t, unsigned>; ///< how many banks have so many of the units

/// The mean depth of lanes that all have the same places to go to. Kept: it takes a million multiplications, and a loop asks again and again.
double depth_of_alike_lanes(const UnitCounts &banks, std::uint64_t total, unsigned lanes, bool by_lane) {
  constexpr std::size_t kMostKept = 1024;
  static thread_local std::map<std::tuple<UnitCounts, std::uint64_t, unsigned, bool>, double> kept;
  const auto key = std::tuple(banks, total, lanes, by_lane);
  if (const auto known = kept.find(key); known != kept.end())
    return known->second;
  double mean = 0;
  for (unsigned depth = 0; depth < lanes; ++depth) {
    Chances all = none();
    for (const auto &[units, number] : banks) {
      const Chances one = bank_chances(static_cast<double>(units), static_cast<double>(total), depth, by_lane);
      for (unsigned i = 0; i < number; ++i)
        all = both(all, one, lanes);
    }
    mean += 1 - std::min(1.0, all[lanes]);
  }
  if (kept.size() >= kMostKept)
    kept.clear();
  return kept[key] = mean;
}

/// The mean depth.
std::optional<double> expected_depth(const Phase &phase) {
  const unsigned lanes = phase.lanes();
  if (phase.stays()) {
    std::map<std::uint64_t, std::vector<std::uint64_t>> banks;
    for (const std::uint64_t start : phase.start)
      banks[start % phase.groups].push_back(start);
    for (const auto &[bank, starts] : banks)
      if (!phase.by_lane && starts.size() > 1 &&
          std::any_of(starts.begin(), starts.end(), [&](std::uint64_t s) { return s != starts[0]; }))
        return std::nullopt;
    double mean = 0;
    for (unsigned depth = 0; depth < lanes; ++depth) {
      double within = 1;
      for (const auto &[bank, starts] : banks)
        within *= bank_chances(static_cast<double>(phase.count), static_cast<double>(phase.count), depth,
                               phase.by_lane)[starts.size()];
      mean += 1 - within;
    }
    return mean;
  }
  if (!phase.alike())
    return std::nullopt;
  UnitCounts banks;
  for (const std::uint64_t units : units_by_bank(phase, phase.start[0]))
    if (units)
      ++banks[units];
  return depth_of_alike_lanes(banks, phase.count, lanes, phase.by_lane);
}

/// May data make each lane of `group` want the unit of `distance` lanes further on, or before? Whole steps have to lie between them.
bool neighbours_may_agree(const DataRequest &request, std::uint64_t unit, LaneMask group, unsigned distance) {
  bool may = true;
  for_lanes(request.active & group, [&](unsigned lane) {
    const unsigned other = lane ^ distance;
    if (other < lane || !(request.active >> other & 1))
      return;
    const std::int64_t apart = request.base[other] - request.base[lane];
    may &= static_cast<std::uint64_t>(request.scale) < unit || apart % request.scale == 0;
  });
  return may;
}

/// Whether phases of a wide load may become one wavefront: where all of its lanes, or those of a half, agree with their neighbours.
bool may_merge(const DataRequest &request, std::uint64_t unit) {
  const auto may = [&](LaneMask group) {
    return neighbours_may_agree(request, unit, group, 1) || neighbours_may_agree(request, unit, group, 2);
  };
  return unit == 8 ? may(kFullMask) : may(lane_range(0, 16)) || may(lane_range(16, 16));
}

std::optional<DataCost> shared_data_cost(const DataRequest &request, const Access &access,
                                         const Architecture &architecture) {
  unsigned passes = 1;
  bool by_lane = false;
  if (access.operation == Operation::Atomic) {
    const AtomicRule &rule = architecture.rules.shared_atomic(static_cast<std::size_t>(access.atomic),
                                                              access.width_bits, access.result_used);
    passes = rule.passes;
    by_lane = rule.service == AtomicService::LaneByLane;
  } else if (access.operation != Operation::Load && access.operation != Operation::Store) {
    return std::nullopt;
  }
  const std::uint64_t unit = std::max<std::uint64_t>(access.width_bits / 8, 4);
  const auto scale = static_cast<std::uint64_t>(request.scale);
  // Several indices may share a unit, if they fill it.
  const bool narrow = scale < unit;
  if (scale % unit != 0 && (!narrow || unit % scale != 0))
    return std::nullopt;
  bool whole = true;
  for_lanes(request.active,
            [&](unsigned lane) { whole &= static_cast<std::uint64_t>(request.base[lane]) % unit == 0; });
  if (narrow && !whole)
    return std::nullopt;
  const std::uint64_t per_unit = narrow ? unit / scale : 1;
  const bool even = request.count % per_unit == 0;

  DataCost cost;
  cost.expected_degree = cost.expected_wavefronts = 0.0;
  const bool merges = access.operation == Operation::Load && unit > 4 &&
                      architecture.rules.wide_loads != WideLoads::Split && may_merge(request, unit);
  bool fixed = !merges || request.count == 1;
  const unsigned phase_lanes = static_cast<unsigned>(128 / unit);
  unsigned phases = 0;
  for (unsigned first = 0; first < kWarpSize; first += phase_lanes) {
    Phase phase;
    phase.groups = phase_lanes;
    phase.by_lane = by_lane;
    phase.step = narrow ? 1 : scale / unit;
    phase.count = (request.count + per_unit - 1) / per_unit;
    for_lanes(request.active & lane_range(first, phase_lanes), [&](unsigned lane) {
      phase.start.push_back((static_cast<std::uint64_t>(request.base[lane]) & 0xffffffffu) / unit);
    });
    if (phase.start.empty())
      continue;
    ++phases;
    const unsigned least = shallowest(phase), most = deepest(phase);
    fixed &= least == most;
    cost.conflict_degree = {std::max(cost.conflict_degree.least, least), std::max(cost.conflict_degree.most, most)};
    cost.wavefronts.least += least * passes;
    cost.wavefronts.most += most * passes;
    const auto mean = even && (!merges || phase.count >= kEnoughIndices) ? expected_depth(phase) : std::nullopt;
    if (mean && cost.expected_wavefronts)
      *cost.expected_wavefronts += *mean * passes;
    else
      cost.expected_wavefronts.reset();
    cost.expected_degree = mean;
  }
  if (phases > 1)
    cost.expected_degree.reset(); // the deepest of several phases
  if (merges)
    cost.wavefronts.least = 1;
  cost.always_the_same = fixed;
  return cost;
}

std::optional<DataCost> global_data_cost(const DataRequest &request, const Access &access) {
  if (access.operation == Operation::AsyncCopy)
    return std::nullopt;
  constexpr std::uint64_t kSector = kSectorBytes;
  const auto lanes = static_cast<unsigned>(std::popcount(request.active));
  const auto scale = static_cast<std::uint64_t>(request.scale);
  const std::int64_t first = request.base[first_lane(request.active)];
  bool alike = true;
  for_lanes(request.active, [&](unsigned lane) { alike &= request.base[lane] == first; });
  DataCost cost;
  cost.sectors = {1, lanes};
  if (request.count <= kFewIndices) {
    // The chance that no lane comes to a sector.
    std::map<std::int64_t, double> missed;
    for_lanes(request.active, [&](unsigned lane) {
      std::map<std::int64_t, std::uint64_t> own;
      for (std::uint64_t u = 0; u < request.count; ++u)
        ++own[(request.base[lane] + static_cast<std::int64_t>(u * scale)) >> 5];
      for (const auto &[sector, times] : own)
        missed.try_emplace(sector, 1.0).first->second *=
            1 - static_cast<double>(times) / static_cast<double>(request.count);
    });
    double mean = 0;
    for (const auto &[sector, chance] : missed)
      mean += 1 - chance;
    cost.expected_sectors = mean;
    cost.sectors.most = static_cast<std::uint32_t>(std::min<std::size_t>(lanes, missed.size()));
  } else if (alike && (scale >= kSector || (kSector % scale == 0 && static_cast<std::uint64_t>(first) % kSector == 0 &&
                                            request.count % (kSector / scale) == 0))) {
    const double sectors = static_cast<double>(scale >= kSector ? request.count : request.count / (kSector / scale));
    cost.expected_sectors = -sectors * std::expm1(lanes * std::log1p(-1 / sectors));
    cost.sectors.most = static_cast<std::uint32_t>(std::min<double>(lanes, sectors));
  }
  return cost;
}

} // namespace

std::optional<DataCost> data_cost(const DataRequest &request, const Access &access, const Architecture &architecture) {
  if (!request.active || request.scale <= 0 || request.count == 0 || !unsupported_reason(access, architecture).empty())
    return std::nullopt;
  return access.space == Space::Shared ? shared_data_cost(request, access, architecture)
                                       : global_data_cost(request, access);
}

const std::optional<DataCost> &DataCosts::of(DataRequest request, const Access &access,
                                             const Architecture &architecture) {
  std::int64_t lowest = INT64_MAX;
  for_lanes(request.active, [&](unsigned lane) { lowest = std::min(lowest, request.base[lane]); });
  // Banks and sectors repeat; what is negative wraps around elsewhere.
  const std::int64_t whole = request.active && lowest >= 0 ? lowest / 128 * 128 : 0;
  std::vector<std::int64_t> key{static_cast<std::int64_t>(access.space),
                                static_cast<std::int64_t>(access.operation),
                                access.width_bits,
                                static_cast<std::int64_t>(access.atomic),
                                access.result_used,
                                request.active,
                                request.scale,
                                static_cast<std::int64_t>(request.count)};
  for_lanes(request.active, [&](unsigned lane) {
    request.base[lane] -= whole;
    key.push_back(request.base[lane]);
  });
  const auto [entry, fresh] = known_.try_emplace(std::move(key));
  if (fresh)
    entry->second = data_cost(request, access, architecture);
  return entry->second;
}

} // namespace smem
