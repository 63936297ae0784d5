// How much of global memory a launch touches at least.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "scope.h"
#include "smem/least_work.h"

namespace smem {

/// `length` bytes from `start` on.
struct Piece {
  std::uint64_t start = 0, length = 0;
  auto operator<=>(const Piece &) const = default;
};

/// How many bytes lie in at least one of the pieces or of what they are moved to: by 0, 1, ... count - 1 times `step`, in every progression
/// independently. A lower bound: exact where progressions nest (each step is no shorter than what is below it) and pieces are evenly spaced.
std::uint64_t least_distinct_bytes(std::vector<Piece> pieces, const std::vector<Footprint::Steps> &progressions);

/// The events of a launch, as far as their addresses are known but for the arrays' bases.
class Footprints {
public:
  /// An event of which every dimension is closed. `write`: it changes what is there.
  /// Its first `own_moves` moves are those within a block, and every block makes it; nullopt: some blocks do.
  void add(const Event &event, std::uint64_t width, bool write, std::uint32_t site, std::uint64_t executions,
           std::optional<std::size_t> own_moves);
  /// Something is written of which it is not known where.
  void write_anywhere() { writes_known_ = false; }
  /// The same of a read.
  void read_anywhere() { reads_known_ = false; }
  /// Fills in all but the block's work.
  void finish(LeastWork &work) const;

private:
  struct Group {
    std::vector<Piece> pieces, sectors; ///< the latter where every address is known modulo 32
    std::uint32_t site = 0;
    std::uint64_t requested = 0;       ///< bytes of active lanes
    std::vector<Footprint::Steps> own; ///< moves within a block, of the event that has fewest
    bool of_every_block = true;
  };
  /// What the addresses are relative to, whether it is written, and how requests move.
  using Key = std::tuple<std::uint32_t, bool, std::vector<std::pair<std::uint64_t, std::uint64_t>>>;
  std::map<Key, Group> groups_;
  bool writes_known_ = true, reads_known_ = true;
};

} // namespace smem
