// How much of global memory a launch touches at least.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
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

/// How many bytes lie in at least one of the pieces or of what they are moved to: by 0, 1, ... count - 1 times `step`,
/// in every progression independently. A lower bound: exact where progressions nest (each step is no shorter than what
/// is below it) and pieces are evenly spaced.
std::uint64_t least_distinct_bytes(std::vector<Piece> pieces, const std::vector<Footprint::Steps> &progressions);

/// Which memory a base leads into.
struct BaseOrigin {
  static constexpr std::uint64_t kRecorded = PointerOrigin::kRecorded, kFirstVariable = std::uint64_t{1} << 32;

  std::uint64_t memory = 0;           ///< 0: not known; an allocation, or kFirstVariable + the index of a variable
  std::optional<std::uint64_t> place; ///< of a pointer, in that memory
  std::int64_t offset = 0;            ///< that addresses made of this pointer have added to the base
  std::optional<std::uint64_t> bytes; ///< that it has
};

/// The events of a launch, as far as their addresses are known but for the arrays' bases.
class Footprints {
public:
  /// Bytes that are read, or written, relative to a base.
  struct Part {
    std::uint32_t base = 0;
    std::uint64_t touched = 0;      ///< different ones, at least
    std::uint64_t bytes = 0;        ///< the same in whole sectors, where those are known
    std::int64_t low = 0, high = 0; ///< from the pointer on
    BaseOrigin origin;
  };

  /// An event of which every dimension is closed. `write`: it changes what is there.
  /// Its first `own_moves` moves are those within a block, and every block makes it; nullopt: some blocks do.
  void add(const Event &event, std::uint64_t width, bool write, std::uint32_t site, std::uint64_t executions,
           std::optional<std::size_t> own_moves);
  /// Something is written of which it is not known where.
  void write_anywhere() { writes_known_ = false; }
  /// The same of a read.
  void read_anywhere() { reads_known_ = false; }
  /// Fills in all but the block's work.
  void finish(LeastWork &work, const std::function<BaseOrigin(std::uint32_t base)> &origin_of) const;

private:
  struct Group {
    std::vector<Piece> pieces, sectors; ///< the latter where every address is known modulo 32
    std::uint32_t site = 0;
    std::uint64_t requested = 0;       ///< bytes of active lanes
    std::vector<Footprint::Steps> own; ///< moves within a block, of the event that has fewest
    bool of_every_block = true;
    std::int64_t low = INT64_MAX, high = INT64_MIN; ///< bytes of all pieces, wherever they are moved to
  };
  /// What the addresses are relative to, whether it is written, and how requests move.
  using Key = std::tuple<std::uint32_t, bool, std::vector<std::pair<std::uint64_t, std::uint64_t>>>;
  using Groups = std::map<Key, Group>;
  static std::vector<Part> parts_of(std::span<const Groups::value_type *const> groups, const BaseOrigin &origin);

  Groups groups_;
  bool writes_known_ = true, reads_known_ = true;
};

} // namespace smem
