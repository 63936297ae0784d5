// memcpy, memmove and memset as the accesses that the back end makes of them.
#pragma once

namespace llvm {
class Function;
}

namespace smem::lower {

/// Calls of constant size become loads and stores; the others loops of bytes.
void expand_memory_intrinsics(llvm::Function &kernel);

} // namespace smem::lower
