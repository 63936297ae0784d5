// Program x Launch x Architecture -> what the counters would show for the whole launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smem/architecture.h"
#include "smem/launch.h"
#include "smem/memory_model.h"
#include "smem/program.h"

namespace smem {

/// `Exact`: follows from the source and the launch. `Assumed`: exact if the named assumption holds. `Unknown`: the source
/// does not say; no figure is given.
enum class Verdict : std::uint8_t { Exact, Assumed, Unknown };
std::string_view to_string(Verdict verdict);

/// Sums over every request of the launch.
struct Counts {
  std::uint64_t requests = 0; ///< warp executions with at least one active lane
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t sectors = 0;
  std::uint64_t ideal_sectors = 0;
  std::uint64_t tags = 0;
  std::uint32_t conflict_degree = 0; ///< maximum over the requests

  Counts &operator+=(const Counts &other);
  bool operator==(const Counts &) const = default;
};

/// A request worth showing to a person: the costliest one of the site, and where it happened.
struct Example {
  Request request;      ///< shared: offsets into the shared window; global: relative to `array`'s base
  RequestCost cost;
  Dim3 block_index{0, 0, 0};
  std::uint32_t warp = 0;
};

struct SiteResult {
  Verdict verdict = Verdict::Exact;
  std::string reason;                  ///< for Assumed and Unknown
  std::string note;                    ///< non-empty: what the hardware's counters, and so these counts, do not show of the access
  SourceLocation reason_location;      ///< e.g. the load that an index depends on
  Counts counts;                       ///< for Unknown: a lower bound, from the requests that are known
  std::optional<Example> shared_example; ///< worst shared request
  std::optional<Example> global_example; ///< worst global request
  Space space = Space::Shared;         ///< as resolved for generic sites; AsyncCopy counts both
  bool executed = false;               ///< some lane of the launch reaches it
};

/// Something wrong with the kernel or the launch that the simulation met.
struct Problem {
  enum class Kind : std::uint8_t {
    OutOfBounds,       ///< an address outside its array
    Misaligned,        ///< an address that is not a multiple of the width
    DivisionByZero,
    DivergentBarrier,  ///< a block barrier that not all lanes of a warp reach together
    SharedCapacity,    ///< more shared memory than the architecture has
    LaunchLimit,       ///< e.g. 1025 threads a block
    Budget,            ///< stopped early; sites not fully counted are Unknown
    UnboundedLoop,
  };
  Kind kind{};
  std::string message;
  std::optional<SiteId> site;
  SourceLocation location;
};

struct SimulationOptions {
  /// Upper bound of executed instructions (one warp, one instruction) before the rest is declared unknown.
  std::uint64_t max_steps = 30'000'000;
  /// Off: every block, warp and iteration is executed one by one. The slow reference that the fast path is tested against.
  bool classes = true;
};

struct SimulationResult {
  std::vector<SiteResult> sites;    ///< parallel to Program::sites
  std::vector<Problem> problems;
  std::uint64_t shared_bytes = 0;   ///< static + dynamic, as laid out
  std::uint64_t steps = 0;          ///< instructions executed, a measure of the simulation's own cost
  std::uint64_t block_classes = 0;  ///< distinct behaviours of blocks that were executed
};

SimulationResult simulate(const Program &program, const Launch &launch, const Architecture &architecture,
                          const SimulationOptions &options = {});

} // namespace smem
