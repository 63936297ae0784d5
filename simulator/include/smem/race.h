// Program x Launch x Architecture -> whether two threads race in shared or in global memory, and whether shared memory is read before it is
// written.
//
// A race: two threads touch the same byte, at least one of them writes, not both of them atomically, and no barrier orders the two.
// Barriers of the block order all its threads. Within a warp __syncwarp() of all its lanes does; that lanes of a warp happen to
// execute together does not. Barriers in shared memory (mbarrier) order those that arrive at a phase before those that wait for it.
// Nothing orders threads of two blocks. An asynchronous copy (cp.async, cp.async.bulk) touches its bytes at any time until the lane has waited
// for it, or the phase is complete that it completes. Two writes of the same bits to the same bytes are no race, and are told apart.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smem/architecture.h"
#include "smem/assumption.h"
#include "smem/launch.h"
#include "smem/memory_model.h"
#include "smem/program.h"
#include "smem/simulate.h"

namespace smem {

/// `Race`: with a witness that the launch executes. `Free`: no two threads of any block of the launch race, whatever is in memory.
/// `Unknown`: neither is proved; the reason says what decides.
enum class RaceVerdict : std::uint8_t { Free, Race, Unknown };
std::string_view to_string(RaceVerdict verdict);

enum class RaceMemory : std::uint8_t { Shared, Global };

struct RacingAccess {
  std::uint32_t operation = 0; ///< index into Program::memory_operations
  SourceLocation location;     ///< of its site, where it has one
  std::string expression;      ///< likewise: `tile[threadIdx.x]`
  SourceLocation call;         ///< of the function that has it; not known: the kernel itself has it
  Dim3 thread;                 ///< threadIdx
  std::uint32_t lane = 0;      ///< of its warp
  bool writes = false;
  bool atomic = false;
  bool asynchronous = false; ///< by a copy that its thread has not waited for
  /// What the lanes of its warp touch with the same instruction, in bytes of the shared window; none: of global memory.
  Request request;
  std::uint32_t request_bytes = 0; ///< of each lane
};

/// Where a barrier was tried.
struct BarrierEdit {
  SourceLocation line;    ///< before the statement that begins on it
  bool ends_loop = false; ///< rather as the last statement of the loop on that line
  bool in_braces =
      false; ///< together with the body of the loop that it comes into, which is a single statement without any
  bool of_warp = false; ///< __syncwarp(); else __syncthreads()
};

struct RaceWitness {
  bool within_warp = false;    ///< the two threads are lanes of one warp
  bool between_blocks = false; ///< they are of two blocks; of global memory
  RacingAccess first, second;
  Dim3 block;        ///< blockIdx of both, or of the first
  Dim3 second_block; ///< and of the second
  /// Both touch it: offset into the shared window, or from where a pointer points or a variable begins (which may be negative, wrapping).
  std::uint64_t byte = 0;
  /// The name of the array that contains the byte, and the byte's offset in it; empty where several may or none does.
  std::string array;
  std::uint64_t array_byte = 0;
  std::uint64_t interval = 0;     ///< barriers of the block that both threads have passed
  SourceLocation interval_begin;  ///< the last of them; not known: none
  SourceLocation interval_end;    ///< the next barrier of the block; not known: none, or several
  std::vector<BarrierEdit> edits; ///< with these the two do not race, and nothing is worse than before: find_barriers()
};

/// A read of what no thread of the block can have written: in no execution does a write lie before it, or beside it between two
/// barriers, but for its own thread's that come later.
struct UnwrittenRead {
  RacingAccess access;
  Dim3 block;
  std::uint64_t byte = 0; ///< and these as in a RaceWitness
  std::string array;
  std::uint64_t array_byte = 0;
};

/// Values for what no launch tells. Scalars keep to what is known of them, and types to what they can be.
struct AssumedInput {
  /// What memory holds that the kernel reads by a pointer among its arguments and never writes: one number everywhere, and the next pointer's
  /// is `step` more.
  std::int64_t first = 0, step = 0;
  /// Unless 0: not one number everywhere, but so much more for each element further on, as row pointers of a sparse matrix grow. Only of arrays
  /// of integers that one pointer leads to; of others nothing is assumed, and all is unknown where such numbers decide no branch.
  std::int64_t slope = 0;
  std::optional<std::int64_t>
      scalars; ///< the value of each scalar argument that the launch has none of; nullopt: they stay open
};

struct Races;

struct RaceOptions {
  RaceMemory memory = RaceMemory::Shared;
  /// Witnesses are of a launch with these values (Races::assumptions), and of accesses whose addresses are not made of them.
  std::optional<AssumedInput> assume;
  /// Upper bound of executed instructions and of compared bytes; with fewer than needed the verdict is Unknown unless a race is found.
  std::uint64_t max_steps = 3'000'000;
  /// No more witnesses than that; one for each pair of accesses in the source and kind.
  std::size_t most_witnesses = 16;
  /// Ask only whether everything is free, and nothing leaves equal bits: the search ends with the first that is not.
  bool until_not_free = false;
  /// How a barrier is written that is to be before the statement on a line, or at the end of the loop on it: before the line that the statement begins on, which
  /// may be an earlier one; nullopt: there is no room for one. None: as it is. For find_barriers().
  std::function<std::optional<BarrierEdit>(BarrierEdit)> as_written{};
  /// The search of shared memory ends when this holds of what it has found; none: not before its end.
  std::function<bool(const Races &)> enough{};
  std::stop_token stop;
};

struct Races {
  RaceVerdict between_warps = RaceVerdict::Unknown;
  RaceVerdict within_warp = RaceVerdict::Unknown;
  RaceVerdict between_blocks = RaceVerdict::Unknown; ///< of shared memory: Free, as blocks share none
  std::string reason;                                ///< non-empty where one of them is Unknown
  SourceLocation reason_location;
  std::vector<RaceWitness> witnesses;   ///< in the order they are met; blocks at the corners of their classes
  std::vector<RaceWitness> same_value;  ///< two writes of the same bits: no races. One for each pair of instructions
  std::vector<UnwrittenRead> unwritten; ///< one for each instruction. Atomics count as writes and not as reads
  bool barriers_open = false;  ///< whether all threads come to every barrier is not known, whatever the verdict
  std::string barriers_reason; ///< the first reason for that
  bool barriers_by_all =
      false; ///< all threads come to all barriers, whatever races: all_come_to_barriers(). Set by who asks
  bool barriers_always =
      false; ///< what `barriers` and `excusing` say holds for every launch with this block of threads
  std::vector<Problem> barriers; ///< that not all threads reach, or not as they say; wherever it is certain
  /// Barriers of the block that threads have ended before or end without coming to. CUDA waits for those that have not ended.
  std::vector<SourceLocation> excusing;
  std::vector<SourceLocation> redundant; ///< barriers of the block: find_redundant_barriers()
  std::uint64_t steps = 0;
  bool always = false; ///< free in every launch with this block of threads: free_in_every_launch(). Set by who asks
  /// An access that is made is outside shared memory or its array, or misaligned: no launch is meant to be so.
  bool leaves_arrays = false;
  std::vector<Problem> outside; ///< those of which the array is known, and that are certainly made
  /// Of a launch whose block is not known: blocks with which every launch is free. Others may be free, too.
  std::vector<Dim3> free_blocks;
  /// Of such a launch, that of the witnesses.
  std::optional<Dim3> block;
  /// The witnesses are of a launch of which something was assumed: another value may have none. Set by who assumes, find_races() does not.
  bool assumed = false;
  /// What else they rest on: values of arguments and of memory that have decided something (RaceOptions::assume).
  std::vector<Assumption> assumptions;

