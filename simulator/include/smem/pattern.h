// What one warp's request costs at each memory instruction, as statements about all launches of a kernel.
//
// A request's cost depends on the differences between its lanes' addresses and on the remainder of one of them; what is the same in all lanes
// (a parameter, a loop counter, the block's index) matters by its remainder at most. So the cost is often known where sizes, grids and trip
// counts are not. Claims rest on these presumptions: an index of 32 bits or more does not wrap around between the lanes of one warp; a quantity
// keeps its value between 32 and 64 bits (sizes are below 2^31); addresses are multiples of the access's width (others fault).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "smem/architecture.h"
#include "smem/launch.h"
#include "smem/memory_model.h"
#include "smem/program.h"

namespace smem {

enum class PatternVerdict : std::uint8_t {
  Always, ///< one cost, whatever the launch
  Cases, ///< one of several, each under a condition. With a reason: which tells why some shapes of blocks have no case; else all launches have one
  Data,  ///< depends on what is loaded from memory
  Unknown, ///< the reason says why
};
std::string_view to_string(PatternVerdict verdict); // "always" | "cases" | "data" | "unknown"

/// How threads are laid out in warps, as far as it decides what lanes hold.
enum class BlockShape : std::uint8_t {
  WholeWarps, ///< blockDim.x is a multiple of 32
  Line,       ///< blockDim.y = blockDim.z = 1, and blockDim.x is no multiple of 32
  Rows16,     ///< blockDim.x = 16, blockDim.y a multiple of 2
  Rows8,      ///< blockDim.x = 8, blockDim.y a multiple of 4
  Rows4,      ///< blockDim.x = 4, blockDim.y a multiple of 8
  Other,      ///< none of the above
};
inline constexpr unsigned kBlockShapes = 6;
inline constexpr std::uint8_t kAllShapes = (1U << kBlockShapes) - 1; ///< bit BlockShape
BlockShape shape_of(std::uint32_t x, std::uint32_t y, std::uint32_t z);
/// Bit BlockShape: those that blocks of at most so many threads may have of which this is known.
std::uint8_t shapes_of(const BlockFacts &facts, std::uint32_t most_threads);

/// One condition of a case. Those of a case hold together.
struct PatternCondition {
  enum class Kind : std::uint8_t {
    Shape,    ///< the block's shape is one of `shapes`
    Argument, ///< the quantity, a piece of an argument, is one of `values`, or else its remainder modulo `modulus` is one of `remainders`
    Quantity, ///< the same of something that no launch states: a loop counter, a loaded value. Without values and remainders see is_joint()
    Lanes,    ///< the active lanes are `lanes`
    FewerLanes, ///< they are some of `lanes`, but not all
    Address,    ///< the first active lane's address, modulo `modulus`, is one of `remainders`
    Source,     ///< the same of the address that an asynchronous copy reads
  };
  Kind kind{};
  std::uint8_t shapes = 0;        ///< bit BlockShape
  std::uint32_t argument = kNone; ///< Argument: position, byte offset and bits
  std::uint64_t offset = 0;
  std::uint8_t width = 32;
  std::int64_t divisor = 1;         ///< the quantity is that piece divided by it, rounded towards zero,
  std::int64_t plus = 0;            ///< and this added
  std::string name;                 ///< of the quantity
  bool none = false;                ///< Argument, Quantity: neither one of `values` nor of `remainders`
  std::vector<std::int64_t> values; ///< ascending
  std::uint32_t modulus = 1;
  std::vector<std::uint32_t> remainders; ///< ascending
  std::int64_t near = 0;                 ///< remainders are meant of values whose magnitude is at least this
  LaneMask lanes = 0;

  bool operator==(const PatternCondition &) const = default;
};

struct PatternCase {
  std::vector<PatternCondition> when; ///< empty: always
  std::uint32_t wavefronts = 0, ideal_wavefronts = 0, conflict_degree = 0, sectors = 0,
                ideal_sectors = 0; ///< of one request; 0 in the other space
  bool at_most = false;            ///< the figures are upper bounds

  bool same_cost(const PatternCase &other) const {
    return wavefronts == other.wavefronts && ideal_wavefronts == other.ideal_wavefronts &&
           conflict_degree == other.conflict_degree && sectors == other.sectors &&
           ideal_sectors == other.ideal_sectors && at_most == other.at_most;
  }
  bool operator==(const PatternCase &) const = default;
};

/// What a launch passes that may decide a cost, by the flow of values in the program. More may stand here than does.
struct PatternInputs {
  struct Piece {
    std::uint32_t argument = kNone;
    std::uint64_t offset = 0;
    std::uint8_t width = 32;
    bool operator==(const Piece &) const = default;
  };
  std::vector<Piece> address; ///< the address is computed from
  std::vector<Piece> guards;  ///< beside those: which lanes come there, and whether any does
  bool grid_in_address = false, grid_in_guards = false;
  bool block_in_guards = false; ///< its size, beside the threads that there are

  bool operator==(const PatternInputs &) const = default;
};

/// Bit BlockShape: those of the blocks that the case is of.
std::uint8_t shapes_of(const PatternCase &one);

struct Pattern {
  PatternVerdict verdict = PatternVerdict::Unknown;
  std::vector<PatternCase> cases; ///< Always: one. Cases: several, or one that is an upper bound
  std::string reason;             ///< Data, Unknown; Cases: where they do not cover all shapes of blocks
  SourceLocation reason_location;
  bool reached = true; ///< false: no lane of any launch comes there
  PatternInputs inputs;

  bool operator==(const Pattern &) const = default;
};

/// Every launch has one of its costs.
inline bool covers_all_launches(const Pattern &pattern) { return !pattern.cases.empty() && pattern.reason.empty(); }

/// One of several cases, by what no condition says: quantities that have no words, or what `name` tells instead.
bool is_joint(const PatternCondition &condition);
/// A joint condition: of instructions that are one to the reader, copies of a loop's body say, it holds of some only.
bool is_of_some_copies(const PatternCondition &condition);

/// Of instructions that are one to the reader: what holds of each of them. Cases that are not those of all have a condition that says so.
Pattern either(const Pattern &a, const Pattern &b);

/// Finds the patterns of programs, and works out what requests cost once for all of them.
class PatternFinder {
public:
  explicit PatternFinder(const Architecture &architecture);
  ~PatternFinder();

  /// By Program::sites. Its work is bounded by a number of interpretations, each linear in the size of the program. Does not depend on which
  /// programs were looked at before; may be called from several threads.
  std::vector<Pattern> find(const Program &program) const;

private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

/// Of a single program.
std::vector<Pattern> find_patterns(const Program &program, const Architecture &architecture);

/// "blockDim.x % 32 == 0 and all lanes are active"; empty for no condition.
std::string to_string(const std::vector<PatternCondition> &when);

} // namespace smem
