// Device functions that nvcc knows without a header: barriers, votes, shuffles, integer
// and bit operations, loads with cache hints, address space conversions.
#ifndef SMEM_LINT_DEVICE_FUNCTIONS_H
#define SMEM_LINT_DEVICE_FUNCTIONS_H

#pragma push_macro("SL_1")
#undef SL_1

// What is one builtin of the target is a macro for its name, which costs no time to parse.

// Barriers and fences. __syncthreads itself is a compiler builtin.
#define __syncthreads_count __nvvm_bar0_popc
#define __syncthreads_and __nvvm_bar0_and
#define __syncthreads_or __nvvm_bar0_or
#define __barrier_sync __nvvm_barrier_sync
#define __barrier_sync_count __nvvm_barrier_sync_cnt
#define __threadfence_block __nvvm_membar_cta
#define __threadfence __nvvm_membar_gl
#define __threadfence_system __nvvm_membar_sys
#define __nanosleep __nvvm_nanosleep
SMEM_LINT_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

// Kernels that begin before the one ahead of them has ended. PTX, as in CUDA: nothing of memory moves across the wait.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
SMEM_LINT_DEVICE void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
SMEM_LINT_DEVICE void cudaTriggerProgrammaticLaunchCompletion() { asm volatile("griddepcontrol.launch_dependents;"); }
#endif

// Votes, matches and reductions of a warp.
#define __activemask __nvvm_activemask
#define __fns __nvvm_fns
SMEM_LINT_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
SMEM_LINT_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
SMEM_LINT_DEVICE int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
SMEM_LINT_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
SMEM_LINT_DEVICE int __all(int p) { return __nvvm_vote_all(p); }
SMEM_LINT_DEVICE int __any(int p) { return __nvvm_vote_any(p); }
SMEM_LINT_DEVICE unsigned __ballot(int p) { return __nvvm_vote_ballot(p); }

template <typename T> SMEM_LINT_DEVICE unsigned __match_any_sync(unsigned mask, T v) {
  if constexpr (sizeof(T) == 4)
    return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned, v));
  else
    return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(unsigned long long, v));
}
template <typename T> SMEM_LINT_DEVICE unsigned __match_all_sync(unsigned mask, T v, int *p) {
  if constexpr (sizeof(T) == 4)
    return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned, v), p);
  else
    return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(unsigned long long, v), p);
}

SMEM_LINT_DEVICE int __reduce_add_sync(unsigned mask, int v) { return __nvvm_redux_sync_add(mask, v); }
SMEM_LINT_DEVICE int __reduce_min_sync(unsigned mask, int v) { return __nvvm_redux_sync_min(mask, v); }
SMEM_LINT_DEVICE int __reduce_max_sync(unsigned mask, int v) { return __nvvm_redux_sync_max(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_add(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umin(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umax(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_and(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_or(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_xor(mask, v); }

// Shuffles of any arithmetic type. The instruction's last operand packs the segment mask
// and the clamp; 64-bit values travel as two halves, narrow ones as int. Without _sync: the
// forms before CC 7.0.
#define SL_1(NAME, MODE, CLAMP, OFFSET)                                                                                \
  template <typename T> SMEM_LINT_DEVICE T NAME##_sync(unsigned mask, T v, OFFSET lane, int width = 32) {              \
    const int segment = ((32 - width) << 8) | CLAMP;                                                                   \
    if constexpr (__is_same(T, float)) {                                                                               \
      return __nvvm_shfl_sync_##MODE##_f32(mask, v, lane, segment);                                                    \
    } else if constexpr (sizeof(T) == 8) {                                                                             \
      const long long bits = __builtin_bit_cast(long long, v);                                                         \
      const unsigned low = __nvvm_shfl_sync_##MODE##_i32(mask, (int)bits, lane, segment);                              \
      const unsigned long long high = (unsigned)__nvvm_shfl_sync_##MODE##_i32(mask, (int)(bits >> 32), lane, segment); \
      return __builtin_bit_cast(T, high << 32 | low);                                                                  \
    } else {                                                                                                           \
      return (T)__nvvm_shfl_sync_##MODE##_i32(mask, (int)v, lane, segment);                                            \
    }                                                                                                                  \
  }                                                                                                                    \
  template <typename T> SMEM_LINT_DEVICE T NAME(T v, OFFSET lane, int width = 32) {                                    \
    return NAME##_sync(0xffffffffu, v, lane, width);                                                                   \
  }
SL_1(__shfl, idx, 0x1f, int)
SL_1(__shfl_up, up, 0, unsigned)
SL_1(__shfl_down, down, 0x1f, unsigned)
SL_1(__shfl_xor, bfly, 0x1f, int)
#undef SL_1

// Integers and bits.
#define __popc __builtin_popcount
#define __popcll __builtin_popcountll
#define __brev __builtin_bitreverse32
#define __brevll __builtin_bitreverse64
#define __byte_perm __nvvm_prmt
#define __mul64hi __nvvm_mulhi_ll
#define __umul64hi __nvvm_mulhi_ull
SMEM_LINT_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
SMEM_LINT_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
// Without a choice, as the machine has it: of 0 nothing is left.
SMEM_LINT_DEVICE int __ffs(int x) { return 32 - __clz((int)((unsigned)x & -(unsigned)x)); }
SMEM_LINT_DEVICE int __ffsll(long long x) {
  return 64 - __clzll((long long)((unsigned long long)x & -(unsigned long long)x));
}
SMEM_LINT_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned s) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (s & 31) >> 32);
}
SMEM_LINT_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned s) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (s & 31));
}
SMEM_LINT_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned s) {
  return s >= 32 ? low : __funnelshift_l(low, high, s);
}
SMEM_LINT_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned s) {
  return s >= 32 ? high : __funnelshift_r(low, high, s);
}
SMEM_LINT_DEVICE int __mulhi(int x, int y) { return __nvvm_mulhi_i(x, y); }
SMEM_LINT_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return __nvvm_mulhi_ui(x, y); }
SMEM_LINT_DEVICE int __mul24(int x, int y) { return (int)((unsigned)((x << 8) >> 8) * (unsigned)((y << 8) >> 8)); }
SMEM_LINT_DEVICE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
SMEM_LINT_DEVICE unsigned __sad(int x, int y, unsigned z) { return __nvvm_sad_i(x, y, z); }
SMEM_LINT_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return __nvvm_sad_ui(x, y, z); }
SMEM_LINT_DEVICE int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
SMEM_LINT_DEVICE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
SMEM_LINT_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
SMEM_LINT_DEVICE unsigned __urhadd(unsigned x, unsigned y) { return (x | y) - ((x ^ y) >> 1); }

