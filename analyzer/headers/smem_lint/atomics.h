// Atomic functions: through the target's builtins, which become atomicrmw, cmpxchg or a
// target intrinsic on the pointer as given, so that its address space can be inferred.
#ifndef SMEM_LINT_ATOMICS_H
#define SMEM_LINT_ATOMICS_H

#pragma push_macro("SL_OP")
#pragma push_macro("SL_OPS")
#pragma push_macro("SL_CAS")
#pragma push_macro("SL_F")
#undef SL_OP
#undef SL_OPS
#undef SL_CAS
#undef SL_F

// NAME(T *, T) by the builtin of operation OP whose operands are of type B and code C.
#define SL_OP(NAME, OP, T, B, C)                                                                         \
  SMEM_LINT_DEVICE T NAME(T *p, T v) { return (T)__nvvm_atom_##OP##_gen_##C((B *)p, (B)v); }
#define SL_OPS(NAME, OP, T, B, C)                                                                        \
  SL_OP(NAME, OP, T, B, C)                                                                              \
  SL_OP(NAME##_block, cta_##OP, T, B, C)                                                                \
  SL_OP(NAME##_system, sys_##OP, T, B, C)

SL_OPS(atomicAdd, add, int, int, i)
SL_OPS(atomicAdd, add, unsigned, int, i)
SL_OPS(atomicAdd, add, unsigned long long, long long, ll)
SL_OPS(atomicAdd, add, float, float, f)
SL_OPS(atomicAdd, add, double, double, d)
SL_OPS(atomicExch, xchg, int, int, i)
SL_OPS(atomicExch, xchg, unsigned, int, i)
SL_OPS(atomicExch, xchg, unsigned long long, long long, ll)
SL_OPS(atomicMin, min, int, int, i)
SL_OPS(atomicMin, min, unsigned, unsigned, ui)
SL_OPS(atomicMin, min, long long, long long, ll)
SL_OPS(atomicMin, min, unsigned long long, unsigned long long, ull)
SL_OPS(atomicMax, max, int, int, i)
SL_OPS(atomicMax, max, unsigned, unsigned, ui)
SL_OPS(atomicMax, max, long long, long long, ll)
SL_OPS(atomicMax, max, unsigned long long, unsigned long long, ull)
SL_OPS(atomicAnd, and, int, int, i)
SL_OPS(atomicAnd, and, unsigned, int, i)
SL_OPS(atomicAnd, and, unsigned long long, long long, ll)
SL_OPS(atomicOr, or, int, int, i)
SL_OPS(atomicOr, or, unsigned, int, i)
SL_OPS(atomicOr, or, unsigned long long, long long, ll)
SL_OPS(atomicXor, xor, int, int, i)
SL_OPS(atomicXor, xor, unsigned, int, i)
SL_OPS(atomicXor, xor, unsigned long long, long long, ll)
SL_OPS(atomicInc, inc, unsigned, unsigned, ui)
SL_OPS(atomicDec, dec, unsigned, unsigned, ui)

#define SL_CAS(T, B, C)                                                                                  \
  SMEM_LINT_DEVICE T atomicCAS(T *p, T old, T v) { return (T)__nvvm_atom_cas_gen_##C((B *)p, (B)old, (B)v); }      \
  SMEM_LINT_DEVICE T atomicCAS_block(T *p, T old, T v) { return (T)__nvvm_atom_cta_cas_gen_##C((B *)p, (B)old, (B)v); } \
  SMEM_LINT_DEVICE T atomicCAS_system(T *p, T old, T v) { return (T)__nvvm_atom_sys_cas_gen_##C((B *)p, (B)old, (B)v); }
SL_CAS(int, int, i)
SL_CAS(unsigned, int, i)
SL_CAS(unsigned long long, long long, ll)

// Float exchanges, and subtraction, are other operations in disguise.
#define SL_F(S)                                                                                          \
  SMEM_LINT_DEVICE float atomicExch##S(float *p, float v) {                                             \
    return __builtin_bit_cast(float, atomicExch##S((int *)p, __builtin_bit_cast(int, v)));              \
  }                                                                                                     \
  SMEM_LINT_DEVICE int atomicSub##S(int *p, int v) { return atomicAdd##S(p, -v); }                      \
  SMEM_LINT_DEVICE unsigned atomicSub##S(unsigned *p, unsigned v) { return atomicAdd##S(p, -v); }       \
  SMEM_LINT_DEVICE long long atomicAnd##S(long long *p, long long v) {                                  \
    return (long long)atomicAnd##S((unsigned long long *)p, (unsigned long long)v);                     \
  }                                                                                                     \
  SMEM_LINT_DEVICE long long atomicOr##S(long long *p, long long v) {                                   \
    return (long long)atomicOr##S((unsigned long long *)p, (unsigned long long)v);                      \
  }                                                                                                     \
  SMEM_LINT_DEVICE long long atomicXor##S(long long *p, long long v) {                                  \
    return (long long)atomicXor##S((unsigned long long *)p, (unsigned long long)v);                     \
  }
SL_F()
SL_F(_block)
SL_F(_system)

// Operations for which the compiler has no builtin.
#undef SL_F
#define SL_F(S, SCOPE)                                                                                   \
  SMEM_LINT_DEVICE float2 atomicAdd##S(float2 *p, float2 v) {                                           \
    float2 r;                                                                                           \
    asm("atom" SCOPE ".add.v2.f32 {%0, %1}, [%2], {%3, %4};"                                            \
        : "=f"(r.x), "=f"(r.y)                                                                          \
        : "l"(p), "f"(v.x), "f"(v.y));                                                                  \
    return r;                                                                                           \
  }                                                                                                     \
  SMEM_LINT_DEVICE unsigned short atomicCAS##S(unsigned short *p, unsigned short old, unsigned short v) { \
    unsigned short r;                                                                                   \
    asm volatile("atom" SCOPE ".cas.b16 %0, [%1], %2, %3;"                                              \
                 : "=h"(r) : "l"(p), "h"(old), "h"(v) : "memory");                                      \
    return r;                                                                                           \
  }                                                                                                     \
  SMEM_LINT_DEVICE float4 atomicAdd##S(float4 *p, float4 v) {                                           \
    float4 r;                                                                                           \
    asm("atom" SCOPE ".add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"                            \
        : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)                                                    \
        : "l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w));                                              \
    return r;                                                                                           \
  }
SL_F(, "")
SL_F(_block, ".cta")
SL_F(_system, ".sys")

#pragma pop_macro("SL_F")
#pragma pop_macro("SL_CAS")
#pragma pop_macro("SL_OPS")
#pragma pop_macro("SL_OP")

#endif
