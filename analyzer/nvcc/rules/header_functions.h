// Which lines of NVIDIA's and the host's headers have code that nvcc inlines. Clang has these functions from other headers, or built in.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace smem {

struct LineRange {
  std::uint32_t first, last;
};

/// The lines that bodies of functions of this name have code on, in headers of CUDA 13.0 and of libstdc++ of GCC 10 to 13 (header_functions.def). `type` is that of the first argument,
/// or of what it points to; empty: not known. Of overloads, those for it alone if there are some.
std::vector<LineRange> bodies_of_header_function(std::string_view name, std::string_view type);

} // namespace smem
