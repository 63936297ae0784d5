// __nv_bfloat16 and __nv_bfloat162.
#pragma once
#include "cuda_fp16.h"

#define __CUDA_BF16_TYPES_EXIST__
#define SL_H __nv_bfloat16
#define SL_H2 __nv_bfloat162
#define SL_RAW __nv_bfloat16_raw
#define SL_RAW2 __nv_bfloat162_raw
#define SL_OTHER __half
#define SL_N bfloat16
#define SL_MAKE_N bfloat16
#define SL_PTX "bf16"
#define SL_TO_FLOAT(BITS) __builtin_bit_cast(float, (unsigned)(BITS) << 16)
#define SL_FROM_FLOAT(X)                                                                                               \
  ((unsigned short)((__builtin_bit_cast(unsigned, (float)(X)) + 0x7fff +                                               \
                     (__builtin_bit_cast(unsigned, (float)(X)) >> 16 & 1)) >>                                          \
                    16))
#define SL_INFINITY_BITS 0x7f80
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define SL_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__) || defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define SL_NO_OPERATORS
#endif
#include "smem_lint/float16.inc"

#ifndef __CUDA_NO_HALF_CONVERSIONS__
SMEM_LINT_BOTH_METHOD __half::__half(__nv_bfloat16 v) : __x(__float2half(__bfloat162float(v)).__x) {}
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
SMEM_LINT_BOTH_METHOD __nv_bfloat16::__nv_bfloat16(__half v) : __x(__float2bfloat16(__half2float(v)).__x) {}
#endif

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
