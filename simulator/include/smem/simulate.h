// Program x Launch x Architecture -> what the counters would show for the whole launch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "smem/architecture.h"
#include "smem/formula.h"
#include "smem/launch.h"
#include "smem/least_work.h"
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
  std::uint32_t conflict_degree = 0;   ///< maximum over the requests
  std::uint64_t serial_wavefronts = 0; ///< of the wavefronts: as in memory_model.h
  std::uint64_t line_cycles = 0;       ///< of L1's tag stage, at least: loads of global memory (line_cycles.h)

  Counts &operator+=(const Counts &other);
  bool operator==(const Counts &) const = default;
};

/// A request worth showing to a person: the costliest one of the site, and where it happened.
struct Example {
  Request request; ///< shared: offsets into the shared window; global: relative to `array`'s base
  RequestCost cost;
  Dim3 block_index{0, 0, 0};
  std::uint32_t warp = 0;
};

/// Inclusive bounds of a figure.
struct Span {
  std::uint32_t least = 0, most = 0;
  bool operator==(const Span &) const = default;
};

/// What is known of requests whose addresses depend on data: each active lane has an index of its own, which may be anything in
/// its range.
struct DataDependence {
  std::uint64_t requests = 0; ///< such requests of the launch
  Span conflict_degree, wavefronts,
      sectors; ///< of one request, over all data: the best case and the worst; 0 in the other space
  /// Mean over the requests if the lanes' indices are independent of each other and every value in the range is equally likely.
  /// nullopt where that cannot be computed.
  std::optional<double> expected_degree, expected_wavefronts, expected_sectors;
  std::string range; ///< of the index, e.g. "0 to 31"; empty where it differs

  DataDependence &operator+=(const DataDependence &other);
};

/// What holds for every value of what nobody knows of a launch: arguments without a value, an extent of the grid.
struct SymbolicCounts {
  /// Empty: the counts are formulas. Else why not; what is below holds no figures then.
  std::string reason;
  SourceLocation reason_location;
  Span conflict_degree, wavefronts, sectors; ///< of a request; the same in all requests where the two are equal
  Formula requests_formula, wavefronts_formula, ideal_wavefronts_formula, sectors_formula, ideal_sectors_formula,
      tags_formula;
  /// Some formula rests on what is presumed of a parameter: that it is not negative and fits a signed integer.
  bool presumes = false;

  bool known() const { return reason.empty(); }
};

/// Of the sectors that requests of a site touch: how much of them is used. Sums over the requests of one block that could be followed; a
/// sector counts once for each request that touches it.
struct SectorUse {
  std::uint64_t sectors = 0;
  std::uint64_t own_bytes = 0; ///< that the request itself uses
  std::uint64_t bytes =
      0; ///< that it or its warp's other requests of the same kind use, from when the sector comes into L1 until it leaves

  SectorUse &operator+=(const SectorUse &other) {
    sectors += other.sectors;
    own_bytes += other.own_bytes;
    bytes += other.bytes;
    return *this;
  }
  bool operator==(const SectorUse &) const = default;
};

struct SiteResult {
  Verdict verdict = Verdict::Exact;
  std::string reason;                   ///< for Assumed and Unknown
  std::vector<Assumption> assumptions;  ///< Assumed: what the simulation supposed, as `reason` says
  std::vector<std::string> established; ///< ids of what it rests on and what measurements have shown to hold
  std::string note; ///< non-empty: what the hardware's counters, and so these counts, do not show of the access
  SourceLocation reason_location;        ///< e.g. the load that an index depends on
  Counts counts;                         ///< for Unknown: a lower bound, from the requests that are known
  std::optional<Example> shared_example; ///< worst shared request
  std::optional<Example> global_example; ///< worst global request
  std::optional<Example>
      loop_example; ///< of an atomic that is a loop of compare-and-swap, whatever is known of its counts: its cost is not filled in
  Space space = Space::Shared;            ///< as resolved for generic sites; AsyncCopy counts both
  bool executed = false;                  ///< some lane of the launch reaches it
  std::optional<DataDependence> data;     ///< Unknown because of data: what is known all the same
  std::optional<SymbolicCounts> symbolic; ///< where the launch leaves something open
  std::optional<SectorUse>
      sector_use; ///< filled in by count_sector_use(), for global memory; none: not looked at, or not known
};

