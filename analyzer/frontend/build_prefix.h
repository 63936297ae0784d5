// Precompiling the headers of a prefix.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "frontend/prefix.h"

namespace clang {
class CompilerInvocation;
} // namespace clang

namespace smem {

/// Parses what prefix_invocation() made. A prefix without a tree where the headers have an error, or where one of them is not a system header: what is
/// asked of the user's own files is asked while they are parsed. Nothing if an end was asked for.
std::optional<Prefix> build_prefix(const std::shared_ptr<clang::CompilerInvocation> &headers, std::stop_token stop);

} // namespace smem
