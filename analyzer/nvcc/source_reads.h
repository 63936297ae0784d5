// Reads whose value nothing uses: they race as others do, and passes drop them.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace smem {

/// Until release_reads(), no pass drops a load of memory that is no local variable.
void retain_reads(llvm::Module &module);
void release_reads(llvm::Module &module);

} // namespace smem
