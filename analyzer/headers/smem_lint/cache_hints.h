// Loads and stores with a cache hint (__ldcs, __stcg, ...). nvcc's are PTX instructions
// on a global address that no pass merges or drops, so these are the same instructions.
#ifndef SMEM_LINT_CACHE_HINTS_H
#define SMEM_LINT_CACHE_HINTS_H

#include "attributes.h"
#include "same_as.h"

#pragma push_macro("SL_LOAD")
#pragma push_macro("SL_STORE")
#undef SL_LOAD
#undef SL_STORE

namespace smem_lint {
struct alignas(16) four_words {
  unsigned a, b, c, d;
};
} // namespace smem_lint

#define SL_LOAD(NAME, HINT, ASM, ...)                                                                                  \
  template <typename T> SMEM_LINT_DEVICE T NAME(const T *p) {                                                          \
    if constexpr (sizeof(T) == 1) {                                                                                    \
      unsigned v;                                                                                                      \
      ASM("ld.global." HINT ".u8 %0, [%1];" : "=r"(v) : "l"(p)__VA_ARGS__);                                            \
      return __builtin_bit_cast(T, (unsigned char)v);                                                                  \
    } else if constexpr (sizeof(T) == 2) {                                                                             \
      unsigned short v;                                                                                                \
      ASM("ld.global." HINT ".u16 %0, [%1];" : "=h"(v) : "l"(p)__VA_ARGS__);                                           \
      return __builtin_bit_cast(T, v);                                                                                 \
    } else if constexpr (sizeof(T) == 4) {                                                                             \
      unsigned v;                                                                                                      \
      ASM("ld.global." HINT ".u32 %0, [%1];" : "=r"(v) : "l"(p)__VA_ARGS__);                                           \
      return __builtin_bit_cast(T, v);                                                                                 \
    } else if constexpr (sizeof(T) == 8) {                                                                             \
      unsigned long long v;                                                                                            \
      ASM("ld.global." HINT ".u64 %0, [%1];" : "=l"(v) : "l"(p)__VA_ARGS__);                                           \
      return __builtin_bit_cast(T, v);                                                                                 \
    } else {                                                                                                           \
      smem_lint::four_words v;                                                                                         \
      ASM("ld.global." HINT ".v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.a), "=r"(v.b), "=r"(v.c),                       \
          "=r"(v.d) : "l"(p)__VA_ARGS__);                                                                              \
      return __builtin_bit_cast(T, v);                                                                                 \
    }                                                                                                                  \
  }
SL_LOAD(__ldcg, "cg", asm volatile)
SL_LOAD(__ldca, "ca", asm volatile)
SL_LOAD(__ldcs, "cs", asm volatile)
SL_LOAD(__ldlu, "lu", asm, : "memory")
SL_LOAD(__ldcv, "cv", asm volatile, : "memory")

#define SL_STORE(NAME, HINT)                                                                                           \
  template <typename T> SMEM_LINT_DEVICE void NAME(T *p, smem_lint::same_as<T> x) {                                    \
    if constexpr (sizeof(T) == 1) {                                                                                    \
      unsigned v = __builtin_bit_cast(unsigned char, x);                                                               \
      asm volatile("st.global." HINT ".u8 [%0], %1;" ::"l"(p), "r"(v) : "memory");                                     \
    } else if constexpr (sizeof(T) == 2) {                                                                             \
      unsigned short v = __builtin_bit_cast(unsigned short, x);                                                        \
      asm volatile("st.global." HINT ".u16 [%0], %1;" ::"l"(p), "h"(v) : "memory");                                    \
    } else if constexpr (sizeof(T) == 4) {                                                                             \
      unsigned v = __builtin_bit_cast(unsigned, x);                                                                    \
      asm volatile("st.global." HINT ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");                                    \
    } else if constexpr (sizeof(T) == 8) {                                                                             \
      unsigned long long v = __builtin_bit_cast(unsigned long long, x);                                                \
      asm volatile("st.global." HINT ".u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");                                    \
    } else {                                                                                                           \
      smem_lint::four_words v = __builtin_bit_cast(smem_lint::four_words, x);                                          \
      asm volatile("st.global." HINT ".v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.a), "r"(v.b), "r"(v.c),         \
                   "r"(v.d)                                                                                            \
                   : "memory");                                                                                        \
    }                                                                                                                  \
  }
SL_STORE(__stwb, "wb")
SL_STORE(__stcg, "cg")
SL_STORE(__stcs, "cs")
SL_STORE(__stwt, "wt")

#pragma pop_macro("SL_STORE")
#pragma pop_macro("SL_LOAD")

#endif
