// What the blocks of a grid touch of global memory: no barrier orders two of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "race/interval.h"
#include "race/memories.h"
#include "race/stored_values.h"
#include "scope.h"

namespace smem::race {

/// Blocks that behave alike: those of a box, of which the one at its lower corner was executed.
struct BlockClass {
  Box region;
  std::array<std::int64_t, 3> corner{};
};

/// One lane's access in the block at the corner of a class.
struct Touched {
  std::int64_t begin = 0; ///< offset in its memory, of the corner's block
  std::uint32_t bytes = 0;
  std::uint32_t operation = 0;
  std::uint32_t warp = 0;
  std::uint8_t lane = 0;
  std::uint32_t stored = 0; ///< by a store, of StoredValues; 0: not known
  bool several = false;     ///< other lanes access the same with the same instruction
};

struct BlockConflict {
  Touched first, second;
  Kind first_kind = Kind::Read, second_kind = Kind::Read;
  std::array<std::int64_t, 3> first_block{}, second_block{};
  std::uint32_t memory = 0;
  std::int64_t byte = 0; ///< offset in the memory, in the first one's block
  bool certain = false;
  bool alike = false; ///< both write the same, which is no race
};

/// Collects what classes of blocks touch, and compares it in the end.
class GridTouches {
public:
  GridTouches(const Memories &memories, const StoredValues &stored) : memories_(memories), stored_(stored) {}

  void begin_class();
  /// `certain`: whatever other threads do.
  /// `phase`: barriers of the grid before it, which order it.
  void add(const WarpAccess &access, bool certain, std::uint32_t phase = 0);
  void end_class(BlockClass blocks);
  bool too_many() const { return entries_ > kMostEntries; }

  using Found = std::function<void(const BlockConflict &)>;
  enum class Result : std::uint8_t {
    Compared,
    TooMany, ///< the steps did not suffice
    Apart,   ///< two memories of one object lie apart by something that is not known
  };
  /// Any two blocks of the grid. For each two instructions at least one conflict of either certainty is found if there is any.
  Result compare(std::uint64_t &steps, std::uint64_t most_steps, const Found &found) const;

  /// How objects are accessed at places that are known: bits by kind.
  std::map<DimensionId, unsigned> kinds() const;

  /// Whether two accesses of one block that are in different memories of one object may touch the same byte. Compared reports such
  /// as if they could not.
  Result overlap_within_block(std::uint64_t &steps, std::uint64_t most_steps, bool &overlap) const;

private:
  static constexpr std::size_t kMostEntries = 4'000'000;

  struct Key {
    std::uint32_t memory = 0;
    Kind kind = Kind::Read;
    bool certain = false;
    std::uint32_t phase = 0;
    auto operator<=>(const Key &) const = default;
  };
  struct Footprint {
    std::vector<Touched> touched; ///< by their beginnings
    std::int64_t begin = 0, end = 0;
    std::uint32_t widest = 0;
    void sort();
  };
  struct Class {
    BlockClass blocks;
    std::map<Key, Footprint> footprints;
  };
  /// One footprint, and how it moves with the block.
  struct Side {
    const Class &blocks;
    const Key &key;
    const Footprint &footprint;
  };
  Result compare(const Side &a, const Side &b, bool same_block, std::uint64_t &steps, std::uint64_t most_steps,
                 const Found &found) const;
  void sweep(const Side &a, const Side &b, std::int64_t shift, std::uint64_t &steps,
             const std::function<void(const Touched &, const Touched &)> &found) const;

  const Memories &memories_;
  const StoredValues &stored_;
  std::size_t entries_ = 0;
  std::vector<Class> classes_;
  Class open_;
};

/// What accesses at places that are not known may meet, all others of their object: why it is not known, as GlobalAccesses::Lost has it; 0: none
/// conflict. `kinds`: as GridTouches has them.
std::uint32_t conflict_of_lost(const GlobalAccesses &global, std::map<DimensionId, unsigned> kinds);

} // namespace smem::race
