// What CMake's configure_file() or a configure script makes headers of: `config.h.in`.
#pragma once

#include <string>
#include <string_view>

namespace smem {

/// The header of a build with CUDA and without anything else that a pattern lets it choose; lines stay. What only the build knows is left out: what needs it stays an error.
std::string header_of_pattern(std::string_view pattern);

} // namespace smem
