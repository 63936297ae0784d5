// Functions that hand their arguments on to one of libdevice's.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace smem {

/// Clang's headers have functions around those of libdevice, which in nvcc the kernel itself calls: what these promise of memory holds of the functions around them, too.
/// After describe_libdevice() has said what that is.
void promise_where_handed_on(llvm::Module &module);

} // namespace smem
