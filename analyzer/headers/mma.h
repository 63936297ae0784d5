// nvcuda::wmma: matrix fragments, loaded from and stored to memory by one warp. Each
// function is one builtin of the target, so a load is a llvm.nvvm.wmma.* call whose
// pointer and stride are the user's.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

// How elements are kept: as themselves, as float for tf32, several to a word below 8 bits.
template <typename T> struct storage_of {
  typedef T type;
  enum { per_word = 1 };
  SMEM_LINT_METHOD static T fill(T v) { return v; }
};
template <> struct storage_of<precision::tf32> {
  typedef float type;
  enum { per_word = 1 };
  SMEM_LINT_METHOD static float fill(float v) { return v; }
};
template <> struct storage_of<experimental::precision::u4> {
  typedef unsigned type;
  enum { per_word = 8 };
  SMEM_LINT_METHOD static unsigned fill(unsigned v) { return (v & 0xf) * 0x11111111u; }
};
template <> struct storage_of<experimental::precision::s4> {
  typedef int type;
  enum { per_word = 8 };
  SMEM_LINT_METHOD static int fill(int v) { return (int)((v & 0xfu) * 0x11111111u); }
};
template <> struct storage_of<experimental::precision::b1> {
  typedef unsigned type;
  enum { per_word = 32 };
  SMEM_LINT_METHOD static unsigned fill(unsigned v) { return v & 1 ? 0xffffffffu : 0; }
};

// Elements of a fragment that one lane holds: an equal share of the matrix, except that
// fp16 operands are always 16.
template <typename Use, int M, int N, int K, typename T> struct elements_of;
template <int M, int N, int K, typename T> struct elements_of<matrix_a, M, N, K, T> {
  enum { value = M * K / 32 };
};
template <int M, int N, int K, typename T> struct elements_of<matrix_b, M, N, K, T> {
  enum { value = N * K / 32 };
};
template <int M, int N, int K, typename T> struct elements_of<accumulator, M, N, K, T> {
  enum { value = M * N / 32 };
};
template <int M, int N, int K> struct elements_of<matrix_a, M, N, K, __half> {
  enum { value = 16 };
};
template <int M, int N, int K> struct elements_of<matrix_b, M, N, K, __half> {
  enum { value = 16 };
};

template <typename T, int Elements> struct __attribute__((aligned(8))) __frag_base {
  enum { num_elements = Elements, num_storage_elements = Elements / storage_of<T>::per_word };
  typedef T element_type;
  typedef typename storage_of<T>::type storage_element_type;
  storage_element_type x[num_storage_elements];
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment
    : public __frag_base<T, elements_of<Use, M, N, K, T>::value> {};

template <typename T, int Elements>
SMEM_LINT_DEVICE void fill_fragment(__frag_base<T, Elements> &f, const typename storage_of<T>::type &v) {
  const typename storage_of<T>::type word = storage_of<T>::fill(v);
#pragma unroll
  for (int i = 0; i < f.num_storage_elements; ++i)
    f.x[i] = word;
}

SMEM_LINT_DEVICE float __float_to_tf32(float x) {
  float r;
  asm("{ .reg .b32 t; cvt.rna.tf32.f32 t, %1; mov.b32 %0, t; }" : "=f"(r) : "f"(x));
  return r;
}

#pragma push_macro("SL_OPERAND")
#pragma push_macro("SL_RESULT")
#pragma push_macro("SL_MMA")
#undef SL_OPERAND
#undef SL_RESULT
#undef SL_MMA

// load_matrix_sync of an operand: builtin of (fragment words, memory, stride, is column major).
#define SL_OPERAND(USE, M, N, K, T, P, WORD, BUILTIN)                                                                  \
  template <typename Layout>                                                                                           \
  SMEM_LINT_DEVICE void load_matrix_sync(fragment<USE, M, N, K, T, Layout> &f, const P *p, unsigned ld) {              \
    if constexpr (__is_same(Layout, row_major))                                                                        \
      BUILTIN((WORD *)&f, (const WORD *)p, ld, 0);                                                                     \
    else                                                                                                               \
      BUILTIN((WORD *)&f, (const WORD *)p, ld, 1);                                                                     \
  }
// load_matrix_sync and store_matrix_sync of an accumulator.
#define SL_RESULT(M, N, K, T, WORD, LOAD, STORE)                                                                       \
  SMEM_LINT_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ld,                \
                                         layout_t layout) {                                                            \
    if (layout == mem_row_major)                                                                                       \
      LOAD((WORD *)&f, (const WORD *)p, ld, 0);                                                                        \
    else                                                                                                               \
      LOAD((WORD *)&f, (const WORD *)p, ld, 1);                                                                        \
  }                                                                                                                    \
  SMEM_LINT_DEVICE void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ld,               \
                                          layout_t layout) {                                                           \
    if (layout == mem_row_major)                                                                                       \
      STORE((WORD *)p, (const WORD *)&f, ld, 0);                                                                       \
    else                                                                                                               \
      STORE((WORD *)p, (const WORD *)&f, ld, 1);                                                                       \
  }