// Packed bytes and halfwords: their values are not modelled.
#define SL_1(NAME) __attribute__((device, const)) unsigned NAME(unsigned, unsigned) noexcept;
// clang-format off
SL_1(__vadd2) SL_1(__vadd4) SL_1(__vsub2) SL_1(__vsub4) SL_1(__vaddss2) SL_1(__vaddss4) SL_1(__vsubss4)
SL_1(__vaddus4) SL_1(__vsubus4) SL_1(__vmaxs2) SL_1(__vmaxs4) SL_1(__vmaxu2) SL_1(__vmaxu4) SL_1(__vmins2)
SL_1(__vmins4) SL_1(__vminu2) SL_1(__vminu4) SL_1(__vavgs2) SL_1(__vavgs4) SL_1(__vavgu2) SL_1(__vavgu4) SL_1(__vabsdiffu4) SL_1(__vsadu4) SL_1(__vsads4)
SL_1(__vcmpeq4) SL_1(__vcmpne4) SL_1(__vcmpgtu4) SL_1(__vcmpgts4) SL_1(__vcmpgeu4) SL_1(__vcmpltu4)
SL_1(__vseteq4) SL_1(__vsetne4) SL_1(__vcmpeq2) SL_1(__vcmpgtu2) SL_1(__vcmpgts2)
SL_1(__vaddus2) SL_1(__vsubss2) SL_1(__vsubus2) SL_1(__vhaddu2) SL_1(__vhaddu4) SL_1(__vabsdiffu2) SL_1(__vabsdiffs2) SL_1(__vabsdiffs4)
SL_1(__vsadu2) SL_1(__vsads2) SL_1(__vcmpne2) SL_1(__vcmpges2) SL_1(__vcmpgeu2) SL_1(__vcmples2) SL_1(__vcmpleu2) SL_1(__vcmplts2)
SL_1(__vcmpltu2) SL_1(__vcmpges4) SL_1(__vcmples4) SL_1(__vcmpleu4) SL_1(__vcmplts4) SL_1(__vseteq2) SL_1(__vsetne2) SL_1(__vsetges2)
SL_1(__vsetgeu2) SL_1(__vsetgts2) SL_1(__vsetgtu2) SL_1(__vsetles2) SL_1(__vsetleu2) SL_1(__vsetlts2) SL_1(__vsetltu2) SL_1(__vsetges4)
SL_1(__vsetgeu4) SL_1(__vsetgts4) SL_1(__vsetgtu4) SL_1(__vsetles4) SL_1(__vsetleu4) SL_1(__vsetlts4) SL_1(__vsetltu4)
#undef SL_1
#define SL_1(NAME) __attribute__((device, const)) unsigned NAME(unsigned) noexcept;
SL_1(__vabs2) SL_1(__vabs4) SL_1(__vabsss2) SL_1(__vabsss4) SL_1(__vneg2) SL_1(__vneg4) SL_1(__vnegss2) SL_1(__vnegss4)
// clang-format on
#undef SL_1
                                                            __attribute__((device, const)) int __dp4a(int, int,
                                                                                                      int) noexcept;
