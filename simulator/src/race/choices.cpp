#include "race/choices.h"

#include <algorithm>

namespace smem::race {

std::size_t Choices::choose(const Key &key, std::size_t alternatives) {
  const auto [known, fresh] = taken_.try_emplace(key, 0);
  if (fresh)
    decisions_.push_back({key, 0, alternatives});
  return known->second;
}

std::int64_t Choices::number_of(const Key &key) {
  return numbers_.try_emplace(key, static_cast<std::int64_t>(numbers_.size())).first->second;
}

bool Choices::next() {
  while (!decisions_.empty() && decisions_.back().taken + 1 == decisions_.back().alternatives) {
    taken_.erase(decisions_.back().key);
    decisions_.pop_back();
  }
  closed_by_.clear();
  seen_.clear();
  begun_.clear();
  closed_.clear();
  if (decisions_.empty())
    return false;
  taken_[decisions_.back().key] = ++decisions_.back().taken;
  return true;
}

bool Choices::closed_alike(const std::vector<bool> &running) const {
  const auto together = [&](const Arrivals &arrivals) {
    if (arrivals.size() != static_cast<std::size_t>(std::ranges::count(running, true)))
      return false;
    return std::ranges::all_of(arrivals, [&](const auto &one) {
      const Arrival &first = arrivals.begin()->second;
      return running[one.first] && one.second.interval == first.interval && one.second.entry == first.entry;
    });
  };
  for (const std::uint32_t loop : closed_by_) {
    const Arrivals &arrivals = closed_.at(loop);
    const auto begun = begun_.find(loop);
    if (begun == begun_.end() || !together(arrivals) || !together(begun->second))
      continue;
    const bool alike = std::ranges::all_of(arrivals, [&](const auto &one) {
      Arrival now = one.second;
      const Arrival &before = begun->second.at(one.first);
      now.interval = before.interval;
      return now == before;
    });
    if (alike)
      return true;
  }
  return false;
}

void Choices::restart() {
  begun_.clear();
  closed_.clear();
  decisions_.clear();
  taken_.clear();
  seen_.clear();
  closed_by_.clear();
  again = blurred = false;
}

Choices::Kept Choices::kept(std::uint32_t loop, std::size_t phi) const {
  const auto known = kept_.find({loop, phi});
  return known == kept_.end() ? Kept::Value : known->second;
}

void Choices::weaken(std::uint32_t loop, std::size_t phi) {
  kept_[{loop, phi}] = kept(loop, phi) == Kept::Value ? Kept::Uniform : Kept::Nothing;
  again = true;
}

} // namespace smem::race
