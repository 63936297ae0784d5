// Device functions that nvcc knows without a header: barriers, votes, shuffles, integer
// and bit operations, loads with cache hints, address space conversions.
#ifndef SMEM_LINT_DEVICE_FUNCTIONS_H
#define SMEM_LINT_DEVICE_FUNCTIONS_H

#pragma push_macro("SL_1")
#pragma push_macro("SL_2")
#pragma push_macro("SL_3")
#undef SL_1
#undef SL_2
#undef SL_3

// Barriers and fences. __syncthreads itself is a compiler builtin.
SMEM_LINT_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
SMEM_LINT_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
SMEM_LINT_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
SMEM_LINT_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
SMEM_LINT_DEVICE void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
SMEM_LINT_DEVICE void __barrier_sync_count(unsigned id, unsigned count) { __nvvm_barrier_sync_cnt(id, count); }
SMEM_LINT_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
SMEM_LINT_DEVICE void __threadfence() { __nvvm_membar_gl(); }
SMEM_LINT_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
SMEM_LINT_DEVICE void __nanosleep(unsigned ns) { __nvvm_nanosleep(ns); }

// Votes and matches.
SMEM_LINT_DEVICE unsigned __activemask() { return __nvvm_activemask(); }
SMEM_LINT_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
SMEM_LINT_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
SMEM_LINT_DEVICE int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
SMEM_LINT_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
SMEM_LINT_DEVICE int __all(int p) { return __nvvm_vote_all(p); }
SMEM_LINT_DEVICE int __any(int p) { return __nvvm_vote_any(p); }
SMEM_LINT_DEVICE unsigned __ballot(int p) { return __nvvm_vote_ballot(p); }
SMEM_LINT_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) { return __nvvm_fns(mask, base, offset); }

namespace smem_lint {
template <int Bytes> struct word_of_size {};
template <> struct word_of_size<1> { typedef unsigned char type; };
template <> struct word_of_size<2> { typedef unsigned short type; };
template <> struct word_of_size<4> { typedef unsigned int type; };
template <> struct word_of_size<8> { typedef unsigned long long type; };
template <typename T> using word_of = typename word_of_size<sizeof(T)>::type;
template <typename To, typename From> SMEM_LINT_BOTH To bits(From value) { return __builtin_bit_cast(To, value); }
}  // namespace smem_lint

#define SL_1(T)                                                                                          \
  SMEM_LINT_DEVICE unsigned __match_any_sync(unsigned mask, T v) {                                      \
    if constexpr (sizeof(T) == 4)                                                                       \
      return __nvvm_match_any_sync_i32(mask, smem_lint::bits<smem_lint::word_of<T>>(v));                \
    else                                                                                                \
      return __nvvm_match_any_sync_i64(mask, smem_lint::bits<smem_lint::word_of<T>>(v));                \
  }                                                                                                     \
  SMEM_LINT_DEVICE unsigned __match_all_sync(unsigned mask, T v, int *p) {                              \
    if constexpr (sizeof(T) == 4)                                                                       \
      return __nvvm_match_all_sync_i32p(mask, smem_lint::bits<smem_lint::word_of<T>>(v), p);            \
    else                                                                                                \
      return __nvvm_match_all_sync_i64p(mask, smem_lint::bits<smem_lint::word_of<T>>(v), p);            \
  }
SL_1(int) SL_1(unsigned) SL_1(long) SL_1(unsigned long) SL_1(long long) SL_1(unsigned long long) SL_1(float)
SL_1(double)
#undef SL_1

