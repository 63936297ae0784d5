// What the compiler moves no access past.
#pragma once

namespace llvm {
class Instruction;
} // namespace llvm

namespace smem::lower {

/// Reads or writes memory, or waits, as far as the machine code knows: not inline PTX that is about registers, `asm volatile` or not, and no hint to the optimiser.
bool orders_memory(const llvm::Instruction &instruction);

} // namespace smem::lower
