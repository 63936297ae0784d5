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

/// Parses what prefix_invocation() or with_leading_headers() made. A prefix without a tree where the headers have an error, or where one of them is not a system header: what is
/// asked of the user's own files is asked while they are parsed. Of leading headers neither if one of them has a kernel, would change something when it is included again, or has a name of
/// `guards`, macros that the source defines before them. Nothing if an end was asked for.
std::optional<Prefix> build_prefix(const std::shared_ptr<clang::CompilerInvocation> &headers,
                                   const std::vector<std::string> &guards, std::stop_token stop);

} // namespace smem
