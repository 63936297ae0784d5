// What is compared, and what comes out of it. See docs/output.md for the two inputs' own descriptions.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem::compare {

struct Figures {
  std::uint64_t requests = 0; ///< reported, not compared: the hardware's count includes those with all lanes off
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0, sectors = 0, ideal_sectors = 0, tags = 0;

  Figures &operator+=(const Figures &other);
  bool operator==(const Figures &) const = default;
  /// Whether everything that is compared agrees.
  bool agrees_with(const Figures &other) const;
  /// Nothing but, perhaps, requests without an active lane.
  bool nothing() const { return agrees_with({}); }
};

/// The five that are compared, in the order in which they are shown.
struct Column {
  const char *key, *title;
  std::uint64_t Figures::*value;
};
extern const std::array<Column, 5> columns;

struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::optional<std::uint64_t> pc = {}; ///< without a line: of the instruction itself, in its function
  auto operator<=>(const Place &) const = default;
};

enum class Space { Shared, Global };
enum class Operation { Load, Store, Atomic, AsyncCopy, MatrixLoad, MatrixStore, MatrixMultiply, BulkCopy, Undecoded };
const char *to_string(Space space);
const char *to_string(Operation operation);

enum class Claim { Exact, Assumed, Unknown };
const char *to_string(Claim claim);

struct Dim3 {
  std::uint64_t x = 1, y = 1, z = 1;
  auto operator<=>(const Dim3 &) const = default;
};

struct Configuration {
  Dim3 grid, block;
  std::uint64_t dynamic_shared = 0;
  auto operator<=>(const Configuration &) const = default;
};
std::string to_string(const Configuration &configuration);

// --- Prediction ---------------------------------------------------------------------------------------------------------

struct PredictedSite {
  std::vector<Place> chain; ///< innermost first
  Space space = Space::Shared;
  Operation operation = Operation::Load;
  unsigned width = 0; ///< bits of a lane
  std::string expression, reason;
  Claim claim = Claim::Exact;
  bool line_assumed = false; ///< machine code may count it on another line
  Figures figures;           ///< of an unknown site: nothing
  bool operator==(const PredictedSite &) const = default;
};

struct PredictedLaunch {
  std::string kernel, mangled;
  Place place;
  Configuration configuration;
  std::size_t record = 0; ///< the line of the recording that the launch was taken from; 0: of none
  std::vector<PredictedSite> sites;
};

/// Of a source file; empty where the input has none.
using Hashes = std::map<std::string, std::string>;

struct Prediction {
  std::string arch;
  std::vector<PredictedLaunch> launches;
  Hashes hashes;
  bool by_pc = false; ///< some of its sites have no line, and are joined by their instructions
};

// --- Measurement --------------------------------------------------------------------------------------------------------

struct Instruction {
  std::string function;
  std::uint64_t pc = 0;
  std::string opcode; ///< empty: not decoded
  unsigned width = 0; ///< 0: not known
  std::vector<Place> chain;
  Figures figures;
  bool operator==(const Instruction &) const = default;
};

struct MeasuredLaunch {
  std::size_t index = 0;
  std::size_t record = 0; ///< its line in the recording
  std::string kernel, mangled, result;
  Configuration configuration;
  bool has_lines = true;
  std::vector<Instruction> instructions;
};

struct Measurement {
  std::string gpu, chip, compute_capability, date;
  std::vector<MeasuredLaunch> launches;
  Hashes hashes;
  std::vector<std::string> warnings;
};

// --- Comparison ---------------------------------------------------------------------------------------------------------

enum class Verdict { ///< from good to bad
  Exact,
  Unstable, ///< measurements of the program have different integers: there is none to compare with
  Unknown,
  Mismatch
};
const char *to_string(Verdict verdict);

enum class Cause {
  None,
  Merged,       ///< adjacent accesses became wider ones
  Split,        ///< or narrower ones
  Dropped,      ///< fewer, or none, were executed
  Repeated,     ///< more were executed
  Attribution,  ///< the same totals on a neighbouring line
  NotPredicted, ///< nothing was predicted there
  Undecoded,    ///< an instruction that the tables do not know
  Undetermined, ///< launches that look alike, or measurements of one, have different counts
  Model         ///< same instructions, other counts
};
const char *to_string(Cause cause);

struct Row {
  Place place; ///< of several lines that are one row: the first
  Space space = Space::Shared;
  Operation operation = Operation::Load;
  std::optional<Figures> predicted, measured;
  Claim claim = Claim::Exact; ///< the weakest of the sites
  std::vector<const PredictedSite *> sites;
  std::vector<const Instruction *> instructions;

  Verdict verdict = Verdict::Exact;
  Cause cause = Cause::None;
  std::string reason; ///< of a mismatch, why it is unknown, or where it is counted instead of its line

  bool false_claim() const { return verdict == Verdict::Mismatch && predicted && claim == Claim::Exact; }
};

struct LaunchComparison {
  const PredictedLaunch *predicted = nullptr;
  std::vector<const MeasuredLaunch *> measured; ///< more than one: launches that look alike
  std::vector<Row> rows;                        ///< by file, line, space, operation
  std::size_t ignored_instructions = 0;         ///< whose lanes were all off, where nothing was predicted
  std::size_t ignored_sites = 0;                ///< predicted never to run, and not there
  bool spills = false;
};

struct Unmatched {
  std::string kernel;
  Configuration configuration;
  std::string reason;
};

struct Summary {
  std::size_t launches = 0, rows = 0, exact = 0, unknown = 0, mismatch = 0, false_claims = 0;
  /// The same rows by what was claimed, the counters saying whether it was right. With `unknown` they add up to `rows`; `exact_wrong` are the false claims.
  std::size_t exact_right = 0, exact_wrong = 0, assumed_right = 0, assumed_wrong = 0;
  std::size_t missing = 0;  ///< counted by the hardware, and nothing was predicted there
  std::size_t unstable = 0; ///< not among the rows
  std::size_t ignored_instructions = 0, ignored_sites = 0;
  std::map<Cause, std::size_t> causes;
};

struct Comparison {
  std::vector<LaunchComparison> launches;
  std::vector<Unmatched> only_predicted, only_measured;
  std::vector<std::string> other_versions; ///< source files that changed between prediction and measurement
  std::vector<std::string> warnings;
  Summary summary;
};

} // namespace smem::compare
