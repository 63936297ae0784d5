// One spelling for every path: the syntax tree and debug info must name a file the same way to be joined.
#pragma once

#include <string>
#include <string_view>

namespace smem {

/// Absolute and lexically normal; symbolic links are kept. A relative `path` is taken from `directory`, or from the
/// working directory if that is empty. `-`, `<stdin>` and other names in angle brackets stay as they are.
/// Debug info: normalise_path(DIFile::getFilename(), DIFile::getDirectory()).
std::string normalise_path(std::string_view path, std::string_view directory = {});

/// A normalised path as a reader in the working directory writes it: relative where it lies in it.
std::string seen_from_here(const std::string &path);

/// Whether normalised `path` is below `folder`, which may be empty: nothing is.
bool lies_in(std::string_view path, std::string_view folder);

/// Whether a path looks like one of a toolkit's or the compiler's headers, wherever these are installed.
bool looks_like_toolkit(std::string_view path);

} // namespace smem