SMEM_LINT_DEVICE int __reduce_add_sync(unsigned mask, int v) { return __nvvm_redux_sync_add(mask, v); }
SMEM_LINT_DEVICE int __reduce_min_sync(unsigned mask, int v) { return __nvvm_redux_sync_min(mask, v); }
SMEM_LINT_DEVICE int __reduce_max_sync(unsigned mask, int v) { return __nvvm_redux_sync_max(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_add(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umin(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umax(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_and(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_or(mask, v); }
SMEM_LINT_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_xor(mask, v); }

// Shuffles. The last operand of the instruction packs the segment mask and the clamp;
// 64-bit values travel as two halves. Without _sync: the forms before CC 7.0.
#define SL_1(NAME, MODE, CLAMP, OFFSET)                                                                  \
  SMEM_LINT_DEVICE int NAME##_sync(unsigned mask, int v, OFFSET lane, int width = 32) {                 \
    return __nvvm_shfl_sync_##MODE##_i32(mask, v, lane, ((32 - width) << 8) | CLAMP);                   \
  }                                                                                                     \
  SMEM_LINT_DEVICE float NAME##_sync(unsigned mask, float v, OFFSET lane, int width = 32) {             \
    return __nvvm_shfl_sync_##MODE##_f32(mask, v, lane, ((32 - width) << 8) | CLAMP);                   \
  }                                                                                                     \
  SMEM_LINT_DEVICE unsigned NAME##_sync(unsigned mask, unsigned v, OFFSET lane, int width = 32) {       \
    return (unsigned)NAME##_sync(mask, (int)v, lane, width);                                            \
  }                                                                                                     \
  SMEM_LINT_DEVICE long long NAME##_sync(unsigned mask, long long v, OFFSET lane, int width = 32) {     \
    unsigned low = (unsigned)NAME##_sync(mask, (int)v, lane, width);                                    \
    unsigned high = (unsigned)NAME##_sync(mask, (int)(v >> 32), lane, width);                           \
    return (long long)((unsigned long long)high << 32 | low);                                           \
  }                                                                                                     \
  SL_2(NAME, long, OFFSET)                                                                              \
  SL_2(NAME, unsigned long, OFFSET)                                                                     \
  SL_2(NAME, unsigned long long, OFFSET)                                                                \
  SL_2(NAME, double, OFFSET)                                                                            \
  template <typename T> SMEM_LINT_DEVICE T NAME(T v, OFFSET lane, int width = 32) {                     \
    return NAME##_sync(0xffffffffu, v, lane, width);                                                    \
  }
#define SL_2(NAME, T, OFFSET)                                                                            \
  SMEM_LINT_DEVICE T NAME##_sync(unsigned mask, T v, OFFSET lane, int width = 32) {                     \
    return smem_lint::bits<T>(NAME##_sync(mask, smem_lint::bits<long long>(v), lane, width));           \
  }
SL_1(__shfl, idx, 0x1f, int)
SL_1(__shfl_up, up, 0, unsigned)
SL_1(__shfl_down, down, 0x1f, unsigned)
SL_1(__shfl_xor, bfly, 0x1f, int)
#undef SL_1
#undef SL_2

// Integers and bits.
SMEM_LINT_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
SMEM_LINT_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SMEM_LINT_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
SMEM_LINT_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
SMEM_LINT_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
SMEM_LINT_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
SMEM_LINT_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
SMEM_LINT_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
SMEM_LINT_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned s) { return __nvvm_prmt(x, y, s); }
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
SMEM_LINT_DEVICE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
SMEM_LINT_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
SMEM_LINT_DEVICE long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
SMEM_LINT_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return __nvvm_mulhi_ull(x, y);
}
SMEM_LINT_DEVICE int __mul24(int x, int y) { return (int)((unsigned)((x << 8) >> 8) * (unsigned)((y << 8) >> 8)); }
SMEM_LINT_DEVICE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
SMEM_LINT_DEVICE int mul24(int x, int y) { return __mul24(x, y); }
SMEM_LINT_DEVICE unsigned umul24(unsigned x, unsigned y) { return __umul24(x, y); }
SMEM_LINT_DEVICE unsigned __sad(int x, int y, unsigned z) { return (x < y ? (unsigned)y - x : (unsigned)x - y) + z; }
SMEM_LINT_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x < y ? y - x : x - y) + z; }
SMEM_LINT_DEVICE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
SMEM_LINT_DEVICE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
SMEM_LINT_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
SMEM_LINT_DEVICE unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y + 1) >> 1); }

