// What kernels call: atomic operations.
#pragma once

#include <smem_lint_host/torch_scalars.h>

// Atomic operations on what a tensor may have as elements, outside of every namespace. There is none of less than 32 bits but addition of numbers
// of 16 bits with a fraction: the word around the element is exchanged until it has not been changed meanwhile.
template <class T, class Change> inline __device__ T smem_lint_change_within_word(T *address, Change change) {
  static_assert(sizeof(T) < 4);
  const std::size_t within = reinterpret_cast<std::size_t>(address) % 4;
  unsigned *const word = reinterpret_cast<unsigned *>(reinterpret_cast<char *>(address) - within);
  const unsigned shift = static_cast<unsigned>(within) * 8, ones = sizeof(T) == 1 ? 0xffu : 0xffffu;
  unsigned now = *word, expected;
  do {
    expected = now;
    const unsigned bits = ones & static_cast<unsigned>(change(static_cast<T>(expected >> shift & ones)));
    now = atomicCAS(word, expected, (expected & ~(ones << shift)) | bits << shift);
  } while (now != expected);
  return static_cast<T>(now >> shift & ones);
}
template <class T> inline __device__ T smem_lint_atomic_add(T *address, T value) {
  if constexpr (std::is_same_v<T, bool>)
    return smem_lint_change_within_word(address, [=](bool old) { return old || value; });
  else if constexpr (std::is_same_v<T, c10::Half>)
    return atomicAdd(reinterpret_cast<__half *>(address), value.operator __half());
  else if constexpr (std::is_same_v<T, c10::BFloat16>)
    return atomicAdd(reinterpret_cast<__nv_bfloat16 *>(address), value.operator __nv_bfloat16());
  else if constexpr (sizeof(T) < 4)
    return smem_lint_change_within_word(address, [=](T old) { return static_cast<T>(old + value); });
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return static_cast<T>(
        atomicAdd(reinterpret_cast<unsigned long long *>(address), static_cast<unsigned long long>(value)));
  else
    return atomicAdd(address, value);
}
// The type is the pointer's alone.
template <class T> inline __device__ T gpuAtomicAdd(T *address, std::common_type_t<T> value) {
  return smem_lint_atomic_add<T>(address, value);
}
template <class T> inline __device__ void gpuAtomicAddNoReturn(T *address, std::common_type_t<T> value) {
  smem_lint_atomic_add<T>(address, value);
}
template <class T> inline __device__ c10::complex<T> gpuAtomicAdd(c10::complex<T> *address, c10::complex<T> value) {
  return {smem_lint_atomic_add<T>(&address->real_, value.real_), smem_lint_atomic_add<T>(&address->imag_, value.imag_)};
}
template <class T> inline __device__ void gpuAtomicAddNoReturn(c10::complex<T> *address, c10::complex<T> value) {
  gpuAtomicAdd(address, value);
}
// Templates, so that a source which includes no header with these may define its own.
#define SMEM_LINT_ATOMIC_ADD(type)                                                                                     \
  template <int = 0> inline __device__ type atomicAdd(type *address, type value) {                                     \
    return smem_lint_atomic_add(address, value);                                                                       \
  }
SMEM_LINT_ATOMIC_ADD(bool)
SMEM_LINT_ATOMIC_ADD(std::uint8_t)
SMEM_LINT_ATOMIC_ADD(std::int8_t)
SMEM_LINT_ATOMIC_ADD(std::int16_t)
SMEM_LINT_ATOMIC_ADD(std::int64_t)
SMEM_LINT_ATOMIC_ADD(c10::Half)
SMEM_LINT_ATOMIC_ADD(c10::BFloat16)
template <class T> inline __device__ T gpuAtomicMax(T *address, std::common_type_t<T> value) {
  return atomicMax(address, value);
}
template <class T> inline __device__ T gpuAtomicMin(T *address, std::common_type_t<T> value) {
  return atomicMin(address, value);
}
