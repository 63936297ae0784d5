// Files that are there entirely or not at all.
#pragma once

#include <string>

namespace smem {

/// Writes to `path` by way of a temporary file beside it, so that nothing half-written stays; devices and pipes are
/// written directly. Returns an error text, or empty.
std::string write_file(const std::string &path, const std::string &text);

} // namespace smem
