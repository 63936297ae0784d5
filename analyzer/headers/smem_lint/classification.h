// What a floating-point number is, under the names that the C library has for the host alone.
#ifndef SMEM_LINT_CLASSIFICATION_H
#define SMEM_LINT_CLASSIFICATION_H

#include "attributes.h"

#pragma push_macro("SL_1")
#undef SL_1
#define SL_1(SUFFIX, T)                                                                                                \
  SMEM_LINT_DEVICE int __signbit##SUFFIX(T x) { return __builtin_signbit(x); }                                         \
  SMEM_LINT_DEVICE int __isnan##SUFFIX(T x) { return __builtin_isnan(x); }                                             \
  SMEM_LINT_DEVICE int __isinf##SUFFIX(T x) { return __builtin_isinf(x); }                                             \
  SMEM_LINT_DEVICE int __finite##SUFFIX(T x) { return __builtin_isfinite(x); }
SL_1(f, float)
SL_1(, double)
SL_1(l, long double)
#pragma pop_macro("SL_1")
SMEM_LINT_DEVICE int __signbitd(double x) { return __builtin_signbit(x); }
SMEM_LINT_DEVICE int __isfinited(double x) { return __builtin_isfinite(x); }
SMEM_LINT_DEVICE int __isnand(double x) { return __builtin_isnan(x); }
SMEM_LINT_DEVICE int __isinfd(double x) { return __builtin_isinf(x); }
SMEM_LINT_DEVICE int __isfinitef(float x) { return __builtin_isfinite(x); }

#endif
