// The C mathematics library and CUDA's additions, for kernels: compiler builtins that
// neither read nor write memory. Results matter to this tool only where they are turned
// into integers.
//
// Device overloads stand beside the host's declarations, and <cmath> adds both to
// namespace std. One template a name serves float, double and integers, and __functions
// that are one instruction of the target are macros, because the time to parse this file
// is paid by every run.
#ifndef SMEM_LINT_MATH_H
#define SMEM_LINT_MATH_H

#pragma push_macro("SL_1")
#pragma push_macro("SL_2")
#pragma push_macro("SL_3")
#undef SL_1
#undef SL_2
#undef SL_3

namespace smem_lint {
template <typename T> constexpr bool is_float = __is_same(T, float);
template <bool Float, bool Number> struct real {};
template <> struct real<true, true> {
  typedef float type;
};
template <> struct real<false, true> {
  typedef double type;
};
// The type that a function of T, or of T and U, is computed in.
template <typename T> using real_of = typename real<is_float<T>, __is_arithmetic(T)>::type;
template <typename T, typename U> using real_of_both =
    typename real<is_float<T> && is_float<U>, __is_arithmetic(T) && __is_arithmetic(U)>::type;
} // namespace smem_lint

#define SL_1(NAME)                                                                                                     \
  extern "C" double NAME(double) noexcept;                                                                             \
  extern "C" float NAME##f(float) noexcept;                                                                            \
  SMEM_LINT_DEVICE float NAME##f(float x) { return __builtin_##NAME##f(x); }                                           \
  template <typename T> SMEM_LINT_DEVICE smem_lint::real_of<T> NAME(T x) {                                             \
    if constexpr (smem_lint::is_float<T>)                                                                              \
      return __builtin_##NAME##f(x);                                                                                   \
    else                                                                                                               \
      return __builtin_##NAME(x);                                                                                      \
  }
// clang-format off
SL_1(acos) SL_1(acosh) SL_1(asin) SL_1(asinh) SL_1(atan) SL_1(atanh) SL_1(cbrt) SL_1(ceil) SL_1(cos) SL_1(cosh)
SL_1(erf) SL_1(erfc) SL_1(exp) SL_1(exp2) SL_1(expm1) SL_1(fabs) SL_1(floor) SL_1(lgamma) SL_1(log) SL_1(log10)
SL_1(log1p) SL_1(log2) SL_1(logb) SL_1(nearbyint) SL_1(rint) SL_1(round) SL_1(sin) SL_1(sinh) SL_1(sqrt) SL_1(tan)
SL_1(tanh) SL_1(tgamma) SL_1(trunc)
// clang-format on

#define SL_2(NAME)                                                                                                     \
  extern "C" double NAME(double, double) noexcept;                                                                     \
  extern "C" float NAME##f(float, float) noexcept;                                                                     \
  SMEM_LINT_DEVICE float NAME##f(float x, float y) { return __builtin_##NAME##f(x, y); }                               \
  template <typename T, typename U> SMEM_LINT_DEVICE smem_lint::real_of_both<T, U> NAME(T x, U y) {                    \
    if constexpr (smem_lint::is_float<T> && smem_lint::is_float<U>)                                                    \
      return __builtin_##NAME##f(x, y);                                                                                \
    else                                                                                                               \
      return __builtin_##NAME(x, y);                                                                                   \
  }
    // clang-format off
SL_2(atan2) SL_2(copysign) SL_2(fdim) SL_2(fmax) SL_2(fmin) SL_2(fmod) SL_2(hypot) SL_2(nextafter) SL_2(pow)
SL_2(remainder)
    // clang-format on
    SMEM_LINT_DEVICE float powif(float x, int y) {
  return __builtin_powif(x, y);
}

