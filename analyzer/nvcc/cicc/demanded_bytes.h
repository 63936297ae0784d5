// Loads of which only some bytes are used.
#pragma once

namespace llvm {
class DemandedBits;
class Function;
} // namespace llvm

namespace smem::lower {

/// `load & 255` of a 32-bit word becomes a load of a byte, as in nvcc's machine code.
void demand_bytes(llvm::Function &kernel, llvm::DemandedBits &demanded);

} // namespace smem::lower
