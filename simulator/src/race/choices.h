// What is assumed of a launch that is not known, while a block is executed for all launches at once.
//
// A condition on arguments or on the block's index is the same for all threads of a block. Each execution decides such conditions one way,
// and executions go through all combinations. Loops that end by one are executed for a few iterations and then for any one: what is known of a
// value there is tried, and given up where the iteration does not keep it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "smem/program.h"

namespace smem::race {

class Choices {
public:
  using Key = std::vector<std::int64_t>;

  /// `period`: iterations of which one that stands for any consists, at least. `of_class`: of the blocks of a class, which have their indices.
  explicit Choices(std::size_t period, bool of_class = false) : period(period), of_class(of_class) {}

  /// One of 0 .. alternatives - 1, and the same for the same key in one execution.
  std::size_t choose(const Key &key, std::size_t alternatives);
  /// One number for each key, in all executions.
  std::int64_t number_of(const Key &key);
  /// Begins the next execution; false: there are no others.
  bool next();
  /// Begins with the first execution again.
  void restart();

  /// What any iteration finds in a header's phi.
  enum class Kept : std::uint8_t {
    Value,   ///< what it was
    Uniform, ///< that, and something that all threads share
    Nothing,
  };
  Kept kept(std::uint32_t loop, std::size_t phi) const;
  /// An iteration does not keep it: all begins again with less.
  void weaken(std::uint32_t loop, std::size_t phi);
  /// A warp comes to the header of a loop, at the begin of any iteration or where those are over, as `state` says.
  struct Arrival {
    std::uint64_t interval = 0; ///< barriers that it has passed
    std::uint32_t entry = 0;    ///< times it has entered the loop
    LaneMask alive = 0, mask = 0;
    std::size_t paths = 0;
    bool operator==(const Arrival &) const = default;
  };
  void begins(std::uint32_t loop, std::uint32_t warp, const Arrival &state) { begun_[loop][warp] = state; }
  void closes(std::uint32_t loop, std::uint32_t warp, const Arrival &state) { closed_[loop][warp] = state; }
  /// What follows in this loop has been looked at, if the warps have come here alike.
  void close(std::uint32_t loop) { closed_by_.insert(loop); }
  bool closed() const { return !closed_by_.empty(); }
  /// Whether all warps of which `running` is true, and no others, have begun the loop together and have closed it together, in the
  /// same state: then what follows has been looked at.
  bool closed_alike(const std::vector<bool> &running) const;

  /// Whether all warps that come to `place` in this execution bring the same.
  bool agree(const Key &place, const Key &value) { return seen_.try_emplace(place, value).first->second == value; }
  void fail() { failed = true; }

  const std::size_t period;
  const bool of_class;             ///< the launch's grid is known; else the block is one of any grid
  bool again = false;              ///< something was weakened
  bool failed = false;             ///< nothing can be said of all launches
  std::uint32_t any_iteration = 0; ///< reason of what is not known for any iteration
  bool blurred = false;            ///< some address was not known for what any iteration has; a longer period may be

private:
  struct Decision {
    Key key;
    std::size_t taken = 0, alternatives = 0;
  };
  std::vector<Decision> decisions_;
  std::map<Key, std::size_t> taken_;
  std::map<Key, Key> seen_;
  std::map<Key, std::int64_t> numbers_;
  using Arrivals = std::map<std::uint32_t, Arrival>; ///< by warp
  std::set<std::uint32_t> closed_by_;
  std::map<std::uint32_t, Arrivals> begun_, closed_; ///< by loop; the latest ones
  std::map<std::pair<std::uint32_t, std::size_t>, Kept> kept_;
};

} // namespace smem::race
