// Inclusive and exclusive scans over a group of lanes.
#pragma once
#include "functional.h"

namespace cooperative_groups {
template <typename Group, typename T, typename Op>
SMEM_LINT_DEVICE typename details::bare<T>::type inclusive_scan(const Group &g, T &&value, Op &&op) {
  typename details::bare<T>::type v = value;
  const unsigned size = g.size(), rank = g.thread_rank();
#pragma unroll
  for (unsigned distance = 1; distance < size; distance *= 2) {
    const auto other = g.shfl_up(v, distance);
    if (rank >= distance)
      v = op(other, v);
  }
  return v;
}
template <typename Group, typename T>
SMEM_LINT_DEVICE typename details::bare<T>::type inclusive_scan(const Group &g, T &&value) {
  return inclusive_scan(g, value, plus<typename details::bare<T>::type>());
}
template <typename Group, typename T, typename Op>
SMEM_LINT_DEVICE typename details::bare<T>::type exclusive_scan(const Group &g, T &&value, Op &&op) {
  const auto other = g.shfl_up(inclusive_scan(g, value, op), 1);
  return g.thread_rank() == 0 ? typename details::bare<T>::type() : other;
}
template <typename Group, typename T>
SMEM_LINT_DEVICE typename details::bare<T>::type exclusive_scan(const Group &g, T &&value) {
  return exclusive_scan(g, value, plus<typename details::bare<T>::type>());
}
} // namespace cooperative_groups
