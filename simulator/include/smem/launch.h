// How a kernel is launched: what the program's leaves evaluate to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smem/assumption.h"
#include "smem/source.h"

namespace smem {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3 &) const = default;
};

/// Where a fact about a launch came from. Ordered from the strongest: an explicit wish of the user overrides what was
/// inferred.
enum class Provenance : std::uint8_t {
  Option,       ///< --launch, --set
  Comment,      ///< // smem-lint: launch …
  Config,       ///< .smem-lint.yaml
  Recorded,     ///< a measured launch
  HostCode,     ///< folded from <<<>>>
  LaunchBounds, ///< __launch_bounds__
  Assumed,      ///< a plausible shape; every verdict that depends on it is `assumed`
};

/// What is known of an integer argument without its value.
struct ArgumentFacts {
  static constexpr std::int64_t kMostModulus = 1 << 20;

  std::int64_t modulus = 1, remainder = 0; ///< value % modulus == remainder, 0 <= remainder < modulus
  std::optional<std::int64_t> least, most; ///< inclusive

  bool admits(std::int64_t value) const;
  bool empty() const { return modulus == 1 && !least && !most; }
  /// The admitted value that is nearest to `wanted`, rather above than below it; nullopt: none is.
  std::optional<std::int64_t> nearest(std::int64_t wanted) const;
  bool operator==(const ArgumentFacts &) const = default;
};

/// What is known of a block without its shape: of its x, y and z.
using BlockFacts = std::array<ArgumentFacts, 3>;
bool admits(const BlockFacts &facts, const Dim3 &block);

/// Which memory a pointer leads into, as far as host code or a recording tells. Two pointers whose allocations are both known and are not the same
/// share no byte, whatever is added to them.
struct PointerOrigin {
  static constexpr std::uint32_t kRecorded = UINT32_MAX; ///< all memory there was: `place` is the address itself

  std::uint32_t allocation = 0;       ///< 0: not known
  std::optional<std::uint64_t> place; ///< bytes from the allocation's start
  std::optional<std::uint64_t> bytes; ///< that the allocation has

  bool operator==(const PointerOrigin &) const = default;
};

/// A piece of a kernel argument: whole scalars have offset 0; fields of a struct passed by value have theirs.
struct ArgumentValue {
  std::uint32_t index = 0;  ///< parameter position
  std::uint64_t offset = 0; ///< bytes into the parameter
  std::uint32_t width_bits = 32;
  bool pointer = false;
  std::optional<std::int64_t> value; ///< scalars: the value, if known. Pointers: byte offset from their allocation.
  std::uint64_t alignment = 256;     ///< pointers: known alignment of the allocation (cudaMalloc gives 256)
  Provenance provenance = Provenance::HostCode;
  ArgumentFacts facts{};           ///< scalars
  SourceLocation facts_location{}; ///< of the code that says them; unknown: they are stated
  PointerOrigin origin{};          ///< pointers

  bool operator==(const ArgumentValue &) const = default;
};

/// A quantity that host code leaves free and that was given a value, the same wherever it occurs.
struct ChosenQuantity {
  std::string name;   ///< as the source writes it: "n", "x.size(0)"
  std::string origin; ///< "parameter of encode"
  std::int64_t value = 0;
  bool operator==(const ChosenQuantity &) const = default;
};

/// What host code writes for a part of a launch, where it names nothing but chosen quantities.
struct LaunchExpression {
  std::string part; ///< "grid", "block", "dynamic" or the kernel's parameter
  std::string text; ///< "(n + 127) / 128"
  bool operator==(const LaunchExpression &) const = default;
};

struct Launch {
  std::string mangled; ///< the kernel
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<ArgumentValue> arguments;
  Provenance shape_provenance = Provenance::HostCode;
  bool grid_known = true; ///< false: `grid` is a plausible one
  std::uint64_t least_global_alignment =
      1; ///< bytes: of every __device__ variable, where more is supposed than it is declared with
  bool block_known = true, dynamic_known = true; ///< the same of the others
  BlockFacts block_facts{};                      ///< of a block that is not known, or of those of all launches
  /// Bit BlockShape: those that blocks may have of which this is known, and of the kernel's bounds.
  std::uint8_t block_shapes = UINT8_MAX;
  bool contradicted = false; ///< what is stated of it and host code exclude each other: it excludes no other launch
  bool reached = true; ///< false: in a branch that host code does not enter with the values that it was followed with
  bool consistent = true;     ///< false: under every launch that was tried the kernel leaves its arrays
  SourceLocation location;    ///< the <<<>>> (or comment) it came from, where there is one
  SourceLocation called_from; ///< the call in another translation unit that leads to it, where there is one
  /// Dynamic shared memory that host code lets the kernel have (cudaFuncSetAttribute); UINT64_MAX: an amount that is not known.
  std::uint64_t opted_in_bytes = 0;
  std::vector<Assumption> assumptions;
  std::vector<std::string>
      template_arguments; ///< of the kernel, that nothing in the source says and that were assumed: "SEQ=32"
  std::vector<std::string>
      not_known; ///< parts without a value, and why: "n: depends on a loop whose iterations are not followed"
  std::vector<ChosenQuantity> chosen; ///< what was chosen for the parts of it that are not known
  std::vector<LaunchExpression> expressions;

  bool operator==(const Launch &) const = default;
};

/// What holds of a value of which one of the two does.
ArgumentFacts either(const ArgumentFacts &a, const ArgumentFacts &b);
/// Both; nullopt if no value satisfies both.
std::optional<ArgumentFacts> combine(const ArgumentFacts &a, const ArgumentFacts &b);
std::optional<BlockFacts> combine(const BlockFacts &a, const BlockFacts &b);
/// Of launches that are taken for one, whose pointers lead elsewhere: leaves of `kept` the origins by which no two pointers are further apart than
/// they are in `other`.
void keep_common_origins(std::vector<ArgumentValue> &kept, const std::vector<ArgumentValue> &other);
/// Whether some value satisfies the facts and leaves `remainder` when it is divided by `modulus`.
bool admits_remainder(const ArgumentFacts &facts, std::int64_t modulus, std::int64_t remainder);
/// "n % 32 == 0, n >= 1024"; empty when nothing is known.
std::string to_string(const ArgumentFacts &facts, std::string_view name);

/// Their texts, with "; " in between.
std::string to_string(const std::vector<Assumption> &assumptions);

std::string to_string(const Dim3 &dim);            // "(32,8,1)"
std::string_view to_string(Provenance provenance); // "host code", "launch bounds", …

} // namespace smem
