// What a floating-point number is, under the names that the C library has for the host alone.
#ifndef SMEM_LINT_CLASSIFICATION_H
#define SMEM_LINT_CLASSIFICATION_H

#include "not_in_clang.h"

SMEM_LINT_DEVICE int __signbitf(float x) { return __builtin_signbit(x); }
SMEM_LINT_DEVICE int __signbitd(double x) { return __builtin_signbit(x); }
SMEM_LINT_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
SMEM_LINT_DEVICE int __isnan(double x) { return __builtin_isnan(x); }
SMEM_LINT_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
SMEM_LINT_DEVICE int __isinf(double x) { return __builtin_isinf(x); }
SMEM_LINT_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }
SMEM_LINT_DEVICE int __finite(double x) { return __builtin_isfinite(x); }
SMEM_LINT_DEVICE int __isfinited(double x) { return __builtin_isfinite(x); }

#endif
