// Plain loads and stores that are written as inline PTX.
#pragma once

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace smem::lower {

/// ptxas sees `ld.shared.f32`, not who wrote it: such statements become loads and stores of IR, so that they merge with
/// their neighbours and duplicates go as in the machine code. Volatile, guarded and more involved ones stay.
void expand_inline_ptx(llvm::Function &kernel);

/// Is this a load made of such a statement?
bool was_inline_ptx(const llvm::Instruction &access);

/// Is this a load made of a call of __ldg()?
bool was_read_only_load(const llvm::Instruction &access);

/// Does L1 not keep what this load fetches?
bool bypasses_l1(const llvm::Instruction &access);

} // namespace smem::lower
