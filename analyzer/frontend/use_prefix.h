// A compilation that goes on after a prefix.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <llvm/ADT/IntrusiveRefCntPtr.h>

#include "frontend/prefix.h"

namespace clang {
class CompilerInvocation;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace smem {

/// Has a compilation begin with a prefix. It reads it from the files that this returns: those of `files` and the prefix, which has to live as long.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> begin_with(const Prefix &prefix, clang::CompilerInvocation &unit,
                                                           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

/// What of Clang's predefines comes after the prefix, whose last header is `last`.
struct LaterPredefines {
  std::string text;
  std::size_t left_out = 0; ///< bytes
};
/// Nothing if `predefines` do not include it.
std::optional<LaterPredefines> later_predefines(std::string_view predefines, const std::string &last);

} // namespace smem
