#include "row_cases.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "case_conditions.h"

namespace smem::pattern {
namespace {

constexpr std::size_t kMostRowGroups = 6;

using RowGroup = std::vector<std::size_t>; ///< rows that cost the same, whatever the shift

/// Shifts (indices into a row's costs) that cost the same in all rows of a group.
struct ShiftGroup {
  PatternCase figures;
  std::vector<std::size_t> members;
};

bool is_same_where_known(const Costs::value_type &a, const Costs::value_type &b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] && b[i] && !a[i]->same_cost(*b[i]))
      return false;
  return true;
}

class RowCases {
public:
  RowCases(const Table &table, LaneMask mask, const Costs &costs)
      : table_(table), mask_(mask), costs_(costs), spreads_(table.spreads()), told_(table.rows(), false) {
    group_rows();
  }

  Priced find() {
    if (groups_.empty())
      return because("no address of the access is a multiple of its width");
    Cases out;
    bool bounded_near = false;
    if (groups_.size() > kMostRowGroups && spreads_.size() == 1 && spreads_[0].near_count < table_.rows()) {
      out.push_back(bound_near_rows());
      bounded_near = true;
    }
    for (const RowGroup &group : groups_) {
      std::vector<PatternCondition> rows;
      if (groups_.size() > 1 || bounded_near)
        rows.push_back(spreads_.size() == 1 ? row_condition(group) : joint_condition());
      const std::vector<ShiftGroup> shifts = group_shifts(group);
      for (std::size_t s = 0; s < shifts.size(); ++s) {
        PatternCase c = shifts[s].figures;
        c.when = rows;
        if (shifts.size() > 1)
          c.when.push_back(shift_condition(shifts, s));
        out.push_back(std::move(c));
      }
    }
    return out;
  }

private:
  void group_rows() {
    Costs of_groups; // what any of its rows costs: those that do agree
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const auto &own = costs_[row];
      if (std::none_of(own.begin(), own.end(), [](const auto &c) { return c.has_value(); }))
        continue; // it faults
      const auto group = static_cast<std::size_t>(
          std::ranges::find_if(of_groups, [&](const auto &g) { return is_same_where_known(g, own); }) -
          of_groups.begin());
      if (group == groups_.size()) {
        groups_.emplace_back();
        of_groups.push_back(own);
      }
      groups_[group].push_back(row);
      told_[row] = true;
      for (std::size_t i = 0; i < own.size(); ++i)
        if (!of_groups[group][i])
          of_groups[group][i] = own[i];
    }
  }

  std::vector<ShiftGroup> group_shifts(const RowGroup &group) const {
    std::vector<ShiftGroup> out;
    for (std::size_t i = 0; i < table_.side().shifts.size() * table_.source().shifts.size(); ++i) {
      const PatternCase *cost = nullptr;
      for (const std::size_t row : group)
        if (costs_[row][i])
          cost = &*costs_[row][i];
      if (!cost)
        continue;
      auto same = std::ranges::find_if(out, [&](const ShiftGroup &g) { return g.figures.same_cost(*cost); });
      if (same == out.end())
        same = out.insert(out.end(), ShiftGroup{*cost, {}});
      same->members.push_back(i);
    }
    return out;
  }

  /// The first active lane's address is what can be seen of a request.
  PatternCondition shift_condition(const std::vector<ShiftGroup> &groups, std::size_t which) const {
    if (!spreads_.empty())
      return joint_condition();
    const Side &side = table_.side(), &source = table_.source();
    std::vector<std::vector<std::uint32_t>> own, from;
    for (const ShiftGroup &group : groups) {
      own.emplace_back();
      from.emplace_back();
      for (const std::size_t i : group.members) {
        own.back().push_back(side.shifts[i / source.shifts.size()]);
        from.back().push_back(source.shifts[i % source.shifts.size()]);
      }
    }
    const unsigned lane = first_lane(mask_);
    if (auto condition = condition_on_address(PatternCondition::Kind::Address, own, which,
                                              static_cast<std::uint64_t>(side.base[lane])))
      return *std::move(condition);
    if (auto condition = condition_on_address(PatternCondition::Kind::Source, from, which,
                                              static_cast<std::uint64_t>(source.base[lane])))
      return *std::move(condition);
    return joint_condition();
  }

  /// The values from 0 on beyond which each costs what its like does that is far from 0.
  std::int64_t nearest_alike() const {
    const Spread &s = spreads_[0];
    const std::int64_t modulus = s.modulus;
    std::vector<std::size_t> group_of(table_.rows(), groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const std::size_t row : groups_[g])
        group_of[row] = g;
    std::int64_t end = 0;
    for (std::size_t row = 0; row < s.near_count; ++row) {
      const std::int64_t rest = (s.values[row] % modulus + modulus) % modulus;
      bool alike = !told_[row];
      for (std::size_t far = s.near_count; far < table_.rows(); ++far)
        alike |= s.values[far] % modulus == rest && group_of[far] == group_of[row];
      if (!alike)
        end = std::max(end, std::abs(s.values[row]) + 1);
    }
    return end;
  }

  /// Small values of the quantity, of which nearly each costs something else, become one case with a bound.
  PatternCase bound_near_rows() {
    const Spread &s = spreads_[0];
    PatternCase most;
    RowGroup near;
    const std::int64_t end = nearest_alike();
    const auto is_near = [&](std::size_t row) { return row < s.near_count && std::abs(s.values[row]) < end; };
    for (std::size_t row = 0; row < s.near_count; ++row) {
      if (!is_near(row))
        continue;
      near.push_back(row);
      for (const auto &cost : costs_[row])
        if (cost)
          raise(most, *cost);
    }
    for (RowGroup &group : groups_)
      std::erase_if(group, is_near);
    std::erase_if(groups_, [](const RowGroup &group) { return group.empty(); });
    most.at_most = true;
    most.when = {row_condition(near)};
    return most;
  }

  PatternCondition row_condition(const RowGroup &group) const {
    const Spread &s = spreads_[0];
    PatternCondition c = condition_on(*s.quantity);
    c.modulus = s.modulus;
    std::vector<std::int64_t> near;
    for (const std::size_t row : group) {
      if (row < s.near_count)
        near.push_back(s.values[row]);
      else
        c.remainders.push_back(static_cast<std::uint32_t>(s.values[row] % s.modulus));
    }
    std::sort(c.remainders.begin(), c.remainders.end());
    // Near values as far as remainders do not say it.
    if (!c.remainders.empty())
      for (std::size_t row = 0; row < s.near_count; ++row) {
        const std::int64_t value = s.values[row], modulus = s.modulus;
        const auto rest = static_cast<std::uint32_t>((value % modulus + modulus) % modulus);
        const bool said = std::ranges::binary_search(c.remainders, rest);
        if (told_[row] && said != (std::ranges::find(near, value) != near.end()))
          c.near = std::max(c.near, std::abs(value) + 1);
      }
    for (const std::int64_t value : near)
      if (c.remainders.empty() || std::abs(value) < c.near)
        c.values.push_back(value);
    return of_piece(std::move(c), *s.quantity);
  }

  const Table &table_;
  const LaneMask mask_;
  const Costs &costs_;
  const std::vector<Spread> &spreads_;
  std::vector<bool> told_; ///< by row: it does not fault
  std::vector<RowGroup> groups_;
};

} // namespace

Priced cases_of_rows(const Table &table, LaneMask mask, const Costs &costs) {
  return RowCases(table, mask, costs).find();
}

} // namespace smem::pattern