  static Races unknown(std::string why, SourceLocation location = {});
  void leave_barriers_open(std::string why);

  /// Of all threads of a block: Race before Unknown before Free.
  RaceVerdict verdict() const;
};

/// Every iteration of every loop is executed, for one block of each class of blocks that behave alike. `program` says what the source
/// does only as far as the accesses in it are the source's: compilers merge, remove, hoist and widen them. What is not modelled
/// (wgmma, clusters, copies by tensor maps) makes the verdict Unknown. Arrays that different pointers among the
/// arguments point to are taken for different ones.
Races find_races(const Program &program, const Launch &launch, const Architecture &architecture,
                 const RaceOptions &options = {});

/// Names of two pointers among the arguments that the launch passes into one allocation, by one of which the kernel writes: find_races() takes them for different arrays all the same.
std::optional<std::pair<std::string, std::string>> pointers_into_one_array(const Program &program, const Launch &launch,
                                                                           const Architecture &architecture);

/// Whether it shows without running that all threads of a block come to all its barriers and exchanges, in every launch: no branch before one depends on
/// the thread, on data or on what lanes exchange.
bool all_come_to_barriers(const Program &program);

/// Whether no access is to shared memory, nor by an address that may come from one of its arrays, so that no values make threads race there.
bool never_accesses_shared(const Program &program);

/// Whether there is nothing to find in shared memory in any launch: the kernel never accesses it, and has neither barriers nor exchanges between lanes.
bool shares_nothing(const Program &program);

/// Whether all searches find the same in both: they are alike, and what their pointers lead to is as far as searches ask for it.
bool races_alike(const Program &a, const Program &b);

/// Of all launches with one block of threads.
struct EveryLaunch {
  bool free =
      false; ///< no two threads of a block race in shared memory, whatever the grid and the arguments are; else it is not known
  bool complete =
      false; ///< and there is nothing else that find_races() might find: neither writes of one value nor reads of what is not written, nor threads that end before a barrier
  bool accesses = false; ///< some thread accesses shared memory, as far as was looked at
  std::uint64_t steps = 0;
};

/// Whether shared memory is free of races in every launch with the block and the dynamic bytes of `launch`, and the arguments that it has
/// values of. Its grid is not looked at.
EveryLaunch free_in_every_launch(const Program &program, const Launch &launch, const Architecture &architecture,
                                 const RaceOptions &options = {});

/// Tries barriers near the accesses of each witness, in the fewest loops and then the nearest first, one and then two, and keeps those with which
/// it vanishes. Witnesses of the same two instructions have the same ones, and so have all that are looked at after one with which nothing races.
void find_barriers(Races &races, const Program &program, const Launch &launch, const Architecture &architecture,
                   const RaceOptions &options = {});

/// Barriers of the block, by place, without which no two threads of a block race either: in shared memory in no launch with this block, in global
/// memory in this one. Of launches that are free of races; none where a barrier may be for something else, such as what other blocks wait for.
/// `any`: what all launches with the block have in common.
std::vector<SourceLocation> find_redundant_barriers(const Races &races, const Program &program, const Launch &launch,
                                                    const Launch &any, const Architecture &architecture,
                                                    const RaceOptions &options = {});

} // namespace smem
