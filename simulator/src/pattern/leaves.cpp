#include "leaves.h"

#include <algorithm>
#include <map>

#include "case_conditions.h"

namespace smem::pattern {
namespace {

using Leaves = std::vector<const Leaf *>;

/// The ways as one condition; nullopt where they need two.
std::optional<PatternCondition> condition(const Branch &branch, std::vector<Alternative> ways) {
  PatternCondition c = condition_on(branch.quantity);
  c.none = branch.none;
  std::sort(ways.begin(), ways.end());
  for (const Alternative &way : ways) {
    if (way.modulus == 0) {
      c.values.push_back(way.remainder);
      continue;
    }
    if (!c.remainders.empty() && c.modulus != way.modulus)
      return std::nullopt;
    c.modulus = static_cast<std::uint32_t>(way.modulus);
    c.remainders.push_back(static_cast<std::uint32_t>(way.remainder));
  }
  return of_piece(std::move(c), branch.quantity);
}

void add(Cases &to, const Cases &from) {
  for (const PatternCase &c : from)
    if (std::find(to.begin(), to.end(), c) == to.end())
      to.push_back(c);
}

/// Leaves whose paths are the same up to `level`.
Cases below(const Leaves &leaves, std::size_t level) {
  struct Group {
    const Branch *branch;
    std::vector<Alternative> ways;
    Leaves leaves;
    Cases cases;
  };
  Cases all;
  std::vector<Group> groups;
  for (const Leaf *leaf : leaves) {
    if (leaf->path.size() <= level) {
      add(all, leaf->cases);
      continue;
    }
    const Branch &branch = leaf->path[level];
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const Group &g) {
      return g.branch->quantity.key == branch.quantity.key && g.branch->ways == branch.ways &&
             g.branch->none == branch.none;
    });
    if (known == groups.end())
      groups.push_back({&branch, branch.ways, {leaf}, {}});
    else
      known->leaves.push_back(leaf);
  }
  for (Group &group : groups)
    group.cases = below(group.leaves, level + 1);
  // What is the same in all of them does not depend on it; what else was supposed is never reached.
  if (std::all_of(groups.begin(), groups.end(), [&](const Group &g) { return g.cases == groups[0].cases; })) {
    if (!groups.empty())
      add(all, groups[0].cases);
    return all;
  }
  // Ways that cost the same are one condition.
  std::vector<Group> merged;
  for (Group &group : groups) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const Group &g) {
      if (g.branch->quantity.key != group.branch->quantity.key || g.branch->none || group.branch->none ||
          g.cases != group.cases)
        return false;
      std::vector<Alternative> both = g.ways;
      both.insert(both.end(), group.ways.begin(), group.ways.end());
      return condition(*g.branch, std::move(both)).has_value();
    });
    if (same == merged.end())
      merged.push_back(std::move(group));
    else
      same->ways.insert(same->ways.end(), group.ways.begin(), group.ways.end());
  }
  for (Group &group : merged)
    for (PatternCase &c : group.cases) {
      c.when.insert(c.when.begin(), *condition(*group.branch, group.ways));
      add(all, {c});
    }
  return all;
}

} // namespace

Cases of_leaves(const std::vector<Leaf> &leaves) {
  Leaves all;
  for (const Leaf &leaf : leaves)
    all.push_back(&leaf);
  return below(all, 0);
}

} // namespace smem::pattern
