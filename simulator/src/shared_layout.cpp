#include "smem/shared_layout.h"

#include <algorithm>

namespace smem {
namespace {

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