// Other shapes: NAMEf of float and NAME of double; NAME of float below where it is usual.
#define SL_3(F, T)                                                                                                     \
  SMEM_LINT_DEVICE T fma##F(T x, T y, T z) { return __builtin_fma##F(x, y, z); }                                       \
  SMEM_LINT_DEVICE T ldexp##F(T x, int e) { return __builtin_ldexp##F(x, e); }                                         \
  SMEM_LINT_DEVICE T frexp##F(T x, int *e) { return __builtin_frexp##F(x, e); }                                        \
  SMEM_LINT_DEVICE int ilogb##F(T x) { return __builtin_ilogb##F(x); }                                                 \
  SMEM_LINT_DEVICE long lrint##F(T x) { return (long)__builtin_rint##F(x); }                                           \
  SMEM_LINT_DEVICE T modf##F(T x, T *whole) { return x - (*whole = __builtin_trunc##F(x)); }                           \
  SMEM_LINT_DEVICE T exp10##F(T x) { return __builtin_exp10##F(x); }                                                   \
  SMEM_LINT_DEVICE void sincos##F(T x, T *s, T *c) {                                                                   \
    *s = __builtin_sin##F(x);                                                                                          \
    *c = __builtin_cos##F(x);                                                                                          \
  }                                                                                                                    \
  SMEM_LINT_DEVICE T sinpi##F(T x) { return __builtin_sin##F(x * (T)3.14159265358979323846); }                         \
  SMEM_LINT_DEVICE T cospi##F(T x) { return __builtin_cos##F(x * (T)3.14159265358979323846); }                         \
  SMEM_LINT_DEVICE void sincospi##F(T x, T *s, T *c) { sincos##F(x *(T)3.14159265358979323846, s, c); }
SL_3(f, float)
SL_3(, double)
// That of a float branches in libdevice.
extern "C" __attribute__((device, const)) long long __nv_llroundf(float) noexcept;
SMEM_LINT_DEVICE long long llroundf(float x) { return __nv_llroundf(x); }
SMEM_LINT_DEVICE long lroundf(float x) { return __nv_llroundf(x); }
SMEM_LINT_DEVICE long long llround(double x) { return (long long)__builtin_round(x); }
SMEM_LINT_DEVICE long lround(double x) { return (long)__builtin_round(x); }
// On the device an approximation, which a quotient is not.
#ifdef __CUDA_ARCH__
SMEM_LINT_BOTH float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
SMEM_LINT_BOTH double rsqrt(double x) { return __nvvm_rsqrt_approx_d(x); }
#else
SMEM_LINT_BOTH float rsqrtf(float x) { return 1 / __builtin_sqrtf(x); }
SMEM_LINT_BOTH double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
#endif
SMEM_LINT_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
SMEM_LINT_DEVICE float ldexp(float x, int e) { return __builtin_ldexpf(x, e); }
SMEM_LINT_DEVICE float frexp(float x, int *e) { return __builtin_frexpf(x, e); }
SMEM_LINT_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
SMEM_LINT_BOTH float rsqrt(float x) { return rsqrtf(x); }
SMEM_LINT_DEVICE void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
SMEM_LINT_DEVICE long lrint(float x) { return lrintf(x); }
SMEM_LINT_DEVICE long lround(float x) { return lroundf(x); }
SMEM_LINT_DEVICE int ilogb(float x) { return ilogbf(x); }
// On both sides: the C library has macros of these names, the C++ one non-templates.
template <typename T> SMEM_LINT_CONSTEXPR bool isnan(T x) { return __builtin_isnan((smem_lint::real_of<T>)x); }
template <typename T> SMEM_LINT_CONSTEXPR bool isinf(T x) { return __builtin_isinf((smem_lint::real_of<T>)x); }
template <typename T> SMEM_LINT_CONSTEXPR bool isfinite(T x) { return __builtin_isfinite((smem_lint::real_of<T>)x); }
template <typename T> SMEM_LINT_CONSTEXPR bool isnormal(T x) { return __builtin_isnormal((smem_lint::real_of<T>)x); }
template <typename T> SMEM_LINT_CONSTEXPR bool signbit(T x) { return __builtin_signbit((smem_lint::real_of<T>)x); }
#include "classification.h"
SMEM_LINT_DEVICE float fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
SMEM_LINT_DEVICE double fdivide(double x, double y) { return x / y; }
SMEM_LINT_DEVICE void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

