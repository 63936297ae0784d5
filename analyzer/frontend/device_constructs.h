// What nvcc accepts in device code and Clang does not know there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

struct SourceEdit {
  std::size_t begin = 0, end = 0; ///< what is replaced
  std::string text;
};

/// `child<<<grid, block>>>(p, n)` in a kernel, the name `child` or `<<<` being at `name`: a call of smem_lint_device_launch, which does what nvcc makes of it. Empty: there is no launch.
std::vector<SourceEdit> launch_of_device_code(std::string_view text, std::size_t name);

/// `float sums[bins.count]` with a static member or an enumerator `count` of a parameter by reference: nvcc does not evaluate the reference. `name` is that of the array.
std::vector<SourceEdit> extents_of_members(std::string_view text, std::size_t name);

} // namespace smem
