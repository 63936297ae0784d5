#include "race/choices.h"

namespace smem::race {

std::size_t Choices::choose(const Key &key, std::size_t ways) {
  const auto [known, fresh] = way_of_.try_emplace(key, 0);
  if (fresh)
    decisions_.push_back({key, 0, ways});
  return known->second;
}

bool Choices::next() {
  while (!decisions_.empty() && decisions_.back().way + 1 == decisions_.back().ways) {
    way_of_.erase(decisions_.back().key);
    decisions_.pop_back();
  }
  closed = false;
  seen_.clear();
  if (decisions_.empty())
    return false;
  way_of_[decisions_.back().key] = ++decisions_.back().way;
  return true;
}

void Choices::restart() {
  decisions_.clear();
  way_of_.clear();
  seen_.clear();
  closed = again = blurred = false;
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
