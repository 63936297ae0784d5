// How large loops are in nvcc's measure.
#pragma once

#include <cstdint>
#include <optional>

#include "nvcc/rules/rules.h"

namespace llvm {
class Loop;
}

namespace smem {

/// Instructions of one iteration; nothing for a loop that must stay as it is.
std::optional<unsigned> size_of(const llvm::Loop &loop, const CompilerRules &rules);

/// What LLVM does not count: functions of mathematics are inlined by then, and exchanges between lanes are several instructions.
std::uint64_t hidden_size(const llvm::Loop &loop, const CompilerRules &rules);

/// Does an index into a local array, or into one that was handed over by value, change with the iteration?
bool steps_through_local_array(const llvm::Loop &loop);

} // namespace smem
