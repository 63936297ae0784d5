// What each thread of a block knows of what the others have done: happens-before by vector clocks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "smem/program.h"

namespace smem::race {

using LaneTimes = std::array<std::uint32_t, kWarpSize>;

/// What is known: of each thread, up to which time of its warp; of each barrier in shared memory, how many of its phases are complete.
struct Clock {
  std::vector<LaneTimes> lanes;      ///< by warp
  std::vector<std::uint32_t> phases; ///< by barrier; those that follow are 0

  void join(const Clock &other);
  void know_phases(std::uint32_t barrier, std::uint32_t complete);
  std::uint32_t known_phases(std::uint32_t barrier) const { return barrier < phases.size() ? phases[barrier] : 0; }
  void clear();
  bool operator==(const Clock &) const = default;
};

/// A warp's time goes on whenever lanes of it tell what they know. Lanes that know the same share a clock.
class Clocks {
public:
  explicit Clocks(std::uint32_t warps);

  Clock none() const; ///< that knows nothing
  std::uint32_t time(std::uint32_t warp) const { return time_[warp]; }
  /// `into` comes to know what the lanes have done and what they know.
  void release(std::uint32_t warp, LaneMask lanes, Clock &into);
  void acquire(std::uint32_t warp, LaneMask lanes, const Clock &from);
  /// Lanes tell each other.
  void meet(std::uint32_t warp, LaneMask lanes);
  /// The lanes of `other` of which `lane` knows what they did at `time`; itself among them.
  LaneMask known(std::uint32_t warp, unsigned lane, std::uint32_t other, std::uint32_t time) const;
  std::uint32_t known_phases(std::uint32_t warp, unsigned lane, std::uint32_t barrier) const {
    return of(warp, lane).known_phases(barrier);
  }
  const Clock &of(std::uint32_t warp, unsigned lane) const;

private:
  struct Group {
    LaneMask lanes = 0;
    Clock clock;
  };
  /// So that no group has lanes of `lanes` and others.
  void split(std::uint32_t warp, LaneMask lanes);
  void merge(std::uint32_t warp);

  std::vector<std::vector<Group>> groups_; ///< by warp
  std::vector<std::uint32_t> time_;        ///< by warp, from 1 on
};

} // namespace smem::race
