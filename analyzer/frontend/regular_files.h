// What the compiler may open.
#pragma once

#include <cstddef>
#include <string>

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace smem {

/// No source is longer: generated ones have a few MiB.
inline constexpr std::size_t kLargestSource = std::size_t{64} << 20;

/// The files of the machine, of which only regular ones of at most
/// kLargestSource bytes can be opened: a device has no end, and opening a pipe
/// waits. Why not is the text of the error ("it is a device, and only regular
/// files are read"), with which Clang refuses an `#include` or `#embed`.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> regular_files();

} // namespace smem
