// __half and __half2.
#pragma once
#include "smem_lint_cuda_prelude.h"

#define __CUDA_FP16_TYPES_EXIST__
#define SL_H __half
#define SL_H2 __half2
#define SL_RAW __half_raw
#define SL_RAW2 __half2_raw
#define SL_OTHER __nv_bfloat16
#define SL_N half
#define SL_MAKE_N half
#define SL_PTX "f16"
#define SL_TO_FLOAT(BITS) ((float)__builtin_bit_cast(_Float16, BITS))
#define SL_FROM_FLOAT(X) __builtin_bit_cast(unsigned short, (_Float16)(X))
#define SL_INFINITY_BITS 0x7c00
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define SL_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__) || defined(__CUDA_NO_HALF2_OPERATORS__)
#define SL_NO_OPERATORS
#endif
#define SL_SPLITS_PAIRS
#include "smem_lint/float16.inc"
#undef SL_SPLITS_PAIRS

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half __nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
#endif
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFF)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFF)
