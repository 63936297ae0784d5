// The time that a launch takes at least on a GPU, by what its counts force on each unit. A floor and a bound on what a change can gain; the
// launch itself may take any longer time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "smem/arithmetic_work.h"
#include "smem/gpu.h"
#include "smem/least_work.h"
#include "smem/occupancy.h"
#include "smem/program.h"
#include "smem/simulate.h"

namespace smem {

enum class Resource : std::uint8_t {
  SharedMemory, ///< the data pipe of L1, as far as shared memory takes it
  L1Data,       ///< the same pipe, with loads and stores of global memory
  L1Tags,       ///< lookups of the lines of global memory
  Dram,         ///< bytes that L2 cannot hold
  Fp32,         ///< arithmetic of floats
  Fp64,         ///< arithmetic of doubles
  Special,      ///< reciprocals, roots, exponentials
  Issue,        ///< instructions of all kinds, as far as they are counted
  L2Stores,     ///< sectors that stores send to L2
  L2Reads,      ///< bytes that L2 sends to SMs once at least
  Integer,      ///< arithmetic of integers, comparisons
  Multiply,     ///< multiplications of integers
  Exchange,     ///< shuffles
  Tensor,       ///< tensor cores
};
std::string_view to_string(Resource resource); // "shared memory", "L1", "L1 tags", "DRAM", "FP32", "issue slots", ...
std::string_view
metric_name(Resource resource); // as Nsight Compute names the unit: "l1tex__data_pipe_lsu_wavefronts_mem_shared"

/// What a whole launch does at least.
struct LaunchWork {
  std::uint64_t blocks = 0;
  UnitWork total; ///< of all blocks
  UnitWork block; ///< of any one block
  std::uint64_t read_bytes = 0, written_bytes = 0;
  ArithmeticWork arithmetic;             ///< of all blocks
  std::uint64_t memory_instructions = 0; ///< of warps, of all blocks
  bool at_least = false;                 ///< some accesses are not known, or counters do not show what they do
  bool assumed = false;                  ///< some count rests on an assumption

  /// With less to do: what a change of some accesses would leave. Blocks keep their share of the whole.
  LaunchWork without(const UnitWork &saved) const;
};
/// `arithmetic` of the program whose result that is.
ArithmeticWork arithmetic_of(const SimulationResult &result, std::span<const BlockArithmetic> arithmetic);
LaunchWork launch_work(const Program &program, const Launch &launch, const SimulationResult &result,
                       const ArithmeticWork &arithmetic = {});

/// Rounded down.
struct ResourceFloor {
  Resource resource = Resource::SharedMemory;
  std::uint64_t cycles = 0; ///< of the SMs' clock: of the busiest SM, or of the chip
  std::uint64_t ns = 0;
  bool operator==(const ResourceFloor &) const = default;
};

struct Floor {
  std::vector<ResourceFloor> resources; ///< the longest first, none that takes no cycle
  Resource binding =
      Resource::SharedMemory; ///< of the longest; of the pipe that shared memory shares, the part that is more
  std::uint64_t ns = 0;       ///< 0: nothing is known that takes time
  bool at_least = false, assumed = false; ///< of the work
};
/// Floors of different models are not to be compared: another number whenever what is counted or a throughput changes.
inline constexpr int kFloorModel = 4;

/// `gpu` has nothing that wrong_with() finds.
Floor floor_of(const LaunchWork &work, const Gpu &gpu);

/// How a launch fills a GPU.
struct Residency {
  Occupancy occupancy;
  std::uint64_t blocks_of_busiest = 0; ///< blocks that some SM executes at least, one after the other or together
  std::uint64_t warps_at_once = 0;     ///< the most warps that an SM has at a time
};
Residency residency(const Launch &launch, std::uint64_t shared_bytes, std::optional<std::uint32_t> registers,
                    const Architecture &architecture, const Gpu &gpu);

/// How many times as fast a launch becomes at most without `saved`, all else equal: what is saved shortens it by no more than its wavefronts took
/// one after the other, and what is left takes its floor. Of saved tags nothing is known, as L2 and DRAM have less to do as well: nullopt.
/// [H100] 78 pairs of kernels before and after a fix (validate/recorded/gains-h100.json): a wavefront that is saved gains 1.19 cycles at most where
/// an SM has four warps or more, 2.02 where it has one; taken for 1.25 and 2.5.
std::optional<double> most_gain(const LaunchWork &work, const UnitWork &saved, const Gpu &gpu,
                                const Residency &residency);

/// Whether units are what it can wait for at all: a launch whose floor is shorter than what the shortest takes, or whose SMs have fewer
/// warps than hide a latency, waits for something else. nullopt: the floor is short, and some accesses are not known.
std::optional<bool> bound_by_throughput(const Floor &floor, const Residency &residency);

} // namespace smem
