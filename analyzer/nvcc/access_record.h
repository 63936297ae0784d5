// What the model notes on one access, a load, a store or an atomic of IR, beside what IR says of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nvcc/uncertainties.h"

namespace llvm {
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace smem {

/// What nvcc does with the debug location of an access that is hoisted.
enum class LocationOfHoisted {
  Drops,   ///< as of most accesses
  Keeps,   ///< of a load in a loop that is to be unrolled
  HasKept, ///< and it was hoisted
  HasDropped,
};

/// Where an access stands in the source, for as long as LLVM's passes may take its debug location away.
struct AccessOrigin {
  std::optional<unsigned> location = {}; ///< a row of the module's table (lines/original_locations.h)
  LocationOfHoisted hoisted = LocationOfHoisted::Drops;
  bool operator==(const AccessOrigin &) const = default;
};

/// One record for an access, from code generation on: it goes where the instruction goes, its clones have it, hoisting leaves it, and what the model merges of several
/// has what is assumed of each (merged()). What LLVM's passes combine has none: of that, and of all that is gone by the end, uncertainty.h tells by the line.
struct AccessRecord {
  /// During optimisation.
  std::optional<AccessOrigin> origin = {};
  /// Its counts are those of machine code only under these assumptions; the last one is named by the verdict of its site.
  std::vector<Uncertainty> assumed = {};
  /// A load of an aligned row of four elements: bytes of the row before it.
  std::optional<std::uint32_t> offset_in_row = {};
  /// Where it was merged of accesses of several objects, or its address is computed from another object's: those of them that are shared arrays.
  std::optional<std::vector<const llvm::GlobalVariable *>> arrays = {};
  enum class InlinePtx {
    No,
    Statement,
    ReadOnlyLoad
  } inline_ptx = InlinePtx::No; ///< what the source has; the latter: __ldg()
  bool past_l1 = false;         ///< a load that does not look into L1
  std::string cache =
      {}; ///< how inline PTX loads through the caches, "nc" of __ldg(); nvcc makes no two loads one that do so in different ways
  std::uint32_t filled = 0;      ///< bytes at the end of a load that nvcc has made wider than what the source loads
  bool hidden_alignment = false; ///< cicc may not know how it is aligned (cicc/index_terms.h)

  bool operator==(const AccessRecord &) const = default;
};

/// An empty one if nothing was noted.
AccessRecord record_of(const llvm::Instruction &access);
void set_record(llvm::Instruction &access, const AccessRecord &record);

/// Of an access that is made of two: what is assumed of either.
AccessRecord merged(AccessRecord record, const AccessRecord &other);

/// The counts of `access` are those of machine code only under that assumption as well.
void assume(llvm::Instruction &access, Uncertainty kind);
/// Where it stands in the source; passes ask for nothing else, and often.
std::optional<AccessOrigin> origin_of(const llvm::Instruction &access);
void set_origin(llvm::Instruction &access, std::optional<AccessOrigin> origin);

/// What has been assumed of `access` last.
std::optional<Uncertainty> assumed(const llvm::Instruction &access);

} // namespace smem
