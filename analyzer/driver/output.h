// Where results go.
#pragma once

#include <string>

namespace smem {

/// Writes to `path` by way of a temporary file beside it, so that nothing half-written stays; devices and pipes are
/// written directly. Returns an error text, or empty.
std::string write_file(const std::string &path, const std::string &text);

/// Whether text for standard output (or error) may have colours. `wish`: --color; then NO_COLOR, CLICOLOR_FORCE, a terminal.
enum class ColorWish;
bool wants_color(ColorWish wish, int file_descriptor);

} // namespace smem