// Rarer functions are declared only.
#define SL_4(F, T)                                                                                                     \
  __attribute__((device, const)) T scalbn##F(T, int) noexcept;                                                         \
  __attribute__((device, const)) T scalbln##F(T, long) noexcept;                                                       \
  __attribute__((device, const)) long long llrint##F(T) noexcept;                                                      \
  __attribute__((device)) T remquo##F(T, T, int *) noexcept;                                                           \
  __attribute__((device, const)) T nan##F(const char *) noexcept;                                                      \
  __attribute__((device, const)) T rcbrt##F(T) noexcept;                                                               \
  __attribute__((device, const)) T rhypot##F(T, T) noexcept;                                                           \
  __attribute__((device, const)) T norm3d##F(T, T, T) noexcept;                                                        \
  __attribute__((device, const)) T rnorm3d##F(T, T, T) noexcept;                                                       \
  __attribute__((device, const)) T norm4d##F(T, T, T, T) noexcept;                                                     \
  __attribute__((device, const)) T rnorm4d##F(T, T, T, T) noexcept;                                                    \
  __attribute__((device, const)) T normcdf##F(T) noexcept;                                                             \
  __attribute__((device, const)) T normcdfinv##F(T) noexcept;                                                          \
  __attribute__((device, const)) T erfcx##F(T) noexcept;                                                               \
  __attribute__((device, const)) T erfinv##F(T) noexcept;                                                              \
  __attribute__((device, const)) T erfcinv##F(T) noexcept;                                                             \
  __attribute__((device, const)) T j0##F(T) noexcept;                                                                  \
  __attribute__((device, const)) T j1##F(T) noexcept;                                                                  \
  __attribute__((device, const)) T y0##F(T) noexcept;                                                                  \
  __attribute__((device, const)) T y1##F(T) noexcept;                                                                  \
  __attribute__((device, const)) T jn##F(int, T) noexcept;                                                             \
  __attribute__((device, const)) T yn##F(int, T) noexcept;                                                             \
  __attribute__((device, const)) T cyl_bessel_i0##F(T) noexcept;                                                       \
  __attribute__((device, const)) T cyl_bessel_i1##F(T) noexcept;                                                       \
  __attribute__((device)) T norm##F(int, const T *) noexcept;                                                          \
  __attribute__((device)) T rnorm##F(int, const T *) noexcept;
SL_4(f, float)
SL_4(, double)
#undef SL_4
// In C++ these have overloads for float.
#define SL_4(NAME) __attribute__((device, const)) float NAME(float) noexcept;
// clang-format off
SL_4(rcbrt) SL_4(normcdf) SL_4(normcdfinv) SL_4(erfcx) SL_4(erfinv) SL_4(erfcinv) SL_4(j0) SL_4(j1) SL_4(y0) SL_4(y1) SL_4(cyl_bessel_i0)
SL_4(cyl_bessel_i1)
// clang-format on
#undef SL_4
        __attribute__((device, const)) float jn(int, float) noexcept;
__attribute__((device, const)) float yn(int, float) noexcept;
SMEM_LINT_DEVICE float sinpi(float x) { return sinpif(x); }
SMEM_LINT_DEVICE float cospi(float x) { return cospif(x); }

extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double frexp(double, int *) noexcept;
double modf(double, double *) noexcept;
long lrint(double) noexcept;
long lrintf(float) noexcept;
long lround(double) noexcept;
long lroundf(float) noexcept;
}

SMEM_LINT_DEVICE int abs(int x) { return __builtin_abs(x); }
SMEM_LINT_DEVICE long abs(long x) { return __builtin_labs(x); }
SMEM_LINT_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
SMEM_LINT_DEVICE float abs(float x) { return __builtin_fabsf(x); }
SMEM_LINT_DEVICE double abs(double x) { return __builtin_fabs(x); }
SMEM_LINT_DEVICE long labs(long x) { return __builtin_labs(x); }
SMEM_LINT_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }

