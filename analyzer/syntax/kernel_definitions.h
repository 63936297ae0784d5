// Kernels that a source text defines, whether or not a compiler gets to see them.
#pragma once

#include <string_view>

namespace smem {

/// The line (from 1) of the first `__global__` that a body follows; 0 if there is none. Declarations do not count, nor do comments, strings
/// and preprocessor directives; text that `#if` excludes does.
unsigned first_kernel_definition(std::string_view source);

} // namespace smem
