// The 8-bit floating-point types as storage, with conversions to and from float whose
// values are not modelled.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

extern "C" {
__attribute__((host, device, const)) __nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t,
                                                                              __nv_fp8_interpretation_t) noexcept;
__attribute__((host, device, const)) float __smem_lint_fp8_to_float(__nv_fp8_storage_t, int) noexcept;
}
SMEM_LINT_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t s,
                                                             __nv_fp8_interpretation_t i) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(v.x, s, i) | __nv_cvt_float_to_fp8(v.y, s, i) << 8);
}
SMEM_LINT_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t i) {
  return __float2half(__smem_lint_fp8_to_float(v, i));
}
SMEM_LINT_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t i) {
  return __floats2half2_rn(__smem_lint_fp8_to_float((__nv_fp8_storage_t)v, i),
                           __smem_lint_fp8_to_float((__nv_fp8_storage_t)(v >> 8), i));
}

#pragma push_macro("SL_FP8")
#undef SL_FP8
#define SL_FP8(ONE, TO_FLOAT, TWO, TO_FLOAT2, FROM, FROM2)                                                             \
  SMEM_LINT_BOTH __nv_fp8_storage_t __nv_cvt_##ONE##_to_fp8(FROM v, __nv_saturation_t s,                               \
                                                            __nv_fp8_interpretation_t i) {                             \
    return __nv_cvt_float_to_fp8(TO_FLOAT(v), s, i);                                                                   \
  }                                                                                                                    \
  SMEM_LINT_BOTH __nv_fp8x2_storage_t __nv_cvt_##TWO##_to_fp8x2(FROM2 v, __nv_saturation_t s,                          \
                                                                __nv_fp8_interpretation_t i) {                         \
    return __nv_cvt_float2_to_fp8x2(TO_FLOAT2(v), s, i);                                                               \
  }
SMEM_LINT_BOTH float2 __smem_lint_to_float2(double2 v) { return make_float2((float)v.x, (float)v.y); }
SL_FP8(double, (float), double2, __smem_lint_to_float2, double, double2)
SL_FP8(halfraw, __half2float, halfraw2, __half22float2, __half_raw, __half2_raw)
SL_FP8(bfloat16raw, __bfloat162float, bfloat16raw2, __bfloat1622float2, __nv_bfloat16_raw, __nv_bfloat162_raw)
#pragma pop_macro("SL_FP8")

#pragma push_macro("SL_FP8")
#undef SL_FP8
#define SL_FP8(NAME, KIND)                                                                                             \
  struct __nv_fp8_##NAME {                                                                                             \
    __nv_fp8_storage_t __x;                                                                                            \
    __nv_fp8_##NAME() = default;                                                                                       \
    SMEM_LINT_BOTH_METHOD explicit __nv_fp8_##NAME(float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, KIND)) {}   \
    SMEM_LINT_BOTH_METHOD explicit __nv_fp8_##NAME(double v) : __nv_fp8_##NAME((float)v) {}                            \
    SMEM_LINT_BOTH_METHOD explicit __nv_fp8_##NAME(int v) : __nv_fp8_##NAME((float)v) {}                               \
    SMEM_LINT_BOTH_METHOD explicit __nv_fp8_##NAME(__half v) : __nv_fp8_##NAME(__half2float(v)) {}                     \
    SMEM_LINT_BOTH_METHOD explicit __nv_fp8_##NAME(__nv_bfloat16 v) : __nv_fp8_##NAME(__bfloat162float(v)) {}          \
    SMEM_LINT_BOTH_METHOD explicit operator float() const { return __smem_lint_fp8_to_float(__x, KIND); }              \
    SMEM_LINT_BOTH_METHOD explicit operator double() const { return (float)*this; }                                    \
    SMEM_LINT_BOTH_METHOD explicit operator int() const { return (int)(float)*this; }                                  \
    SMEM_LINT_BOTH_METHOD explicit operator __half() const { return __float2half((float)*this); }                      \
    SMEM_LINT_BOTH_METHOD explicit operator __nv_bfloat16() const { return __float2bfloat16((float)*this); }           \
  };                                                                                                                   \
  struct __nv_fp8x2_##NAME {                                                                                           \
    __nv_fp8x2_storage_t __x;                                                                                          \
    __nv_fp8x2_##NAME() = default;                                                                                     \
    SMEM_LINT_BOTH_METHOD explicit __nv_fp8x2_##NAME(float2 v)                                                         \
        : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                                                    \
    SMEM_LINT_BOTH_METHOD explicit operator float2() const {                                                           \
      return make_float2(__smem_lint_fp8_to_float((__nv_fp8_storage_t)(__x & 0xff), KIND),                             \
                         __smem_lint_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), KIND));                              \
    }                                                                                                                  \
  };                                                                                                                   \
  struct __nv_fp8x4_##NAME {                                                                                           \
    __nv_fp8x4_storage_t __x;                                                                                          \
    __nv_fp8x4_##NAME() = default;                                                                                     \
    SMEM_LINT_BOTH_METHOD explicit __nv_fp8x4_##NAME(float4 v)                                                         \
        : __x((unsigned)__nv_cvt_float2_to_fp8x2(make_float2(v.x, v.y), __NV_SATFINITE, KIND) |                        \
              (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(v.z, v.w), __NV_SATFINITE, KIND) << 16) {}                \
  };
SL_FP8(e4m3, __NV_E4M3)
SL_FP8(e5m2, __NV_E5M2)
#pragma pop_macro("SL_FP8")
