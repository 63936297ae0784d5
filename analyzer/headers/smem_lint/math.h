// The C mathematics library and CUDA's additions, for kernels. Declared through compiler
// builtins that neither read nor write memory: results matter to this tool only where
// they are turned into integers.
//
// The overloads are for the device alone. The host's come from the C library, declared
// at the end, and <cmath> adds both to namespace std.
#ifndef SMEM_LINT_MATH_H
#define SMEM_LINT_MATH_H

#pragma push_macro("SL_1")
#pragma push_macro("SL_2")
#pragma push_macro("SL_3")
#undef SL_1
#undef SL_2
#undef SL_3

namespace smem_lint {
template <bool, typename T> struct enable_if {};
template <typename T> struct enable_if<true, T> { typedef T type; };
template <typename T> using double_of_integer = typename enable_if<__is_integral(T), double>::type;
template <typename T, typename U>
using double_of_mixed =
    typename enable_if<__is_arithmetic(T) && __is_arithmetic(U) && !__is_same(T, U), double>::type;
}  // namespace smem_lint

#define SL_1(NAME)                                                                                       \
  extern "C" double NAME(double) noexcept;                                                              \
  extern "C" float NAME##f(float) noexcept;                                                             \
  SMEM_LINT_DEVICE float NAME##f(float x) { return __builtin_##NAME##f(x); }                            \
  SMEM_LINT_DEVICE float NAME(float x) { return __builtin_##NAME##f(x); }                               \
  SMEM_LINT_DEVICE double NAME(double x) { return __builtin_##NAME(x); }                                \
  template <typename T> SMEM_LINT_DEVICE smem_lint::double_of_integer<T> NAME(T x) {                    \
    return __builtin_##NAME((double)x);                                                                 \
  }
SL_1(acos) SL_1(acosh) SL_1(asin) SL_1(asinh) SL_1(atan) SL_1(atanh) SL_1(cbrt) SL_1(ceil) SL_1(cos) SL_1(cosh)
SL_1(erf) SL_1(erfc) SL_1(exp) SL_1(exp2) SL_1(expm1) SL_1(fabs) SL_1(floor) SL_1(lgamma) SL_1(log) SL_1(log10)
SL_1(log1p) SL_1(log2) SL_1(logb) SL_1(nearbyint) SL_1(rint) SL_1(round) SL_1(sin) SL_1(sinh) SL_1(sqrt) SL_1(tan)
SL_1(tanh) SL_1(tgamma) SL_1(trunc)

#define SL_2(NAME)                                                                                       \
  extern "C" double NAME(double, double) noexcept;                                                      \
  extern "C" float NAME##f(float, float) noexcept;                                                      \
  SMEM_LINT_DEVICE float NAME##f(float x, float y) { return __builtin_##NAME##f(x, y); }                \
  SMEM_LINT_DEVICE float NAME(float x, float y) { return __builtin_##NAME##f(x, y); }                   \
  SMEM_LINT_DEVICE double NAME(double x, double y) { return __builtin_##NAME(x, y); }                   \
  template <typename T, typename U> SMEM_LINT_DEVICE smem_lint::double_of_mixed<T, U> NAME(T x, U y) {  \
    return __builtin_##NAME((double)x, (double)y);                                                      \
  }
SL_2(atan2) SL_2(copysign) SL_2(fdim) SL_2(fmax) SL_2(fmin) SL_2(fmod) SL_2(hypot) SL_2(nextafter) SL_2(pow)
SL_2(remainder)
SMEM_LINT_DEVICE float pow(float x, int y) { return __builtin_powif(x, y); }
SMEM_LINT_DEVICE double pow(double x, int y) { return __builtin_powi(x, y); }
SMEM_LINT_DEVICE float powif(float x, int y) { return __builtin_powif(x, y); }

// Results of other types, or results through a pointer.
#define SL_3(F, T)                                                                                       \
  SMEM_LINT_DEVICE T fma(T x, T y, T z) { return __builtin_fma##F(x, y, z); }                           \
  SMEM_LINT_DEVICE T ldexp(T x, int e) { return __builtin_ldexp##F(x, e); }                             \
  SMEM_LINT_DEVICE T scalbn(T x, int e) { return __builtin_ldexp##F(x, e); }                            \
  SMEM_LINT_DEVICE T scalbln(T x, long e) { return __builtin_ldexp##F(x, (int)e); }                     \
  SMEM_LINT_DEVICE T frexp(T x, int *e) { return __builtin_frexp##F(x, e); }                            \
  SMEM_LINT_DEVICE int ilogb(T x) { return __builtin_ilogb##F(x); }                                     \
  SMEM_LINT_DEVICE long lrint(T x) { return (long)__builtin_rint##F(x); }                               \
  SMEM_LINT_DEVICE long lround(T x) { return (long)__builtin_round##F(x); }                             \
  SMEM_LINT_DEVICE long long llrint(T x) { return (long long)__builtin_rint##F(x); }                    \
  SMEM_LINT_DEVICE long long llround(T x) { return (long long)__builtin_round##F(x); }                  \
  SMEM_LINT_DEVICE T modf(T x, T *whole) { return x - (*whole = __builtin_trunc##F(x)); }               \
  SMEM_LINT_DEVICE T remquo(T x, T y, int *q) {                                                         \
    *q = (int)__builtin_rint##F(x / y);                                                                 \
    return __builtin_remainder##F(x, y);                                                                \
  }                                                                                                     \
  SMEM_LINT_DEVICE void sincos(T x, T *s, T *c) {                                                       \
    *s = __builtin_sin##F(x);                                                                           \
    *c = __builtin_cos##F(x);                                                                           \
  }                                                                                                     \
  SMEM_LINT_DEVICE bool isnan(T x) { return __builtin_isnan(x); }                                       \
  SMEM_LINT_DEVICE bool isinf(T x) { return __builtin_isinf(x); }                                       \
  SMEM_LINT_DEVICE bool isfinite(T x) { return __builtin_isfinite(x); }                                 \
  SMEM_LINT_DEVICE bool isnormal(T x) { return __builtin_isnormal(x); }                                 \
  SMEM_LINT_DEVICE bool signbit(T x) { return __builtin_signbit(x); }                                   \
  SMEM_LINT_DEVICE T rsqrt(T x) { return 1 / __builtin_sqrt##F(x); }                                    \
  SMEM_LINT_DEVICE T rcbrt(T x) { return 1 / __builtin_cbrt##F(x); }                                    \
  SMEM_LINT_DEVICE T exp10(T x) { return __builtin_exp10##F(x); }                                       \
  SMEM_LINT_DEVICE T sinpi(T x) { return __builtin_sin##F(x * (T)3.14159265358979323846); }             \
  SMEM_LINT_DEVICE T cospi(T x) { return __builtin_cos##F(x * (T)3.14159265358979323846); }             \
  SMEM_LINT_DEVICE void sincospi(T x, T *s, T *c) { sincos(x * (T)3.14159265358979323846, s, c); }      \
  SMEM_LINT_DEVICE T rhypot(T x, T y) { return 1 / __builtin_hypot##F(x, y); }                          \
  SMEM_LINT_DEVICE T norm3d(T x, T y, T z) { return __builtin_sqrt##F(x * x + y * y + z * z); }         \
  SMEM_LINT_DEVICE T rnorm3d(T x, T y, T z) { return 1 / __builtin_sqrt##F(x * x + y * y + z * z); }    \
  SMEM_LINT_DEVICE T norm4d(T x, T y, T z, T w) {                                                       \
    return __builtin_sqrt##F(x * x + y * y + z * z + w * w);                                            \
  }                                                                                                     \
  SMEM_LINT_DEVICE T normcdf(T x) { return __builtin_erfc##F(x * (T)-0.70710678118654752440) / 2; }     \
  SMEM_LINT_DEVICE T erfcx(T x) { return __builtin_exp##F(x * x) * __builtin_erfc##F(x); }
SL_3(f, float)
SL_3(, double)
#undef SL_3
#define SL_3(T, RESULT, NAME, PARAMETERS, ARGUMENTS)                                                     \
  SMEM_LINT_DEVICE RESULT NAME##f PARAMETERS { return NAME ARGUMENTS; }
SL_3(float, float, fma, (float x, float y, float z), (x, y, z))
SL_3(float, float, ldexp, (float x, int e), (x, e))
SL_3(float, float, scalbn, (float x, int e), (x, e))
SL_3(float, float, scalbln, (float x, long e), (x, e))
SL_3(float, float, frexp, (float x, int *e), (x, e))
SL_3(float, int, ilogb, (float x), (x))
SL_3(float, long, lrint, (float x), (x))
SL_3(float, long, lround, (float x), (x))
SL_3(float, long long, llrint, (float x), (x))
SL_3(float, long long, llround, (float x), (x))
SL_3(float, float, modf, (float x, float *whole), (x, whole))
SL_3(float, float, remquo, (float x, float y, int *q), (x, y, q))
SL_3(float, void, sincos, (float x, float *s, float *c), (x, s, c))
SL_3(float, float, rsqrt, (float x), (x))
SL_3(float, float, rcbrt, (float x), (x))
SL_3(float, float, exp10, (float x), (x))
SL_3(float, float, sinpi, (float x), (x))
SL_3(float, float, cospi, (float x), (x))
SL_3(float, void, sincospi, (float x, float *s, float *c), (x, s, c))
SL_3(float, float, rhypot, (float x, float y), (x, y))
SL_3(float, float, norm3d, (float x, float y, float z), (x, y, z))
SL_3(float, float, rnorm3d, (float x, float y, float z), (x, y, z))
SL_3(float, float, norm4d, (float x, float y, float z, float w), (x, y, z, w))
SL_3(float, float, normcdf, (float x), (x))
SL_3(float, float, erfcx, (float x), (x))
SMEM_LINT_DEVICE double nan(const char *) { return __builtin_nan(""); }
SMEM_LINT_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
SMEM_LINT_DEVICE float fdividef(float x, float y) { return x / y; }
__attribute__((device, const)) float j0f(float) noexcept;
__attribute__((device, const)) float j1f(float) noexcept;
__attribute__((device, const)) double j0(double) noexcept;
__attribute__((device, const)) double j1(double) noexcept;
__attribute__((device, const)) float erfinvf(float) noexcept;
__attribute__((device, const)) double erfinv(double) noexcept;
__attribute__((device, const)) float normcdfinvf(float) noexcept;
__attribute__((device, const)) double normcdfinv(double) noexcept;

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

// abs, min and max. The mixed forms convert as CUDA's do: to unsigned, or to double.
SMEM_LINT_DEVICE int abs(int x) { return __builtin_abs(x); }
SMEM_LINT_DEVICE long abs(long x) { return __builtin_labs(x); }
SMEM_LINT_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
SMEM_LINT_DEVICE float abs(float x) { return __builtin_fabsf(x); }
SMEM_LINT_DEVICE double abs(double x) { return __builtin_fabs(x); }
SMEM_LINT_DEVICE long labs(long x) { return __builtin_labs(x); }
SMEM_LINT_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }

#undef SL_1
#undef SL_2
#define SL_1(RESULT, T, U)                                                                               \
  SMEM_LINT_BOTH RESULT min(T x, U y) { return (RESULT)x < (RESULT)y ? (RESULT)x : (RESULT)y; }         \
  SMEM_LINT_BOTH RESULT max(T x, U y) { return (RESULT)x > (RESULT)y ? (RESULT)x : (RESULT)y; }
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
#define SL_2(RESULT, T, U, F)                                                                            \
  SMEM_LINT_BOTH RESULT min(T x, U y) { return __builtin_fmin##F(x, y); }                               \
  SMEM_LINT_BOTH RESULT max(T x, U y) { return __builtin_fmax##F(x, y); }
SL_2(float, float, float, f)
SL_2(double, double, double, )
SL_2(double, float, double, )
SL_2(double, double, float, )
SMEM_LINT_DEVICE unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
SMEM_LINT_DEVICE unsigned umax(unsigned x, unsigned y) { return x > y ? x : y; }
SMEM_LINT_DEVICE long long llmin(long long x, long long y) { return x < y ? x : y; }
SMEM_LINT_DEVICE long long llmax(long long x, long long y) { return x > y ? x : y; }
SMEM_LINT_DEVICE unsigned long long ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
SMEM_LINT_DEVICE unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }

// Arithmetic with a stated rounding, and the fast approximations: intrinsics of the
// target, which the compiler never folds into a value the hardware would not give.
#undef SL_1
#define SL_1(SUFFIX, R)                                                                                  \
  SMEM_LINT_DEVICE float __fadd_##SUFFIX(float x, float y) { return __nvvm_add_##R##_f(x, y); }         \
  SMEM_LINT_DEVICE float __fsub_##SUFFIX(float x, float y) { return __nvvm_add_##R##_f(x, -y); }        \
  SMEM_LINT_DEVICE float __fmul_##SUFFIX(float x, float y) { return __nvvm_mul_##R##_f(x, y); }         \
  SMEM_LINT_DEVICE float __fdiv_##SUFFIX(float x, float y) { return __nvvm_div_##R##_f(x, y); }         \
  SMEM_LINT_DEVICE float __frcp_##SUFFIX(float x) { return __nvvm_rcp_##R##_f(x); }                     \
  SMEM_LINT_DEVICE float __fsqrt_##SUFFIX(float x) { return __nvvm_sqrt_##R##_f(x); }                   \
  SMEM_LINT_DEVICE float __fmaf_##SUFFIX(float x, float y, float z) {                                   \
    return __nvvm_fma_##R##_f(x, y, z);                                                                 \
  }                                                                                                     \
  SMEM_LINT_DEVICE double __dadd_##SUFFIX(double x, double y) { return __nvvm_add_##R##_d(x, y); }      \
  SMEM_LINT_DEVICE double __dsub_##SUFFIX(double x, double y) { return __nvvm_add_##R##_d(x, -y); }     \
  SMEM_LINT_DEVICE double __dmul_##SUFFIX(double x, double y) { return __nvvm_mul_##R##_d(x, y); }      \
  SMEM_LINT_DEVICE double __ddiv_##SUFFIX(double x, double y) { return __nvvm_div_##R##_d(x, y); }      \
  SMEM_LINT_DEVICE double __drcp_##SUFFIX(double x) { return __nvvm_rcp_##R##_d(x); }                   \
  SMEM_LINT_DEVICE double __dsqrt_##SUFFIX(double x) { return __nvvm_sqrt_##R##_d(x); }                 \
  SMEM_LINT_DEVICE double __fma_##SUFFIX(double x, double y, double z) {                                \
    return __nvvm_fma_##R##_d(x, y, z);                                                                 \
  }                                                                                                     \
  SMEM_LINT_DEVICE int __float2int_##SUFFIX(float x) { return __nvvm_f2i_##R(x); }                      \
  SMEM_LINT_DEVICE unsigned __float2uint_##SUFFIX(float x) { return __nvvm_f2ui_##R(x); }               \
  SMEM_LINT_DEVICE long long __float2ll_##SUFFIX(float x) { return __nvvm_f2ll_##R(x); }                \
  SMEM_LINT_DEVICE unsigned long long __float2ull_##SUFFIX(float x) { return __nvvm_f2ull_##R(x); }     \
  SMEM_LINT_DEVICE int __double2int_##SUFFIX(double x) { return __nvvm_d2i_##R(x); }                    \
  SMEM_LINT_DEVICE unsigned __double2uint_##SUFFIX(double x) { return __nvvm_d2ui_##R(x); }             \
  SMEM_LINT_DEVICE long long __double2ll_##SUFFIX(double x) { return __nvvm_d2ll_##R(x); }              \
  SMEM_LINT_DEVICE unsigned long long __double2ull_##SUFFIX(double x) { return __nvvm_d2ull_##R(x); }   \
  SMEM_LINT_DEVICE float __double2float_##SUFFIX(double x) { return __nvvm_d2f_##R(x); }                \
  SMEM_LINT_DEVICE float __int2float_##SUFFIX(int x) { return __nvvm_i2f_##R(x); }                      \
  SMEM_LINT_DEVICE float __uint2float_##SUFFIX(unsigned x) { return __nvvm_ui2f_##R(x); }               \
  SMEM_LINT_DEVICE float __ll2float_##SUFFIX(long long x) { return __nvvm_ll2f_##R(x); }                \
  SMEM_LINT_DEVICE float __ull2float_##SUFFIX(unsigned long long x) { return __nvvm_ull2f_##R(x); }     \
  SMEM_LINT_DEVICE double __ll2double_##SUFFIX(long long x) { return __nvvm_ll2d_##R(x); }              \
  SMEM_LINT_DEVICE double __ull2double_##SUFFIX(unsigned long long x) { return __nvvm_ull2d_##R(x); }
SL_1(rn, rn)
SL_1(rz, rz)
SL_1(rd, rm)
SL_1(ru, rp)
SMEM_LINT_DEVICE double __int2double_rn(int x) { return x; }
SMEM_LINT_DEVICE double __uint2double_rn(unsigned x) { return x; }
SMEM_LINT_DEVICE float __frsqrt_rn(float x) { return __nvvm_rsqrt_approx_f(x); }
SMEM_LINT_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
SMEM_LINT_DEVICE float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.3219280948873623f); }
SMEM_LINT_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
SMEM_LINT_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
SMEM_LINT_DEVICE float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.3010299956639812f; }
SMEM_LINT_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
SMEM_LINT_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
SMEM_LINT_DEVICE float __tanf(float x) { return __nvvm_sin_approx_f(x) / __nvvm_cos_approx_f(x); }
SMEM_LINT_DEVICE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
SMEM_LINT_DEVICE void __sincosf(float x, float *s, float *c) {
  *s = __nvvm_sin_approx_f(x);
  *c = __nvvm_cos_approx_f(x);
}
SMEM_LINT_DEVICE float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
SMEM_LINT_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }

#pragma pop_macro("SL_3")
#pragma pop_macro("SL_2")
#pragma pop_macro("SL_1")

#endif
