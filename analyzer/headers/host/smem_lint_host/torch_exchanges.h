// What kernels call that include headers of device code of PyTorch's: sources without these may define their own.
#pragma once

#include <smem_lint_host/torch_scalars.h>

// Exchanges within a warp, of all its lanes unless a mask says otherwise. Complex numbers go part by part.
#define SMEM_LINT_EXCHANGE(name, exchange, of)                                                                         \
  template <class T>                                                                                                   \
  inline __device__ T name(T value, of other, int width = C10_WARP_SIZE, unsigned mask = 0xffffffff) {                 \
    return exchange(mask, value, other, width);                                                                        \
  }                                                                                                                    \
  template <class T> inline __device__ c10::complex<T> name(c10::complex<T> value, of other,                           \
                                                            int width = C10_WARP_SIZE, unsigned mask = 0xffffffff) {   \
    return {static_cast<T>(exchange(mask, value.real_, other, width)),                                                 \
            static_cast<T>(exchange(mask, value.imag_, other, width))};                                                \
  }
SMEM_LINT_EXCHANGE(WARP_SHFL, __shfl_sync, int)
SMEM_LINT_EXCHANGE(WARP_SHFL_XOR, __shfl_xor_sync, int)
SMEM_LINT_EXCHANGE(WARP_SHFL_UP, __shfl_up_sync, unsigned)
SMEM_LINT_EXCHANGE(WARP_SHFL_DOWN, __shfl_down_sync, unsigned)
inline __device__ unsigned WARP_BALLOT(int predicate, unsigned mask = 0xffffffff) {
  return __ballot_sync(mask, predicate);
}
