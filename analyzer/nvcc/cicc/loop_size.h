// How large loops are in nvcc's measure.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/StringRef.h>

#include "nvcc/rules/rules.h"

namespace llvm {
class Loop;
}

namespace smem {

/// In `!llvm.loop`: how many copies of inner loops have become straight code in one iteration. To nvcc an instruction is left of each when it looks at the loop around them.
inline constexpr llvm::StringLiteral kStraightened = "smem_lint.straightened";

/// Instructions of one iteration; nothing for a loop that must stay as it is.
std::optional<unsigned> size_of(const llvm::Loop &loop, const CompilerRules &rules);

/// By how much a body may be larger to nvcc than here (validate/RULES.md, "Where the compiler unrolls"). Where numbers are added to indices (`in[i + 9]`), LLVM has them in an instruction of
/// the address, in an index of 64 bits, or before the loop; nvcc may add, and extend, each by itself. Of branches, LLVM may have seen that one decides the next.
unsigned size_margin(const llvm::Loop &loop, const CompilerRules &rules);

/// What LLVM does not count: functions of mathematics are inlined by then, and exchanges between lanes are several instructions.
std::uint64_t hidden_size(const llvm::Loop &loop, const CompilerRules &rules);

/// Does an index into a local array, or into one that was handed over by value, change with the iteration?
bool steps_through_local_array(const llvm::Loop &loop);

} // namespace smem
