// cuda::aligned_size_t: a size with a promise about alignment.
#pragma once
#include "../smem_lint_cuda_prelude.h"

namespace cuda {
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __attribute__((host, device, nodebug)) explicit constexpr aligned_size_t(size_t size) : value(size) {}
  __attribute__((host, device, nodebug)) constexpr operator size_t() const { return value; }
};
} // namespace cuda
