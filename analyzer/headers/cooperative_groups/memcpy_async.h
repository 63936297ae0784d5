// memcpy_async and wait of a group.
#pragma once
#include "../cooperative_groups.h"
#include "../smem_lint/aligned_size.h"
#include "../smem_lint/group_copy.h"

namespace smem_lint {
template <unsigned Size, typename Parent> struct copies_in_rounds<cooperative_groups::thread_block_tile<Size, Parent>> {
  enum { value = Size <= 32 };
};
} // namespace smem_lint

namespace cooperative_groups {
namespace details {
template <typename T> constexpr int alignment_hint = alignof(T);
template <> inline constexpr int alignment_hint<void> = 1;
} // namespace details

template <typename Group, typename T>
SMEM_LINT_DEVICE void memcpy_async(const Group &g, T *to, const T *from, size_t bytes) {
  smem_lint::copy_bytes_async<details::alignment_hint<T>>(g, to, from, bytes);
  __pipeline_commit();
}
template <typename Group, typename T, size_t Alignment>
SMEM_LINT_DEVICE void memcpy_async(const Group &g, T *to, const T *from, const cuda::aligned_size_t<Alignment> &bytes) {
  smem_lint::copy_bytes_async<(int)Alignment>(g, to, from, bytes);
  __pipeline_commit();
}
template <typename Group, typename T>
SMEM_LINT_DEVICE void memcpy_async(const Group &g, T *to, size_t toCount, const T *from, size_t fromCount) {
  smem_lint::copy_bytes_async<(int)alignof(T)>(g, to, from, min(toCount, fromCount) * sizeof(T));
  __pipeline_commit();
}
template <typename Group> SMEM_LINT_DEVICE void wait(const Group &g) {
  __pipeline_wait_prior(0);
  g.sync();
}
template <unsigned Stage, typename Group> SMEM_LINT_DEVICE void wait_prior(const Group &g) {
  __pipeline_wait_prior(Stage);
  g.sync();
}
} // namespace cooperative_groups
