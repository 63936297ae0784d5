// The host's min and max, which the toolkit's headers define for nvcc alone.
#ifndef SMEM_LINT_HOST_MINMAX_H
#define SMEM_LINT_HOST_MINMAX_H

#include "attributes.h"

#pragma push_macro("SL_1")
#undef SL_1
#define SL_1(RESULT, T, U)                                                                                             \
  SMEM_LINT_HOST RESULT min(T x, U y) { return (RESULT)x < (RESULT)y ? (RESULT)x : (RESULT)y; }                        \
  SMEM_LINT_HOST RESULT max(T x, U y) { return (RESULT)x > (RESULT)y ? (RESULT)x : (RESULT)y; }
SL_1(int, int, int)
SL_1(unsigned, unsigned, unsigned)
SL_1(unsigned, int, unsigned)
SL_1(unsigned, unsigned, int)
SL_1(long, long, long)
SL_1(unsigned long, unsigned long, unsigned long)
SL_1(unsigned long, long, unsigned long)
SL_1(unsigned long, unsigned long, long)
SL_1(long long, long long, long long)
SL_1(unsigned long long, unsigned long long, unsigned long long)
SL_1(unsigned long long, long long, unsigned long long)
SL_1(unsigned long long, unsigned long long, long long)
SL_1(float, float, float)
SL_1(double, double, double)
SL_1(double, float, double)
SL_1(double, double, float)
#pragma pop_macro("SL_1")

#endif
