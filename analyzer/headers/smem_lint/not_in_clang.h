// Device functions that the toolkit's headers give nvcc and Clang's wrapper of them does not have: with a toolkit and without.
#ifndef SMEM_LINT_NOT_IN_CLANG_H
#define SMEM_LINT_NOT_IN_CLANG_H

#include "attributes.h"

SMEM_LINT_DEVICE int __signbit(double x) { return __builtin_signbit(x); }
SMEM_LINT_DEVICE int __signbitl(long double x) { return __builtin_signbit(x); }
SMEM_LINT_DEVICE int __isnand(double x) { return __builtin_isnan(x); }
SMEM_LINT_DEVICE int __isnanl(long double x) { return __builtin_isnan(x); }
SMEM_LINT_DEVICE int __isinfd(double x) { return __builtin_isinf(x); }
SMEM_LINT_DEVICE int __isinfl(long double x) { return __builtin_isinf(x); }
SMEM_LINT_DEVICE int __isfinitef(float x) { return __builtin_isfinite(x); }
SMEM_LINT_DEVICE int __finitel(long double x) { return __builtin_isfinite(x); }
SMEM_LINT_DEVICE float __tanhf(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
#ifndef __prof_trigger
#define __prof_trigger(EVENT) asm volatile("pmevent %0;" ::"n"(EVENT))
#endif

#endif
