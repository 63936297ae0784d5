// What stores leave, as numbers that are the same for the same bits.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace smem::race {

class StoredValues {
public:
  /// From 1 on. `value`: all that tells it from others; `moves`: it is another one in another block.
  std::uint32_t index_of(const std::vector<std::int64_t> &value, bool moves) {
    const auto [entry, added] = known_.try_emplace(value, static_cast<std::uint32_t>(moves_.size()) + 1);
    if (added)
      moves_.push_back(moves);
    return entry->second;
  }
  bool moves(std::uint32_t index) const { return moves_[index - 1]; }

private:
  std::map<std::vector<std::int64_t>, std::uint32_t> known_;
  std::vector<bool> moves_;
};

} // namespace smem::race
