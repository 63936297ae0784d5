// Macros of the command line, and headers that nvcc does not include.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace clang {
class PreprocessorOptions;
}

namespace smem {

/// Where user_macros_behind_headers() puts macros; no such file exists.
inline constexpr const char *kUserMacros = "/smem-lint/user-macros.h";

/// Where among the headers of a command line those end that come before the user's code: Clang's, the toolkit's and ours.
std::vector<std::string>::const_iterator after_own_headers(const std::vector<std::string> &includes);

/// `-DN=1024` is nobody's business in Clang's CUDA headers and in ours, which come before the user's code and have names of their own. Defines
/// macros whose name has no underscore (those that configure libraries have one) behind these headers. `renamed` are names that the user's
/// code declares itself although these headers have them: it gets others.
void user_macros_behind_headers(clang::PreprocessorOptions &options, const std::set<std::string> &renamed);

/// A message with the names that the source has for what is `renamed`.
std::string with_source_names(std::string message, const std::set<std::string> &renamed);

} // namespace smem
