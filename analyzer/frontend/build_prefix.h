// Precompiling the headers of a prefix.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "frontend/prefix.h"

namespace clang {
class CompilerInvocation;
} // namespace clang

namespace smem {

/// What a prefix with the headers that a source begins with goes on from.
struct Continuation {
  std::shared_ptr<const Prefix> base; ///< null: there is nothing before it, and the rest is empty
  std::string last;                   ///< the last header of `base`, as the command line names it
  std::vector<std::string> guards;    ///< macros that the source defines before those headers
};

/// Parses what prefix_invocation() made, or with_leading_headers() of it. A prefix without a tree where the headers have an error, or where one of them is not a system header: what is
/// asked of the user's own files is asked while they are parsed. After another neither if one of the headers changes something when it is included again, or has a name of the guards.
/// Nothing if an end was asked for.
std::optional<Prefix> build_prefix(const std::shared_ptr<clang::CompilerInvocation> &headers, const Continuation &after,
                                   std::stop_token stop);

} // namespace smem
