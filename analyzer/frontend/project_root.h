// Where the project that a file lies in begins.
#pragma once

#include <filesystem>
#include <string>

namespace smem {

/// The folder of the version control that the file is under. Else, as of a release that was unpacked, the highest of the folders above it which are marked as one that is built or licensed,
/// with at most two others between them, below all that holds projects and is none: home folders, those for temporary files, folders of several clones. Else the file's own
/// folder. Empty: the file lies in such a folder itself.
std::filesystem::path project_root(const std::filesystem::path &file);

} // namespace smem
