// What global addresses count from, where races in global memory are looked for.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "smem/program.h"
#include "value.h"

namespace smem::race {

/// Accesses of one memory lie apart by their offsets alone, whichever block makes them: all begin at one object, and move alike with
/// what is not known and with the block.
struct Memory {
  /// What one step of a digit of the block's index (scope.h) adds.
  struct Step {
    unsigned axis = 0;
    std::int64_t weight = 1;
    std::int64_t bytes = 0;
    auto operator<=>(const Step &) const = default;
  };
  DimensionId object = 0;                                    ///< symbol of the pointer or variable
  std::vector<std::pair<DimensionId, std::int64_t>> symbols; ///< other quantities that are not known, by bytes
  bool of_block = false;                                     ///< these may be others in another block
  std::vector<Step> steps;                                   ///< none is 0
  std::int64_t modulus =
      0; ///< unless 0: an offset stands for all that are multiples of this away, any of which may be meant

  auto operator<=>(const Memory &) const = default;
};

/// The memories of one search. Those of different objects do not overlap: pointers are taken for ones to arrays of their own.
class Memories {
public:
  /// From 1 on.
  std::uint32_t index_of(const Memory &memory) {
    const auto [entry, added] = known_.try_emplace(memory, static_cast<std::uint32_t>(all_.size()) + 1);
    if (added)
      all_.push_back(memory);
    return entry->second;
  }
  const Memory &operator[](std::uint32_t index) const { return all_[index - 1]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }

private:
  std::map<Memory, std::uint32_t> known_;
  std::vector<Memory> all_;
};

/// What an address is made from that is not known itself.
struct AddressOrigin {
  std::optional<DimensionId> object; ///< the symbol of the one pointer or variable; empty: it may be any
  bool elsewhere = false;            ///< shared or local memory alone
};

/// Global memory in one search.
struct GlobalAccesses {
  /// An object's number where it is not known which it is.
  static constexpr DimensionId kAnyObject = 0;
  /// How an object is accessed at places that are not known: by kind, why, as an index of the reason table; 0: not.
  using Lost = std::array<std::uint32_t, 3>;

  Memories memories;
  std::map<DimensionId, Lost> lost;
  std::map<RegisterId, AddressOrigin> origins; ///< those that were asked for
  bool each_block = false;                     ///< one block at a time: the index of the block moves nothing
};

} // namespace smem::race
