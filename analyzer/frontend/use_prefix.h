// A compilation that goes on after a prefix.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <llvm/ADT/IntrusiveRefCntPtr.h>

#include "frontend/leading_headers.h"
#include "frontend/prefix.h"

namespace clang {
class CompilerInvocation;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace smem {

/// The prefix of a compilation, made if the store has none. Null: there is none that fits. It has the leading headers, too, where the store has such a one, or
/// where it is to be made.
std::shared_ptr<const Prefix> prefix_for(const clang::CompilerInvocation &unit, const LeadingHeaders &leading,
                                         bool precompile_leading, PrefixStore &store, std::stop_token stop);

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
