// Which part of a compilation can be its prefix, and what decides that part.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/prefix.h"

namespace clang {
class CompilerInvocation;
} // namespace clang

namespace smem {

/// The file that a prefix is precompiled as; no such file exists.
inline constexpr const char *kPrefixSource = "/smem-lint/prefix.cu";

/// The compilation of the headers of `unit` that are included before all others and before the source: Clang's, the toolkit's and ours. Null if there are none,
/// or if something of the user's comes before them.
std::shared_ptr<clang::CompilerInvocation> prefix_invocation(const clang::CompilerInvocation &unit);

/// The same with the first of `names` after them, each twice, as far as they are found among system headers. Null if that is none, or if `unit` includes other headers before its source.
std::shared_ptr<clang::CompilerInvocation> with_leading_headers(const clang::CompilerInvocation &prefix,
                                                                const clang::CompilerInvocation &unit,
                                                                const std::vector<std::string> &names);

/// The last header that the command line of `unit` has of a prefix, as it names it.
std::string last_prefix_header(const clang::CompilerInvocation &unit);

/// All that decides a prefix besides contents of files.
std::string prefix_key(const clang::CompilerInvocation &prefix);

/// Whether `unit` has the headers that a prefix was made of: its folders have no others, it has no texts of its own for them, and none of them is the source
/// itself.
bool fits(const Prefix &prefix, const clang::CompilerInvocation &unit);

} // namespace smem
