// What the compiler merges no accesses across.
#pragma once

namespace llvm {
class Instruction;
} // namespace llvm

namespace smem::lower {

/// Reads or writes memory, or waits, as far as the machine code knows: not inline PTX that is about registers, `asm volatile` or not, and no hint to the optimiser.
bool orders_memory(const llvm::Instruction &instruction);

/// Which accesses to shared memory ptxas keeps apart where the instruction stands between them.
struct KeptApart {
  bool loads = false, stores = false;
  bool dependent_loads = false; ///< perhaps loads, where it computes from one: read in machine code both ways
  bool perhaps_loads = false;   ///< perhaps loads: read both ways
  bool by_ptxas_alone = false;  ///< cicc sees straight code, and has merged what is declared aligned
};

/// Of what is no plain load or store. What exchanges registers in a warp, reads a clock, computes on tensor cores or accesses global memory, an atomic
/// too, keeps none apart; what only reads shared memory, may end the thread, or is written out with branches (divisions and roots, libdevice) keeps stores
/// apart (validate/RULES.md, "What the compiler merges").
KeptApart kept_apart_by(const llvm::Instruction &instruction);

/// A barrier that loads do not move past: not what exchanges registers in a warp or computes on tensor cores, which is convergent as well.
bool is_barrier_to_loads(const llvm::Instruction &instruction);

/// Shuffles, votes, matches and reductions over a warp: registers of other lanes are read, and nothing else.
bool exchanges_registers(const llvm::Instruction &instruction);

} // namespace smem::lower
