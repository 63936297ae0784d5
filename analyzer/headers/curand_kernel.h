// Random numbers in kernels: states of the real size, and functions that update them in
// ways the compiler cannot see through, so that whatever depends on them is unknown.
#pragma once
#include "smem_lint_cuda_prelude.h"

#pragma push_macro("SL_STATE")
#undef SL_STATE
struct curandStateXORWOW {
  unsigned d, v[5];
  int flags[2];
  float extra;
  double extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int flags[2];
  float extra;
  double extra_double;
};
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int flags[2];
  float extra;
  double extra_double;
};
struct curandStateSobol32 {
  unsigned i, x, c, direction_vectors[32];
};
struct curandStateMtgp32 {
  unsigned s[1024];
  int offset;
  void *k;
  int precise_double_flag;
};
typedef unsigned curandDirectionVectors32_t[32];
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateMtgp32 curandStateMtgp32_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
#define SL_STATE(S)                                                                                                    \
  __attribute__((device)) void curand_init(unsigned long long seed, unsigned long long sequence,                       \
                                           unsigned long long offset, S *state) noexcept;                              \
  __attribute__((device)) unsigned curand(S *state) noexcept;                                                          \
  __attribute__((device)) float curand_uniform(S *state) noexcept;                                                     \
  __attribute__((device)) float curand_normal(S *state) noexcept;                                                      \
  __attribute__((device)) float2 curand_normal2(S *state) noexcept;                                                    \
  __attribute__((device)) float curand_log_normal(S *state, float mean, float deviation) noexcept;                     \
  __attribute__((device)) double curand_uniform_double(S *state) noexcept;                                             \
  __attribute__((device)) double curand_normal_double(S *state) noexcept;                                              \
  __attribute__((device)) unsigned curand_poisson(S *state, double lambda) noexcept;                                   \
  __attribute__((device)) void skipahead(unsigned long long n, S *state) noexcept;
SL_STATE(curandStateXORWOW)
SL_STATE(curandStatePhilox4_32_10)
SL_STATE(curandStateMRG32k3a)
SL_STATE(curandStateSobol32)
SL_STATE(curandStateMtgp32)
__attribute__((device)) void curand_init(unsigned *directions, unsigned offset, curandStateSobol32 *state) noexcept;
#pragma pop_macro("SL_STATE")
__attribute__((device)) uint4 curand4(curandStatePhilox4_32_10 *state) noexcept;
__attribute__((device)) float4 curand_uniform4(curandStatePhilox4_32_10 *state) noexcept;
__attribute__((device)) float4 curand_normal4(curandStatePhilox4_32_10 *state) noexcept;
