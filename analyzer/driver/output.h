// Where results go.
#pragma once

namespace smem {

/// Whether text for standard output (or error) may have colours. `wish`: --color; then NO_COLOR, CLICOLOR_FORCE, a terminal.
enum class ColorWish;
bool wants_color(ColorWish wish, int file_descriptor);

} // namespace smem
