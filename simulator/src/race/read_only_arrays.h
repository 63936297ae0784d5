// Arrays in global memory that a kernel only reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "machine.h"
#include "race/passed_pointers.h"

namespace smem::race {

/// A pointer among the arguments that the kernel reads by, where nothing in it writes what the pointer may lead to.
struct ReadOnlyArray {
  PassedPointer pointer;
  DimensionId symbol = 0;
  std::vector<std::uint32_t> loads{}; ///< the operations that read by it
  bool taken_apart = false; ///< if it leads to none of the arrays that the kernel writes by pointers to the like
};

/// None where it is not known what a store or an atomic of the kernel writes. What pointers to pointers lead to is left out: it is written
/// through them. `taken_apart`: so are those that may lead to what is written by another pointer, unless the launch is known to pass one allocation.
std::vector<ReadOnlyArray> read_only_arrays(Machine &machine, bool taken_apart = false);

/// Whether what a store leaves may be made of what is loaded from global memory.
bool may_store_what_is_loaded(const Program &program);

/// Numbers that are one for whoever loads them: from one place of such an array, for all lanes of a warp. Loads that something else may change
/// meanwhile (volatile ones) are left out.
class LoadedNumbers {
public:
  explicit LoadedNumbers(Machine &machine);

  /// Of the operation's part at `offset`, `width` bits wide; `address` is one for all lanes of `mask`. nullopt: of what may change.
  std::optional<DimensionId> symbol_of(std::uint32_t operation, const ValuePart &part, const Value &address,
                                       LaneMask mask, std::uint32_t reason);

private:
  Machine &machine_;
  std::set<std::uint32_t> loads_; ///< operations that read such arrays
  std::map<std::vector<std::int64_t>, DimensionId> known_;
};

} // namespace smem::race