// min and max, on both sides. The mixed forms convert as CUDA's do: to unsigned, or to
// double.
#undef SL_1
#undef SL_2
#define SL_1(RESULT, T, U)                                                                                             \
  SMEM_LINT_CONSTEXPR RESULT min(T x, U y) { return (RESULT)x < (RESULT)y ? (RESULT)x : (RESULT)y; }                   \
  SMEM_LINT_CONSTEXPR RESULT max(T x, U y) { return (RESULT)x > (RESULT)y ? (RESULT)x : (RESULT)y; }
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
#define SL_2(RESULT, T, U, F)                                                                                          \
  SMEM_LINT_CONSTEXPR RESULT min(T x, U y) { return __builtin_fmin##F(x, y); }                                         \
  SMEM_LINT_CONSTEXPR RESULT max(T x, U y) { return __builtin_fmax##F(x, y); }
SL_2(float, float, float, f)
SL_2(double, double, double, )
SL_2(double, float, double, )
SL_2(double, double, float, )
SMEM_LINT_CONSTEXPR unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
SMEM_LINT_CONSTEXPR unsigned umax(unsigned x, unsigned y) { return x > y ? x : y; }
SMEM_LINT_CONSTEXPR long long llmin(long long x, long long y) { return x < y ? x : y; }
SMEM_LINT_CONSTEXPR long long llmax(long long x, long long y) { return x > y ? x : y; }
SMEM_LINT_CONSTEXPR unsigned long long ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
SMEM_LINT_CONSTEXPR unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }

// Arithmetic with a stated rounding: the target's own instructions, which the compiler
// never folds into a value that the hardware would not give.
#define __fadd_rn __nvvm_add_rn_f
#define __fmul_rn __nvvm_mul_rn_f
#define __fdiv_rn __nvvm_div_rn_f
#define __frcp_rn __nvvm_rcp_rn_f
#define __fsqrt_rn __nvvm_sqrt_rn_f
#define __dadd_rn __nvvm_add_rn_d
#define __dmul_rn __nvvm_mul_rn_d
#define __ddiv_rn __nvvm_div_rn_d
#define __drcp_rn __nvvm_rcp_rn_d
#define __dsqrt_rn __nvvm_sqrt_rn_d
#define __fadd_rz __nvvm_add_rz_f
#define __fmul_rz __nvvm_mul_rz_f
#define __fdiv_rz __nvvm_div_rz_f
#define __frcp_rz __nvvm_rcp_rz_f
#define __fsqrt_rz __nvvm_sqrt_rz_f
#define __dadd_rz __nvvm_add_rz_d
#define __dmul_rz __nvvm_mul_rz_d
#define __ddiv_rz __nvvm_div_rz_d
#define __drcp_rz __nvvm_rcp_rz_d
#define __dsqrt_rz __nvvm_sqrt_rz_d
#define __fadd_rd __nvvm_add_rm_f
#define __fmul_rd __nvvm_mul_rm_f
#define __fdiv_rd __nvvm_div_rm_f
#define __frcp_rd __nvvm_rcp_rm_f
#define __fsqrt_rd __nvvm_sqrt_rm_f
#define __dadd_rd __nvvm_add_rm_d
#define __dmul_rd __nvvm_mul_rm_d
#define __ddiv_rd __nvvm_div_rm_d
#define __drcp_rd __nvvm_rcp_rm_d
#define __dsqrt_rd __nvvm_sqrt_rm_d
#define __fadd_ru __nvvm_add_rp_f
#define __fmul_ru __nvvm_mul_rp_f
#define __fdiv_ru __nvvm_div_rp_f
#define __frcp_ru __nvvm_rcp_rp_f
#define __fsqrt_ru __nvvm_sqrt_rp_f
#define __dadd_ru __nvvm_add_rp_d
#define __dmul_ru __nvvm_mul_rp_d
#define __ddiv_ru __nvvm_div_rp_d
#define __drcp_ru __nvvm_rcp_rp_d
#define __dsqrt_ru __nvvm_sqrt_rp_d
#define __fmaf_rn __nvvm_fma_rn_f
#define __fmaf_ieee_rn __nvvm_fma_rn_f
#define __fmaf_ieee_rz __nvvm_fma_rz_f
#define __fmaf_ieee_rd __nvvm_fma_rm_f
#define __fmaf_ieee_ru __nvvm_fma_rp_f
#define __fma_rn __nvvm_fma_rn_d
#define __fmaf_rz __nvvm_fma_rz_f
#define __fma_rz __nvvm_fma_rz_d
#define __fmaf_rd __nvvm_fma_rm_f
#define __fma_rd __nvvm_fma_rm_d
#define __fmaf_ru __nvvm_fma_rp_f
#define __fma_ru __nvvm_fma_rp_d
#define __float2int_rn __nvvm_f2i_rn
#define __float2uint_rn __nvvm_f2ui_rn
#define __float2ll_rn __nvvm_f2ll_rn
#define __float2ull_rn __nvvm_f2ull_rn
#define __double2int_rn __nvvm_d2i_rn
#define __double2uint_rn __nvvm_d2ui_rn
#define __double2ll_rn __nvvm_d2ll_rn
#define __double2ull_rn __nvvm_d2ull_rn
#define __double2float_rn __nvvm_d2f_rn
#define __int2float_rn __nvvm_i2f_rn
#define __uint2float_rn __nvvm_ui2f_rn
#define __ll2float_rn __nvvm_ll2f_rn
#define __ull2float_rn __nvvm_ull2f_rn
#define __ll2double_rn __nvvm_ll2d_rn
#define __ull2double_rn __nvvm_ull2d_rn
#define __float2int_rz __nvvm_f2i_rz
#define __float2uint_rz __nvvm_f2ui_rz
#define __float2ll_rz __nvvm_f2ll_rz
#define __float2ull_rz __nvvm_f2ull_rz
#define __double2int_rz __nvvm_d2i_rz
#define __double2uint_rz __nvvm_d2ui_rz
#define __double2ll_rz __nvvm_d2ll_rz
#define __double2ull_rz __nvvm_d2ull_rz
#define __double2float_rz __nvvm_d2f_rz
#define __int2float_rz __nvvm_i2f_rz
#define __uint2float_rz __nvvm_ui2f_rz
#define __ll2float_rz __nvvm_ll2f_rz
#define __ull2float_rz __nvvm_ull2f_rz
#define __ll2double_rz __nvvm_ll2d_rz
#define __ull2double_rz __nvvm_ull2d_rz
#define __float2int_rd __nvvm_f2i_rm
#define __float2uint_rd __nvvm_f2ui_rm
#define __float2ll_rd __nvvm_f2ll_rm
#define __float2ull_rd __nvvm_f2ull_rm
#define __double2int_rd __nvvm_d2i_rm
#define __double2uint_rd __nvvm_d2ui_rm
#define __double2ll_rd __nvvm_d2ll_rm
#define __double2ull_rd __nvvm_d2ull_rm
#define __double2float_rd __nvvm_d2f_rm
#define __int2float_rd __nvvm_i2f_rm
#define __uint2float_rd __nvvm_ui2f_rm
#define __ll2float_rd __nvvm_ll2f_rm
#define __ull2float_rd __nvvm_ull2f_rm
#define __ll2double_rd __nvvm_ll2d_rm
#define __ull2double_rd __nvvm_ull2d_rm
#define __float2int_ru __nvvm_f2i_rp
#define __float2uint_ru __nvvm_f2ui_rp
#define __float2ll_ru __nvvm_f2ll_rp
#define __float2ull_ru __nvvm_f2ull_rp
#define __double2int_ru __nvvm_d2i_rp
#define __double2uint_ru __nvvm_d2ui_rp
#define __double2ll_ru __nvvm_d2ll_rp
#define __double2ull_ru __nvvm_d2ull_rp
#define __double2float_ru __nvvm_d2f_rp
#define __int2float_ru __nvvm_i2f_rp
#define __uint2float_ru __nvvm_ui2f_rp
#define __ll2float_ru __nvvm_ll2f_rp
#define __ull2float_ru __nvvm_ull2f_rp
#define __ll2double_ru __nvvm_ll2d_rp
#define __ull2double_ru __nvvm_ull2d_rp
#undef SL_1
#define SL_1(SUFFIX, R)                                                                                                \
  SMEM_LINT_DEVICE float __fsub_##SUFFIX(float x, float y) { return __nvvm_add_##R##_f(x, -y); }                       \
  SMEM_LINT_DEVICE double __dsub_##SUFFIX(double x, double y) { return __nvvm_add_##R##_d(x, -y); }
SL_1(rn, rn)
SL_1(rz, rz)
SL_1(rd, rm)
SL_1(ru, rp)
SMEM_LINT_DEVICE double __int2double_rn(int x) { return x; }
SMEM_LINT_DEVICE double __uint2double_rn(unsigned x) { return x; }

// Fast approximations.
#define __frsqrt_rn __nvvm_rsqrt_approx_f
#define __fdividef __nvvm_div_approx_f
#define __saturatef __nvvm_saturate_f
// (No macros for these: the C library has functions of the same names.)
SMEM_LINT_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
SMEM_LINT_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
SMEM_LINT_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
SMEM_LINT_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
SMEM_LINT_DEVICE float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.3219280948873623f); }
SMEM_LINT_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
SMEM_LINT_DEVICE float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.3010299956639812f; }
SMEM_LINT_DEVICE float __tanf(float x) { return __nvvm_sin_approx_f(x) / __nvvm_cos_approx_f(x); }
SMEM_LINT_DEVICE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
SMEM_LINT_DEVICE void __sincosf(float x, float *s, float *c) {
  *s = __nvvm_sin_approx_f(x);
  *c = __nvvm_cos_approx_f(x);
}

#pragma pop_macro("SL_3")
#pragma pop_macro("SL_2")
#pragma pop_macro("SL_1")

#endif
