// Atomic functions: generic compiler atomics, which become atomicrmw or cmpxchg on the
// pointer as given, so that its address space can be inferred. Clang drops the scope
// of _block; where races are looked for, the name of the function gives it back.
#ifndef SMEM_LINT_ATOMICS_H
#define SMEM_LINT_ATOMICS_H

#include "same_as.h"

#pragma push_macro("SL_OP")
#undef SL_OP
#define SL_OP(NAME, BUILTIN)                                                                                           \
  template <typename T> SMEM_LINT_DEVICE T NAME(T *p, smem_lint::same_as<T> v) {                                       \
    return __atomic_##BUILTIN(p, v, __ATOMIC_SEQ_CST);                                                                 \
  }                                                                                                                    \
  template <typename T> SMEM_LINT_DEVICE T NAME##_block(T *p, smem_lint::same_as<T> v) {                               \
    return __scoped_atomic_##BUILTIN(p, v, __ATOMIC_SEQ_CST, __MEMORY_SCOPE_WRKGRP);                                   \
  }                                                                                                                    \
  template <typename T> SMEM_LINT_DEVICE T NAME##_system(T *p, smem_lint::same_as<T> v) {                              \
    return __scoped_atomic_##BUILTIN(p, v, __ATOMIC_SEQ_CST, __MEMORY_SCOPE_SYSTEM);                                   \
  }
SL_OP(atomicAdd, fetch_add)
SL_OP(atomicMin, fetch_min)
SL_OP(atomicMax, fetch_max)
SL_OP(atomicAnd, fetch_and)
SL_OP(atomicOr, fetch_or)
SL_OP(atomicXor, fetch_xor)
#undef SL_OP

#define SL_OP(SUFFIX, BUILTIN, ...)                                                                                    \
  template <typename T> SMEM_LINT_DEVICE T atomicSub##SUFFIX(T *p, smem_lint::same_as<T> v) {                          \
    return atomicAdd##SUFFIX(p, (T) - v);                                                                              \
  }                                                                                                                    \
  template <typename T> SMEM_LINT_DEVICE T atomicExch##SUFFIX(T *p, smem_lint::same_as<T> v) {                         \
    if constexpr (__is_same(T, float))                                                                                 \
      return __builtin_bit_cast(                                                                                       \
          float, BUILTIN##exchange_n((int *)p, __builtin_bit_cast(int, v), __ATOMIC_SEQ_CST __VA_ARGS__));             \
    else                                                                                                               \
      return BUILTIN##exchange_n(p, v, __ATOMIC_SEQ_CST __VA_ARGS__);                                                  \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  SMEM_LINT_DEVICE T atomicCAS##SUFFIX(T *p, smem_lint::same_as<T> old, smem_lint::same_as<T> v) {                     \
    BUILTIN##compare_exchange_n(p, &old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST __VA_ARGS__);                    \
    return old;                                                                                                        \
  }
SL_OP(, __atomic_)
SL_OP(_block, __scoped_atomic_, , __MEMORY_SCOPE_WRKGRP)
SL_OP(_system, __scoped_atomic_, , __MEMORY_SCOPE_SYSTEM)
#pragma pop_macro("SL_OP")

// Operations for which only the target has builtins, or none but its assembly has.
#define atomicInc_block __nvvm_atom_cta_inc_gen_ui
#define atomicDec_block __nvvm_atom_cta_dec_gen_ui
#define atomicInc_system __nvvm_atom_sys_inc_gen_ui
#define atomicDec_system __nvvm_atom_sys_dec_gen_ui
SMEM_LINT_DEVICE unsigned atomicInc(unsigned *p, unsigned limit) { return __nvvm_atom_inc_gen_ui(p, limit); }
SMEM_LINT_DEVICE unsigned atomicDec(unsigned *p, unsigned limit) { return __nvvm_atom_dec_gen_ui(p, limit); }
SMEM_LINT_DEVICE float2 atomicAdd(float2 *p, float2 v) {
  float2 r;
  asm volatile("atom.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
               : "=f"(r.x), "=f"(r.y)
               : "l"(p), "f"(v.x), "f"(v.y)
               : "memory");
  return r;
}
SMEM_LINT_DEVICE float4 atomicAdd(float4 *p, float4 v) {
  float4 r;
  asm volatile("atom.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
               : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
               : "l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
  return r;
}

#endif
