// By which pointers a kernel reads and writes global memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "machine.h"
#include "race/memories.h"
#include "race/passed_pointers.h"

namespace smem::race {

class PointerUses {
public:
  /// Gives all pointers among the arguments symbols.
  explicit PointerUses(Machine &machine);

  /// By operation.
  const std::vector<AddressOrigin> &origins() const { return origins_; }
  /// The pointer among the arguments of this symbol; null: it is none.
  const PassedPointer *pointer_of(DimensionId symbol) const;

  static bool is_in_global_memory(const MemoryOperation &operation, const AddressOrigin &origin);
  static bool only_reads(const MemoryOperation &operation);

  /// Whether two operations, one of which writes, may meet although they go by two pointers, or by a pointer and a variable: nothing but `__restrict__`, types and what host code passes tells
  /// them apart. False of what goes by one.
  bool may_meet_by_two(std::uint32_t one, std::uint32_t other) const;

private:
  const Program &program_;
  std::vector<AddressOrigin> origins_;
  std::map<DimensionId, PassedPointer> pointers_;
};

} // namespace smem::race