// mma_sync: D of type TD and words WD, C likewise; the immediate says which operands are
// column major. Integer forms may saturate.
#define SL_MMA(M, N, K, T, WAB, TD, WD, TC, WC, BUILTIN)                                                               \
  template <typename LA, typename LB> SMEM_LINT_DEVICE void mma_sync(                                                  \
      fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, T, LA> &a,                              \
      const fragment<matrix_b, M, N, K, T, LB> &b, const fragment<accumulator, M, N, K, TC> &c) {                      \
    constexpr int layouts = (__is_same(LA, col_major) ? 2 : 0) | (__is_same(LB, col_major) ? 1 : 0);                   \
    BUILTIN((WD *)&d, (const WAB *)&a, (const WAB *)&b, (const WC *)&c, layouts, 0);                                   \
  }
#define SL_INTEGER_MMA(M, N, K, T, BUILTIN)                                                                            \
  template <typename LA, typename LB>                                                                                  \
  SMEM_LINT_DEVICE void mma_sync(fragment<accumulator, M, N, K, int> &d, const fragment<matrix_a, M, N, K, T, LA> &a,  \
                                 const fragment<matrix_b, M, N, K, T, LB> &b,                                          \
                                 const fragment<accumulator, M, N, K, int> &c, bool saturate = false) {                \
    constexpr int layouts = (__is_same(LA, col_major) ? 2 : 0) | (__is_same(LB, col_major) ? 1 : 0);                   \
    if (saturate)                                                                                                      \
      BUILTIN((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c, layouts, 1);                               \
    else                                                                                                               \
      BUILTIN((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c, layouts, 0);                               \
  }

#define SL_HALF(M, N, K, SHAPE)                                                                                        \
  SL_OPERAND(matrix_a, M, N, K, __half, __half, int, __hmma_##SHAPE##_ld_a)                                            \
  SL_OPERAND(matrix_b, M, N, K, __half, __half, int, __hmma_##SHAPE##_ld_b)                                            \
  SL_RESULT(M, N, K, __half, int, __hmma_##SHAPE##_ld_c_f16, __hmma_##SHAPE##_st_c_f16)                                \
  SL_RESULT(M, N, K, float, float, __hmma_##SHAPE##_ld_c_f32, __hmma_##SHAPE##_st_c_f32)                               \
  SL_MMA(M, N, K, __half, int, __half, int, __half, int, __hmma_##SHAPE##_mma_f16f16)                                  \
  SL_MMA(M, N, K, __half, int, float, float, __half, int, __hmma_##SHAPE##_mma_f32f16)                                 \
  SL_MMA(M, N, K, __half, int, float, float, float, float, __hmma_##SHAPE##_mma_f32f32)                                \
  SL_MMA(M, N, K, __half, int, __half, int, float, float, __hmma_##SHAPE##_mma_f16f32)                                 \
  SL_OPERAND(matrix_a, M, N, K, signed char, signed char, int, __imma_##SHAPE##_ld_a_s8)                               \
  SL_OPERAND(matrix_b, M, N, K, signed char, signed char, int, __imma_##SHAPE##_ld_b_s8)                               \
  SL_OPERAND(matrix_a, M, N, K, unsigned char, unsigned char, int, __imma_##SHAPE##_ld_a_u8)                           \
  SL_OPERAND(matrix_b, M, N, K, unsigned char, unsigned char, int, __imma_##SHAPE##_ld_b_u8)                           \
  SL_RESULT(M, N, K, int, int, __imma_##SHAPE##_ld_c, __imma_##SHAPE##_st_c_i32)                                       \
  SL_INTEGER_MMA(M, N, K, signed char, __imma_##SHAPE##_mma_s8)                                                        \
  SL_INTEGER_MMA(M, N, K, unsigned char, __imma_##SHAPE##_mma_u8)                                                      \
  SL_OPERAND(matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, int, __mma_bf16_##SHAPE##_ld_a)                          \
  SL_OPERAND(matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, int, __mma_bf16_##SHAPE##_ld_b)                          \
  SL_MMA(M, N, K, __nv_bfloat16, int, float, float, float, float, __mma_bf16_##SHAPE##_mma_f32)
SL_HALF(16, 16, 16, m16n16k16)
SL_HALF(32, 8, 16, m32n8k16)
SL_HALF(8, 32, 16, m8n32k16)
#undef SL_HALF

SL_OPERAND(matrix_a, 16, 16, 8, precision::tf32, float, int, __mma_tf32_m16n16k8_ld_a)
SL_OPERAND(matrix_b, 16, 16, 8, precision::tf32, float, int, __mma_tf32_m16n16k8_ld_b)
SL_RESULT(16, 16, 8, float, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
SL_MMA(16, 16, 8, precision::tf32, int, float, float, float, float, __mma_tf32_m16n16k8_mma_f32)

SL_OPERAND(matrix_a, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_a)
SL_OPERAND(matrix_b, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_b)
SL_RESULT(8, 8, 4, double, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
SL_MMA(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64)

// Below 8 bits only A row major and B column major exist.
#undef SL_OPERAND
#define SL_OPERAND(USE, LAYOUT, K, T, BUILTIN, IS_COLUMN)                                                              \
  SMEM_LINT_DEVICE void load_matrix_sync(fragment<USE, 8, 8, K, experimental::precision::T, LAYOUT> &f, const void *p, \
                                         unsigned ld) {                                                                \
    BUILTIN((int *)&f, (const int *)p, ld, IS_COLUMN);                                                                 \
  }
SL_OPERAND(matrix_a, row_major, 32, s4, __imma_m8n8k32_ld_a_s4, 0)
SL_OPERAND(matrix_b, col_major, 32, s4, __imma_m8n8k32_ld_b_s4, 1)
SL_OPERAND(matrix_a, row_major, 32, u4, __imma_m8n8k32_ld_a_u4, 0)
SL_OPERAND(matrix_b, col_major, 32, u4, __imma_m8n8k32_ld_b_u4, 1)
SL_OPERAND(matrix_a, row_major, 128, b1, __bmma_m8n8k128_ld_a_b1, 0)
SL_OPERAND(matrix_b, col_major, 128, b1, __bmma_m8n8k128_ld_b_b1, 1)
SL_RESULT(8, 8, 32, int, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
SL_RESULT(8, 8, 128, int, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
#undef SL_INTEGER_MMA
#define SL_INTEGER_MMA(T, BUILTIN)                                                                                     \
  SMEM_LINT_DEVICE void mma_sync(fragment<accumulator, 8, 8, 32, int> &d,                                              \
                                 const fragment<matrix_a, 8, 8, 32, experimental::precision::T, row_major> &a,         \
                                 const fragment<matrix_b, 8, 8, 32, experimental::precision::T, col_major> &b,         \
                                 const fragment<accumulator, 8, 8, 32, int> &c, bool saturate = false) {               \
    if (saturate)                                                                                                      \
      BUILTIN((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c, 1, 1);                                     \
    else                                                                                                               \
      BUILTIN((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c, 1, 0);                                     \
  }
SL_INTEGER_MMA(s4, __imma_m8n8k32_mma_s4)
SL_INTEGER_MMA(u4, __imma_m8n8k32_mma_u4)
#undef SL_INTEGER_MMA
SMEM_LINT_DEVICE void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                                const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                                const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                                const fragment<accumulator, 8, 8, 128, int> &c,
                                experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                                experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  if (op == experimental::bmmaBitOpXOR)
    __bmma_m8n8k128_mma_xor_popc_b1((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c, 1);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  else
    __bmma_m8n8k128_mma_and_popc_b1((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c, 1);
#endif
}
#pragma pop_macro("SL_MMA")
#pragma pop_macro("SL_RESULT")
#pragma pop_macro("SL_OPERAND")

} // namespace wmma
} // namespace nvcuda
