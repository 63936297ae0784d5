// Which lines of NVIDIA's and the host's headers have code that nvcc inlines. Clang has these functions from other headers, or built in.
#pragma once

#include <cstdint>
#include <string_view>

namespace smem {

/// Has a body of a function of this name code on a line of this number? `type` is that of the first argument, or of what it points to: of overloads, those for it
/// are looked at if there are some. Of headers of CUDA 13.0, and of libstdc++ of
/// GCC 10 to 13 (header_functions.def).
bool header_function_has_line(std::string_view name, std::string_view type, std::uint32_t line);

} // namespace smem
