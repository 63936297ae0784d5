// What of the toolkit's mathematics branches, to cicc and to ptxas.
#pragma once

#include <cstdint>

#include <llvm/ADT/StringRef.h>

namespace llvm {
class CallBase;
class Instruction;
} // namespace llvm

namespace smem {

/// How a function of libdevice is built. Of 190 functions, each between two accesses that merge without it: PTX, and machine code of sm_90, read (nvcc 13.0).
enum class Branches : std::uint8_t {
  None,    ///< straight code
  Late,    ///< straight code to cicc; ptxas makes branches of its roots
  Forward, ///< branches that cicc sees
  Loops,   ///< loops or calls
};

/// `name` is libdevice's without `__nv_`: "sinf", "fast_sinf".
Branches branches_of_function(llvm::StringRef name);

/// Notes at a call what it is of, which the intrinsic that takes its place does not say.
void note_branches(llvm::CallBase &call, Branches branches);

/// What note_branches() noted; None for all else.
Branches branches_of(const llvm::Instruction &instruction);

} // namespace smem
