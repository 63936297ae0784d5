// Kernels by the names that users give them.
#pragma once

#include "smem/program.h"

#include <string_view>

namespace smem {

/// Whether a glob speaks of this kernel: it matches the name with or without template arguments and namespaces. Blanks make no difference, nor
/// whether a type goes by its own name or by one of CUDA's or the C++ library's: `scale<half,uint32_t>` is `scale<__half, unsigned int>`.
/// Empty: of every kernel.
bool kernel_matches(std::string_view glob, const Program &program);

} // namespace smem
