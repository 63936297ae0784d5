#include "smem/shared_layout.h"

#include <algorithm>

namespace smem {
namespace {

// Evidence: nvcc 13.0 and ptxas 13.0 on over a hundred generated kernels (1 to 9 arrays of random element types, sizes and
// __align__, static and dynamic, declared at file scope, in the kernel and in inlined functions), for sm_80 with spot checks for sm_75 and
// sm_90, the offsets read from the immediates of the machine code:
// - arrays follow one another in the order of the PTX, whatever their sizes and the order of their use;
// - each at the next multiple of its declared alignment, never of a higher one: ptxas widens accesses to an array whose
//   offset happens to be aligned, it does not move the array;
// - arrays that the kernel does not use take no room;
// - all extern arrays start at one place, behind the static part, aligned to the largest of their alignments. nvcc declares
//   every one `.align 16` at least.
// On chips with reserved shared memory the window itself starts 1 KB later; that moves no array to another bank.
constexpr std::uint64_t kLeastDynamicAlignment = 16;

std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return alignment <= 1 ? value : (value + alignment - 1) / alignment * alignment;
}

} // namespace

SharedLayout layout_shared(const std::vector<SharedArray> &arrays, const Architecture &) {
  SharedLayout layout;
  layout.offset.resize(arrays.size());
  std::uint64_t dynamic_alignment = kLeastDynamicAlignment;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].dynamic) {
      dynamic_alignment = std::max(dynamic_alignment, arrays[i].alignment);
      continue;
    }
    layout.offset[i] = align_up(layout.static_bytes, arrays[i].alignment);
    layout.static_bytes = layout.offset[i] + arrays[i].size;
  }
  layout.dynamic_offset = align_up(layout.static_bytes, dynamic_alignment);
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i].dynamic)
      layout.offset[i] = layout.dynamic_offset;
  return layout;
}

} // namespace smem
