// Program x Launch x Architecture -> whether two threads of a block race in shared memory, and whether it is read before it is written.
//
// A race: two threads of one block touch the same byte, at least one of them writes, not both of them atomically, and no barrier orders
// the two. Barriers of the block order all its threads. Within a warp __syncwarp() of all its lanes does; that lanes of a warp happen to
// execute together does not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smem/architecture.h"
#include "smem/launch.h"
#include "smem/program.h"
#include "smem/simulate.h"

namespace smem {

/// `Race`: with a witness that the launch executes. `Free`: no two threads of any block of the launch race, whatever is in memory.
/// `Unknown`: neither is proved; the reason says what decides.
enum class RaceVerdict : std::uint8_t { Free, Race, Unknown };
std::string_view to_string(RaceVerdict verdict);

struct RacingAccess {
  std::uint32_t operation = 0; ///< index into Program::memory_operations
  SourceLocation location;     ///< of its site, where it has one
  std::string expression;      ///< likewise: `tile[threadIdx.x]`
  Dim3 thread;                 ///< threadIdx
  bool writes = false;
  bool atomic = false;
};

/// Where a barrier was tried.
struct BarrierEdit {
  SourceLocation line;    ///< before the statement that begins on it
  bool ends_loop = false; ///< rather as the last statement of the loop on that line
  bool of_warp = false;   ///< __syncwarp(); else __syncthreads()
};

struct RaceWitness {
  bool within_warp = false; ///< the two threads are lanes of one warp
  RacingAccess first, second;
  Dim3 block;             ///< blockIdx of both
  std::uint64_t byte = 0; ///< offset into the shared window; both touch it
  /// The name of the array that contains the byte, and the byte's offset in it; empty where several may or none does.
  std::string array;
  std::uint64_t array_byte = 0;
  std::uint64_t interval = 0;     ///< barriers of the block that both threads have passed
  SourceLocation interval_begin;  ///< the last of them; not known: none
  std::vector<BarrierEdit> edits; ///< with these the two do not race, and nothing is worse than before: find_barriers()
};

/// A read of what no thread of the block can have written: in no execution does a write lie before it, or beside it between two barriers.
struct UnwrittenRead {
  RacingAccess access;
  Dim3 block;
  std::uint64_t byte = 0; ///< and these as in a RaceWitness
  std::string array;
  std::uint64_t array_byte = 0;
};

struct RaceOptions {
  /// Upper bound of executed instructions and of compared bytes; with fewer than needed the verdict is Unknown unless a race is found.
  std::uint64_t max_steps = 3'000'000;
  /// No more witnesses than that; one for each pair of instructions and kind.
  std::size_t most_witnesses = 16;
  std::stop_token stop;
};

struct Races {
  RaceVerdict between_warps = RaceVerdict::Unknown;
  RaceVerdict within_warp = RaceVerdict::Unknown;
  std::string reason; ///< non-empty where one of the two is Unknown
  SourceLocation reason_location;
  std::vector<RaceWitness> witnesses;   ///< in the order they are met; blocks at the corners of their classes
  std::vector<UnwrittenRead> unwritten; ///< one for each instruction. Atomics count as writes and not as reads
  std::uint64_t steps = 0;
  /// The witnesses are of a launch of which something was assumed: another value may have none. Set by who assumes, find_races() does not.
  bool assumed = false;

  static Races unknown(std::string why, SourceLocation location = {});

  /// Of all threads of a block: Race before Unknown before Free.
  RaceVerdict verdict() const;
};

/// Every iteration of every loop is executed, for one block of each class of blocks that behave alike. `program` says what the source
/// does only as far as the accesses in it are the source's: compilers merge, remove, hoist and widen them. What is not modelled
/// (asynchronous copies, barriers of a part of the block, mbarrier, clusters) makes the verdict Unknown.
Races find_races(const Program &program, const Launch &launch, const Architecture &architecture,
                 const RaceOptions &options = {});

/// Tries barriers near the accesses of each witness, the nearest first, one and then two, and keeps those with which it vanishes.
/// Witnesses of the same two instructions have the same ones.
void find_barriers(Races &races, const Program &program, const Launch &launch, const Architecture &architecture,
                   const RaceOptions &options = {});

} // namespace smem
