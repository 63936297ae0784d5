// The warps of one block, all of them from each of its barriers to the next.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "race/race_watch.h"
#include "smem/race.h"
#include "warp.h"

namespace smem::race {

SourceLocation place_of(const Program &program, const Instruction *barrier);

/// What the search does not follow in a program; empty: nothing.
struct NotFollowed {
  std::string why;
  SourceLocation location;
};
NotFollowed not_followed(const Program &program);
/// Does a barrier, or an exchange that names lanes, stand where a condition may lead threads past it? Those that end pass it by as well.
/// `of_warps`: barriers of the block are left out.
bool has_barriers_under_conditions(const Program &program, const ControlFlow &flow, bool of_warps);
bool has_opcode(const Program &program, Opcode opcode);
/// Barriers may be of some of the block's threads: numbered ones, those that state how many, and those in shared memory.
bool orders_in_part(const Program &program, const Launch &launch);

bool may_be(const MemoryOperation &operation, RaceMemory memory);
/// All accesses to the memory are whole multiples of it.
std::uint64_t granule_of(const Program &program, RaceMemory memory);

/// Whether threads have ended, or have not come to a barrier that others of their warp have passed.
bool leaves_threads_out(const RaceWatch &watch);

class BlockRun {
public:
  /// `shared`: as Warp has it.
  BlockRun(Machine &machine, Scopes &scopes, RaceWatch &watch, CellMemory *shared);

  struct Interval {
    Warp::Status status = Warp::Status::Finished; ///< or why it was not executed to its end
    const Instruction *barrier = nullptr;         ///< that ends it; null: no warp came to one
    const Instruction *other = nullptr;           ///< another one, at another place, that some warp waits at
  };
  /// The next interval; the watch has what the warps do in it.
  Interval run();
  bool finished() const;
  /// By warp.
  std::vector<bool> running() const;

private:
  const Program &program_;
  RaceWatch &watch_;
  std::vector<Warp> warps_;
  std::vector<bool> finished_;
};

/// Runs a block from each of its barriers to the next, and calls `take` after each interval, for as long as that returns true and a warp goes on. What threads
/// did that ended in an interval, no barrier after it orders, which the checker is told. `shared`: as Warp has it.
void run_intervals(Machine &machine, Scopes &scopes, RaceWatch &watch, CellMemory *shared, IntervalChecker &checker,
                   const std::function<bool(const BlockRun &, const BlockRun::Interval &)> &take);

} // namespace smem::race