/// Something wrong with the kernel or the launch that the simulation met.
struct Problem {
  enum class Kind : std::uint8_t {
    OutOfBounds, ///< an address outside its array
    Misaligned,  ///< an address that is not a multiple of the width
    DivisionByZero,
    DivergentBarrier, ///< a block barrier that not all lanes of a warp reach together
    SharedCapacity,   ///< more shared memory than the architecture has
    LaunchLimit,      ///< e.g. 1025 threads a block
    Budget,           ///< stopped early; sites not fully counted are Unknown
    UnboundedLoop,
  };
  Kind kind{};
  std::string message;
  std::optional<SiteId> site;
  SourceLocation location;
  enum class Holds : std::uint8_t {
    Launch,      ///< in the launch that was simulated
    AllLaunches, ///< whatever the values are that the launch leaves open
    WhereItRuns, ///< the same, where they let it run at all
  };
  Holds holds = Holds::Launch;
};

struct ProgramFacts;

/// A Program with all that is found out of it before it runs: of use where it is simulated several times.
class PreparedProgram {
public:
  /// `program` has to stay as it is, and where it is.
  explicit PreparedProgram(const Program &program);
  bool is_of(const Program &program) const { return &program == program_; }
  const std::shared_ptr<const ProgramFacts> &facts() const { return facts_; }

private:
  const Program *program_;
  std::shared_ptr<const ProgramFacts> facts_;
};

struct SimulationOptions {
  /// Upper bound of executed instructions (one warp, one instruction) before the rest is declared unknown.
  std::uint64_t max_steps = 30'000'000;
  /// Off: every block, warp and iteration is executed one by one. The slow reference that the fast path is tested against.
  bool classes = true;
  /// Asked for an end, the simulation returns as soon as it can, with nothing of use: `stopped`.
  std::stop_token stop;
  /// Of the program that is simulated, or null: it is found out again.
  std::shared_ptr<const PreparedProgram> prepared = nullptr;
};

struct SimulationResult {
  std::vector<SiteResult> sites; ///< parallel to Program::sites
  std::vector<Problem> problems;
  std::uint64_t shared_bytes = 0;  ///< static + dynamic, as laid out
  std::uint64_t steps = 0;         ///< instructions executed, a measure of the simulation's own cost
  std::uint64_t block_classes = 0; ///< distinct behaviours of blocks that were executed
  std::uint64_t least_budget = 0;  ///< if it is exhausted(): so many are estimated to be needed; 0: not known
  bool stopped = false;            ///< SimulationOptions::stop ended it: the rest is not to be used
  Dim3 typical_block{0, 0, 0};     ///< of those that behave alike and access memory, if any do, the most
  LeastWork least;                 ///< lower bounds, whatever the verdicts of sites are

  /// The budget was too small.
  bool exhausted() const;
};

/// Gives shared atomics that the compiler makes a loop of a site for its loads.
void add_loop_loads(Program &program, const Architecture &architecture);

SimulationResult simulate(const Program &program, const Launch &launch, const Architecture &architecture,
                          const SimulationOptions &options = {});

/// Whether the lanes lie more than a sector apart on average: each has sectors and most have lines of their own, which L1 is not counted on to keep.
bool lie_far_apart(const Request &request);

/// Follows the warps of the result's typical block, one by one, and fills in `sector_use` of its sites. At most `options.max_steps` steps
/// are taken; how many it were.
std::uint64_t count_sector_use(const Program &program, const Launch &launch, const Architecture &architecture,
                               const SimulationOptions &options, SimulationResult &result);

/// Which parts of a launch are not known: the counts are wanted for all of their values.
struct OpenLaunch {
  Launch launch;              ///< arguments that are open have no value; their facts hold
  std::array<bool, 3> grid{}; ///< axes along which the grid's extent is open
};

struct SymbolicResult {
  std::vector<SymbolicCounts> sites; ///< parallel to Program::sites
  std::vector<Problem>
      problems; ///< accesses outside of arrays, whatever the open values are; none of sites that are not known
  struct Quantity {
    std::string name;                      ///< as formulas have it
    std::optional<std::uint32_t> argument; ///< index; none: an extent of the grid
    std::optional<std::uint64_t> most;     ///< of an extent of the grid: the formulas hold up to so many blocks
  };
  std::vector<Quantity> quantities; ///< what the kernel reads and nobody knows
  std::uint64_t steps = 0;          ///< as SimulationResult's
  bool exhausted = false;           ///< the budget was too small
};

SymbolicResult simulate_symbolic(const Program &program, const OpenLaunch &open, const Architecture &architecture,
                                 const SimulationOptions &options);

} // namespace smem
