// Complex numbers as pairs.
#pragma once
#include "smem_lint_cuda_prelude.h"

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
#pragma push_macro("SL_COMPLEX")
#undef SL_COMPLEX
#define SL_COMPLEX(F, C, T, V, SQRT)                                                                                   \
  SMEM_LINT_BOTH C make_##V(T x, T y) { return C{x, y}; }                                                              \
  SMEM_LINT_BOTH T cuCreal##F(C a) { return a.x; }                                                                     \
  SMEM_LINT_BOTH T cuCimag##F(C a) { return a.y; }                                                                     \
  SMEM_LINT_BOTH C cuConj##F(C a) { return C{a.x, -a.y}; }                                                             \
  SMEM_LINT_BOTH C cuCadd##F(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                                             \
  SMEM_LINT_BOTH C cuCsub##F(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                                             \
  SMEM_LINT_BOTH C cuCmul##F(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                     \
  SMEM_LINT_BOTH C cuCdiv##F(C a, C b) {                                                                               \
    const T n = b.x * b.x + b.y * b.y;                                                                                 \
    return C{(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n};                                                \
  }                                                                                                                    \
  SMEM_LINT_BOTH C cuCfma##F(C a, C b, C c) { return cuCadd##F(cuCmul##F(a, b), c); }                                  \
  SMEM_LINT_BOTH T cuCabs##F(C a) { return SQRT(a.x * a.x + a.y * a.y); }
SL_COMPLEX(f, cuFloatComplex, float, cuFloatComplex, __builtin_sqrtf)
SL_COMPLEX(, cuDoubleComplex, double, cuDoubleComplex, __builtin_sqrt)
#pragma pop_macro("SL_COMPLEX")
SMEM_LINT_BOTH cuComplex make_cuComplex(float x, float y) { return cuComplex{x, y}; }
