// reduce over a group of lanes: the hardware's own reduction where there is one, else
// exchanges at halving distances.
#pragma once
#include "functional.h"

namespace cooperative_groups {
namespace details {
template <typename T> constexpr bool is_word = __is_same(T, int) || __is_same(T, unsigned);

template <typename T, typename Op> struct redux {
  enum { exists = 0 };
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define SL_REDUX(OP, FUNCTION, T)                                                                                      \
  template <> struct redux<T, OP<T>> {                                                                                 \
    enum { exists = 1 };                                                                                               \
    SMEM_LINT_METHOD static T run(unsigned mask, T v) { return (T)FUNCTION(mask, v); }                                 \
  };
SL_REDUX(plus, __reduce_add_sync, int)
SL_REDUX(plus, __reduce_add_sync, unsigned)
SL_REDUX(less, __reduce_min_sync, int)
SL_REDUX(less, __reduce_min_sync, unsigned)
SL_REDUX(greater, __reduce_max_sync, int)
SL_REDUX(greater, __reduce_max_sync, unsigned)
SL_REDUX(bit_and, __reduce_and_sync, int)
SL_REDUX(bit_and, __reduce_and_sync, unsigned)
SL_REDUX(bit_or, __reduce_or_sync, int)
SL_REDUX(bit_or, __reduce_or_sync, unsigned)
SL_REDUX(bit_xor, __reduce_xor_sync, int)
SL_REDUX(bit_xor, __reduce_xor_sync, unsigned)
#undef SL_REDUX
#endif
} // namespace details

template <unsigned Size, typename Parent, typename T, typename Op>
SMEM_LINT_DEVICE typename details::bare<T>::type reduce(const thread_block_tile<Size, Parent> &g, T &&value, Op &&op) {
  typedef typename details::bare<T>::type V;
  typedef details::redux<V, typename details::bare<Op>::type> redux;
  if constexpr (redux::exists) {
    return redux::run(g.lanes(), value);
  } else {
    V v = value;
#pragma unroll
    for (int distance = Size / 2; distance > 0; distance /= 2)
      v = op(v, g.shfl_xor(v, distance));
    return v;
  }
}
template <typename T, typename Op>
SMEM_LINT_DEVICE typename details::bare<T>::type reduce(const coalesced_group &g, T &&value, Op &&op) {
  typedef typename details::bare<T>::type V;
  typedef details::redux<V, typename details::bare<Op>::type> redux;
  if constexpr (redux::exists) {
    return redux::run(g.lanes(), value);
  } else {
    V v = value;
    const unsigned size = g.size();
    for (unsigned distance = 1; distance < size; distance *= 2) {
      const V other = g.shfl_down(v, distance);
      if (g.thread_rank() + distance < size)
        v = op(v, other);
    }
    return g.shfl(v, 0);
  }
}
} // namespace cooperative_groups