#define SL_1(NAME, PTX, T, A, B)                                                                         \
  SMEM_LINT_DEVICE T NAME(A a, B b, T c) {                                                              \
    T d;                                                                                                \
    asm(PTX " %0, %1, %2, %3;" : "=r"(d) : "r"(smem_lint::bits<int>(a)), "r"(smem_lint::bits<int>(b)), "r"(c)); \
    return d;                                                                                           \
  }
SL_1(__dp4a, "dp4a.s32.s32", int, int, int)
SL_1(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned)
SL_1(__dp4a, "dp4a.s32.s32", int, char4, char4)
SL_1(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
SL_1(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
SL_1(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned)
SL_1(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
SL_1(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned)
#undef SL_1

// Packed bytes and halfwords: their values are not modelled.
#define SL_1(NAME) __attribute__((device, const)) unsigned NAME(unsigned, unsigned) noexcept;
SL_1(__vadd2) SL_1(__vadd4) SL_1(__vsub2) SL_1(__vsub4) SL_1(__vaddss2) SL_1(__vaddss4) SL_1(__vsubss4)
SL_1(__vaddus4) SL_1(__vsubus4) SL_1(__vmaxs2) SL_1(__vmaxs4) SL_1(__vmaxu2) SL_1(__vmaxu4) SL_1(__vmins2)
SL_1(__vmins4) SL_1(__vminu2) SL_1(__vminu4) SL_1(__vavgu4) SL_1(__vabsdiffu4) SL_1(__vsadu4) SL_1(__vsads4)
SL_1(__vcmpeq4) SL_1(__vcmpne4) SL_1(__vcmpgtu4) SL_1(__vcmpgts4) SL_1(__vcmpgeu4) SL_1(__vcmpltu4)
SL_1(__vseteq4) SL_1(__vsetne4) SL_1(__vcmpeq2) SL_1(__vcmpgtu2) SL_1(__vcmpgts2)
#undef SL_1

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

// Read-only loads: the target's own intrinsic, of the pointee's type and width.
#define SL_1(T, CODE)                                                                                    \
  SMEM_LINT_DEVICE T __ldg(const T *p) { return __nvvm_ldg_##CODE(p); }
SL_1(char, c) SL_1(signed char, sc) SL_1(short, s) SL_1(int, i) SL_1(long, l) SL_1(long long, ll)
SL_1(unsigned char, uc) SL_1(unsigned short, us) SL_1(unsigned int, ui) SL_1(unsigned long, ul)
SL_1(unsigned long long, ull) SL_1(float, f) SL_1(double, d)
#undef SL_1
#define SL_1(V, N, T, CODE)                                                                              \
  SMEM_LINT_DEVICE V##N __ldg(const V##N *p) {                                                          \
    typedef T vector __attribute__((ext_vector_type(N)));                                               \
    return __builtin_bit_cast(V##N, __nvvm_ldg_##CODE##N((const vector *)p));                           \
  }
SL_1(char, 2, char, c) SL_1(char, 4, char, c) SL_1(uchar, 2, unsigned char, uc) SL_1(uchar, 4, unsigned char, uc)
SL_1(short, 2, short, s) SL_1(short, 4, short, s) SL_1(ushort, 2, unsigned short, us)
SL_1(ushort, 4, unsigned short, us) SL_1(int, 2, int, i) SL_1(int, 4, int, i) SL_1(uint, 2, unsigned, ui)
SL_1(uint, 4, unsigned, ui) SL_1(longlong, 2, long long, ll) SL_1(ulonglong, 2, unsigned long long, ull)
SL_1(float, 2, float, f) SL_1(float, 4, float, f) SL_1(double, 2, double, d)
#undef SL_1

#include "cache_hints.h"

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
SMEM_LINT_DEVICE void *__cvta_local_to_generic(size_t p) {
  return (void *)(void __attribute__((address_space(5))) *)p;
}
SMEM_LINT_DEVICE unsigned __nvvm_get_smem_pointer(void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
SMEM_LINT_DEVICE unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
SMEM_LINT_DEVICE unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
SMEM_LINT_DEVICE unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
SMEM_LINT_DEVICE unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

#pragma pop_macro("SL_3")
#pragma pop_macro("SL_2")
#pragma pop_macro("SL_1")

#endif
