// The accesses of one block between two of its barriers: which of them conflict.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "smem/program.h"

namespace smem::race {

enum class Kind : std::uint8_t { Read, Write, Atomic };

/// Not both reads, and not both atomic.
constexpr bool conflict(Kind a, Kind b) { return a != b || a == Kind::Write; }

/// One warp's execution of one instruction.
struct WarpAccess {
  std::uint32_t operation = 0;
  std::uint32_t warp = 0;
  LaneMask active = 0;
  std::array<std::uint64_t, kWarpSize>
      address{};           ///< offsets into the shared window; `anywhere`: [0] is where the array begins
  std::uint64_t bytes = 4; ///< of each lane; `anywhere`: of the array
  Kind kind = Kind::Read;
  /// The active lanes do execute it, before or after whatever other threads do. Otherwise they may.
  bool certain = true;
  bool anywhere = false;     ///< each lane touches some bytes of the array, it is not known which
  std::uint32_t segment = 0; ///< barriers of all the warp's lanes before it, in this interval
};

/// What the barriers of a warp come to in one interval.
struct WarpOrder {
  bool broken = false;  ///< lanes ended before some of them: those order nothing for certain
  bool partial = false; ///< some are not of all lanes, and may order what seems to be a race
};

struct Conflict {
  const WarpAccess *first = nullptr, *second = nullptr;
  unsigned first_lane = 0, second_lane = 0;
  std::uint64_t byte = 0;
  bool within_warp = false;
  bool certain = false; ///< a race; otherwise it may be one
};

/// Finds conflicts in one interval after the other. Where any two threads conflict, at least one such conflict is found; where any do so
/// with certainty between warps, a certain one is.
class IntervalChecker {
public:
  /// `granule`: 1, 2, 4, …; all accesses are whole multiples of it, aligned to it, and end at or below `shared_bytes`;
  /// arrays that are accessed anywhere are rounded outwards.
  IntervalChecker(std::uint64_t shared_bytes, std::uint64_t granule);

  using Found = std::function<void(const Conflict &)>;
  /// `accesses`: those of a warp follow each other in its order. `orders`: by warp. Returns how many granules were compared.
  std::uint64_t check(const std::vector<WarpAccess> &accesses, const std::vector<WarpOrder> &orders,
                      const Found &found);

  /// Of the block: its bytes have been written, or may have been. Only what is said here counts.
  void write(const WarpAccess &access);
  /// A lane that reads a byte which nothing has written, and where it begins.
  std::optional<std::pair<unsigned, std::uint64_t>> reads_unwritten(const WarpAccess &access) const;

  /// What threads that have ended touched: no later barrier orders it. Checked by touches_ended().
  void end_lanes(const WarpAccess &access, LaneMask lanes);
  bool touches_ended(const WarpAccess &access) const;
  /// Nothing has ended yet, and nothing is written: of another block.
  void begin_block();

private:
  struct Touch {
    std::uint32_t access = kNone;
    std::uint8_t lane = 0;
  };
  /// By kind and certainty: the first touch, and the first by another warp (or lane).
  struct Cell {
    std::uint64_t epoch = 0;
    std::array<std::array<std::array<Touch, 2>, 2>, 3> touches;
  };
  template <typename F> void granules(const WarpAccess &access, unsigned lane, F &&f) const;
  void touch(Cell &cell, std::uint64_t epoch, bool within, bool decided, const std::vector<WarpAccess> &accesses,
             Touch now, std::uint64_t at, const Found &found) const;

  std::uint64_t granule_;
  std::uint64_t epoch_ = 0;
  std::vector<Cell> block_, warp_;
  std::vector<std::uint8_t> ended_; ///< a bit for each kind
  bool any_ended_ = false;
  std::vector<bool> written_;
  std::size_t unwritten_ = 0; ///< granules
};

} // namespace smem::race
