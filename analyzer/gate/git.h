// The little of git that a comparison with a revision needs, by way of the program `git`.
#pragma once

#include <string>
#include <vector>

namespace smem {

/// Standard output of `git -C directory arguments...`. On failure `error` is what git said.
std::string run_git(const std::string &directory, const std::vector<std::string> &arguments, std::string &error,
                    const std::string &index_file = {});

/// The commit that `revision` names. On failure `error` says why, and how to mend it in a shallow clone.
std::string resolve_revision(const std::string &root, const std::string &revision, std::string &error);

/// Writes all files of a commit below `folder`. The repository's index and work tree stay as they are.
void check_out(const std::string &root, const std::string &commit, const std::string &folder, std::string &error);

/// The parts of git's NUL-separated lists.
std::vector<std::string> split_list(const std::string &text);

} // namespace smem
