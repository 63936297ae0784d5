#pragma once

#include <string>
#include <string_view>

namespace smem::compare {

/// A mangled name without what depends on the compiler: nvcc makes the unnamed namespace unique by file and drops the mark
/// of internal linkage, Clang does neither.
std::string normalised_kernel_name(std::string_view mangled);

} // namespace smem::compare