__attribute__((device, const)) unsigned __dp4a(unsigned, unsigned, unsigned) noexcept;
__attribute__((device, const)) int __dp4a(char4, char4, int) noexcept;
__attribute__((device, const)) unsigned __dp4a(uchar4, uchar4, unsigned) noexcept;
__attribute__((device, const)) int __dp2a_lo(int, int, int) noexcept;
__attribute__((device, const)) unsigned __dp2a_lo(unsigned, unsigned, unsigned) noexcept;
__attribute__((device, const)) int __dp2a_hi(int, int, int) noexcept;
__attribute__((device, const)) unsigned __dp2a_hi(unsigned, unsigned, unsigned) noexcept;
__attribute__((device, const)) int __dp2a_lo(short2, char4, int) noexcept;
__attribute__((device, const)) unsigned __dp2a_lo(ushort2, uchar4, unsigned) noexcept;
__attribute__((device, const)) int __dp2a_hi(short2, char4, int) noexcept;
__attribute__((device, const)) unsigned __dp2a_hi(ushort2, uchar4, unsigned) noexcept;

SMEM_LINT_DEVICE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
SMEM_LINT_DEVICE unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
SMEM_LINT_DEVICE unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

// What counts for a profiler.
#define __pm0 __nvvm_read_ptx_sreg_pm0
#define __pm1 __nvvm_read_ptx_sreg_pm1
#define __pm2 __nvvm_read_ptx_sreg_pm2
#define __pm3 __nvvm_read_ptx_sreg_pm3

// The same bits as another type.
SMEM_LINT_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
SMEM_LINT_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
SMEM_LINT_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
SMEM_LINT_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
SMEM_LINT_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
SMEM_LINT_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
SMEM_LINT_DEVICE int __double2loint(double x) { return (int)__builtin_bit_cast(long long, x); }
SMEM_LINT_DEVICE int __double2hiint(double x) { return (int)(__builtin_bit_cast(long long, x) >> 32); }
SMEM_LINT_DEVICE double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

// Read-only loads: the target's own intrinsic, as wide as the type.
template <typename T> SMEM_LINT_DEVICE T __ldg(const T *p) {
  typedef unsigned four_words __attribute__((ext_vector_type(4)));
  if constexpr (__is_same(T, float))
    return __nvvm_ldg_f(p);
  else if constexpr (__is_same(T, double))
    return __nvvm_ldg_d(p);
  else if constexpr (sizeof(T) == 1)
    return __builtin_bit_cast(T, __nvvm_ldg_uc((const unsigned char *)p));
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(T, __nvvm_ldg_us((const unsigned short *)p));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, __nvvm_ldg_ui((const unsigned *)p));
  else if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, __nvvm_ldg_ull((const unsigned long long *)p));
  else
    return __builtin_bit_cast(T, __nvvm_ldg_ui4((const four_words *)p));
}

#include "cache_hints.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

// Address spaces. A pointer into shared memory is an offset in its window.
SMEM_LINT_DEVICE size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(const void __attribute__((address_space(3))) *)p;
}
SMEM_LINT_DEVICE size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(const void __attribute__((address_space(1))) *)p;
}
SMEM_LINT_DEVICE size_t __cvta_generic_to_constant(const void *p) {
  return (size_t)(const void __attribute__((address_space(4))) *)p;
}
SMEM_LINT_DEVICE size_t __cvta_generic_to_local(const void *p) {
  return (size_t)(const void __attribute__((address_space(5))) *)p;
}
SMEM_LINT_DEVICE void *__cvta_shared_to_generic(size_t p) {
  return (void *)(void __attribute__((address_space(3))) *)p;
}
SMEM_LINT_DEVICE void *__cvta_global_to_generic(size_t p) {
  return (void *)(void __attribute__((address_space(1))) *)p;
}
SMEM_LINT_DEVICE void *__cvta_constant_to_generic(size_t p) {
  return (void *)(void __attribute__((address_space(4))) *)p;
}
SMEM_LINT_DEVICE void *__cvta_local_to_generic(size_t p) { return (void *)(void __attribute__((address_space(5))) *)p; }
SMEM_LINT_DEVICE unsigned __nvvm_get_smem_pointer(void *p) { return (unsigned)__cvta_generic_to_shared(p); }
#define __isShared __nvvm_isspacep_shared
#define __isGlobal __nvvm_isspacep_global
#define __isConstant __nvvm_isspacep_const
#define __isLocal __nvvm_isspacep_local

#pragma pop_macro("SL_1")

#endif
