#include "lane_cases.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "case_conditions.h"
#include "row_cases.h"

namespace smem::pattern {
namespace {

constexpr std::size_t kMostCases = 12;
constexpr std::size_t kMostMasks = 8;

/// The lanes of each request that may be made.
struct Masks {
  std::vector<LaneMask> all;
  bool maybe = false; ///< it is one, and there are requests of some of its lanes, too
};

/// Where no two lanes are on together but those of one group, which are always: each of these groups.
std::optional<std::vector<LaneMask>> masks_of_rivals(const Activity &activity) {
  std::map<int, LaneMask> groups;
  bool each = true; // is in one
  for_lanes(activity.possible, [&](unsigned lane) {
    each &= activity.rival[lane] != 0;
    groups[activity.rival[lane]] |= 1u << lane;
  });
  std::vector<LaneMask> masks;
  for (const auto &[rival, lanes] : groups) {
    const int first = activity.when[static_cast<unsigned>(std::countr_zero(lanes))];
    each &= std::has_single_bit(lanes) || (first != Activity::kMaybe && activity.with(first) == lanes);
    masks.push_back(lanes);
  }
  return each ? std::optional(std::move(masks)) : std::nullopt;
}

Masks masks_of(const Activity &activity) {
  Masks out;
  if (auto rivals = masks_of_rivals(activity))
    return {*std::move(rivals), false};
  std::vector<int> groups; // of lanes that are on together
  for_lanes(activity.possible, [&](unsigned lane) {
    if (activity.when[lane] == Activity::kMaybe)
      out.maybe = true;
    else if (activity.when[lane] != Activity::kOn &&
             std::find(groups.begin(), groups.end(), activity.when[lane]) == groups.end())
      groups.push_back(activity.when[lane]);
  });
  if (out.maybe || (std::size_t{1} << groups.size()) > kMostMasks)
    return {{activity.possible}, true};
  for (std::size_t choice = 0; choice < std::size_t{1} << groups.size(); ++choice) {
    LaneMask mask = activity.with(Activity::kOn);
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (choice >> g & 1)
        mask |= activity.with(groups[g]);
    if (mask)
      out.all.push_back(mask);
  }
  return out;
}

/// As one case if they are many.
Priced few(Cases all) {
  if (all.size() > kMostCases)
    return Cases{upper_bound(all)};
  return all;
}

/// Of requests of either of these lanes.
Cases of_any(const std::vector<LaneMask> &masks, const std::vector<Cases> &by_mask) {
  if (std::ranges::all_of(by_mask, [&](const Cases &own) { return own == by_mask[0]; }))
    return by_mask.empty() ? Cases{} : by_mask[0];
  Cases all;
  for (std::size_t m = 0; m < masks.size(); ++m)
    for (PatternCase c : by_mask[m]) {
      c.when.push_back(condition_on_lanes(PatternCondition::Kind::Lanes, masks[m]));
      all.push_back(std::move(c));
    }
  return all;
}

/// What no request of some of the lanes exceeds, as fewer lanes cost no more than all of them.
PatternCase most_of_fewer(const Table &table, LaneMask mask, const Costs &costs) {
  PatternCase most;
  std::string failure; // none: only copies fail, which are their own bound
  const Access bound = bounding(table.access());
  const bool itself = bound == table.access();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Lanes at = table.addresses(row);
    std::size_t i = 0;
    for (const std::uint32_t shift : table.side().shifts)
      for (const std::uint32_t from : table.source().shifts) {
        const auto &full = costs[row][i++];
        if (!full)
          continue;
        raise(most, *full);
        if (!itself)
          if (const auto more = table.cost(at, shift, from, mask, bound, failure))
            raise(most, *more);
      }
  }
  most.at_most = true;
  return most;
}

/// Whether each lane alone costs this, and so any of the lanes do that cost no more than all of them. `failure`: no rule says.
bool costs_one_lane(const PatternCase &exact, const Table &table, LaneMask mask, std::string &failure) {
  const Access &access = table.access();
  // What one lane costs depends on where its address is aligned only, but for copies and for instructions of several matrices.
  const bool lanes_alike = !table.is_copy() && !access.matrices;
  const std::uint64_t width = std::max<std::uint64_t>(access.width_bits / 8, 1);
  bool costs_it = true;
  std::optional<PatternCase> of_one_lane;
  for (std::size_t row = 0; costs_it && row < table.rows(); ++row) {
    const Lanes at = table.addresses(row);
    for (const std::uint32_t shift : table.side().shifts)
      for (const std::uint32_t from : table.source().shifts)
        for_lanes(costs_it ? mask : 0, [&](unsigned lane) {
          if (!costs_it)
            return;
          if (lanes_alike && of_one_lane) {
            costs_it = (static_cast<std::uint64_t>(at[lane]) + shift) % width == 0;
            return;
          }
          of_one_lane = table.cost(at, shift, from, 1u << lane, access, failure);
          costs_it = of_one_lane && of_one_lane->same_cost(exact);
        });
  }
  return costs_it;
}

/// Of requests of these lanes, of which `whole` are the cases, or of some of them.
Priced with_fewer_lanes(const Table &table, LaneMask mask, const Costs &costs, Cases whole) {
  // Fewer lanes cost no more than these, and no less than one of them does.
  std::string failure;
  PatternCase most = most_of_fewer(table, mask, costs);
  const bool is_one_figure = whole.size() == 1 && !whole[0].at_most;
  const bool least_is_most = is_one_figure && costs_one_lane(whole[0], table, mask, failure);
  if (!failure.empty())
    return because(failure);
  PatternCase bound_of_whole = whole[0];
  bound_of_whole.at_most = true;
  if (least_is_most && most.same_cost(bound_of_whole))
    return few(std::move(whole));
  for (PatternCase &c : whole)
    if (!c.at_most)
      c.when.push_back(condition_on_lanes(PatternCondition::Kind::Lanes, mask));
  most.when.push_back(condition_on_lanes(PatternCondition::Kind::FewerLanes, mask));
  whole.push_back(std::move(most));
  return few(std::move(whole));
}

} // namespace

Priced cases_of_lanes(const Table &table) {
  const Masks masks = masks_of(table.activity());
  if (masks.maybe && table.is_copy() && table.access().bypass_l1)
    return because("whether all lanes of the asynchronous copy are active is not known");
  if (masks.all.size() * table.rows() * table.side().shifts.size() * table.source().shifts.size() > kMostRequests)
    return because("too many requests would have to be looked at");
  Costs costs; // of the last mask
  std::vector<Cases> by_mask;
  for (const LaneMask mask : masks.all) {
    if (auto why = table.costs(mask, costs))
      return *std::move(why);
    Priced own = cases_of_rows(table, mask, costs);
    if (auto *why = std::get_if<Why>(&own))
      return std::move(*why);
    by_mask.push_back(std::get<Cases>(std::move(own)));
  }
  if (masks.maybe)
    return with_fewer_lanes(table, masks.all[0], costs, std::move(by_mask[0]));
  return few(of_any(masks.all, by_mask));
}

} // namespace smem::pattern
