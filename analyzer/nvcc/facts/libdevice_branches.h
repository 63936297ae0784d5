// What of the toolkit's mathematics branches, to cicc and to ptxas.
#pragma once

#include <cstdint>

#include <llvm/ADT/StringRef.h>

namespace llvm {
class CallBase;
class Function;
class Instruction;
} // namespace llvm

namespace smem {

/// How a function of libdevice is built. Of 190 functions, each between two accesses that merge without it, and each called twice with the same arguments: PTX, and machine
/// code of sm_90, read (nvcc 13.0).
enum class Branches : std::uint8_t {
  None,    ///< straight code
  Late,    ///< straight code to cicc; ptxas makes branches of its roots
  Forward, ///< branches that cicc sees
  Loops,   ///< loops or calls
  Table, ///< loops, and a table in memory: cicc finds no common value of two calls, which it does of all others before it inlines them
};

/// `name` is libdevice's without `__nv_`: "sinf", "fast_sinf".
Branches branches_of_function(llvm::StringRef name);

/// Notes at a call what it is of, which the intrinsic that takes its place does not say.
void note_branches(llvm::CallBase &call, Branches branches);

/// What note_branches() noted; None for all else.
Branches branches_of(const llvm::Instruction &instruction);

/// Whether what the arguments are known to be may decide the branches: of a constant cicc computes the function, and ptxas knows ranges of floating-point numbers (`0 * w`,
/// `__saturatef(w)`, `__sinf(w)`), not of converted integers (33 arguments of 13 functions, machine code compared).
bool may_be_without_branches(const llvm::CallBase &call);

/// Whether cicc has blocks where the model has a call.
bool is_blocks_to_cicc(const llvm::Instruction &instruction);

/// Tells apart all calls in `function` that cicc finds no common value of. No pass takes calls with different attributes for the same.
void tell_calls_apart(llvm::Function &function);

} // namespace smem
