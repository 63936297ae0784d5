// Which prefix a compilation can begin with.
#pragma once

#include <memory>
#include <stop_token>

#include "frontend/leading_headers.h"
#include "frontend/prefix.h"

namespace clang {
class CompilerInvocation;
} // namespace clang

namespace smem {

/// The prefix of a compilation, made if the store has none. Null: there is none that fits. Leading headers are part of it where the store has such a one; it is made the second time
/// that a source begins with them, or at once if that is asked for.
std::shared_ptr<const Prefix> prefix_for(const clang::CompilerInvocation &unit, const LeadingHeaders &leading,
                                         bool precompile_leading, PrefixStore &store, std::stop_token stop);

} // namespace smem
