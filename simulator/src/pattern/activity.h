// Which lanes execute a block, as far as that is known.
#pragma once

#include <array>
#include <map>

#include "domain.h"

namespace smem::pattern {

struct Activity {
  static constexpr int kOn = 0, kMaybe = -1; ///< any other number: the lanes with it are on, or off, together

  LaneMask possible = 0;
  std::array<int, kWarpSize> when{};
  std::array<int, kWarpSize> rival{}; ///< lanes of different ones are not on together; 0: nothing is known

  LaneMask with(int what) const {
    LaneMask lanes = 0;
    for_lanes(possible, [&](unsigned lane) {
      if (when[lane] == what)
        lanes |= 1u << lane;
    });
    return lanes;
  }
  void make_certain() {
    when.fill(kOn);
    rival.fill(0);
  }
  void make_uncertain() {
    when.fill(kMaybe);
    rival.fill(0);
  }
  bool operator==(const Activity &other) const {
    bool same = possible == other.possible;
    for_lanes(possible & other.possible,
              [&](unsigned lane) { same &= when[lane] == other.when[lane] && rival[lane] == other.rival[lane]; });
    return same;
  }
};

/// Numbers of conditions that several lanes share.
class Conditions {
public:
  /// The lanes of `from` in which the condition is `wanted`. `rivals`: of a comparison that is not known.
  Activity where(const Activity &from, const Value &condition, bool wanted, const std::optional<Rivals> &rivals);
  /// Whether two numbers stand for opposite conditions; `symbol` then is the one that decides, and `first_if` its value for `a`.
  static bool opposite(int a, int b) { return a > 0 && b > 0 && a < kFirstJoint && (a ^ 1) == b; }
  static DimensionId symbol(int number) { return static_cast<DimensionId>(number >> 1); }
  static bool wants(int number) { return number & 1; }

private:
  static constexpr int kFirstJoint = 1 << 28;
  int joint(int a, int b);
  std::map<std::pair<int, int>, int> joint_;
  std::map<std::pair<std::uint32_t, int>, int> rivals_; ///< by the reason of a condition, and what is compared in it
};

/// Either of the two.
Activity join(const Activity &a, const Activity &b);

} // namespace smem::pattern
