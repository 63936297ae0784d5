// What PyTorch's c10 says of types of elements: numbers of 16 and 8 bits, and the names of all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <cmath>
#include <cstring>
#include <array>
#include <cfloat>
#include <functional>
#include <iomanip>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <mutex>
#include <limits>
#include <sstream>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <cassert>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define C10_RESTRICT __restrict__
#define C10_UNLIKELY(condition) (condition)
#define C10_LIKELY(condition) (condition)
#define C10_UNUSED [[maybe_unused]]
#define C10_WARP_SIZE 32
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_EXPORT
#define C10_API
#define TORCH_API
#define TORCH_CUDA_CU_API
#define C10_CUDA_API

namespace c10 {

enum class ScalarType : std::int8_t {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  Bool,
  BFloat16,
  Float8_e4m3fn,
  Float8_e5m2,
  Float8_e4m3fnuz,
  Float8_e5m2fnuz,
  QInt8,
  QUInt8,
  QInt32,
  QUInt4x2,
  QUInt2x4,
  ComplexHalf,
  ComplexFloat,
  ComplexDouble,
  Undefined
};

// Numbers of 16 and 8 bits: structures of their own, which become float and come of it without being asked to, and which are computed with as float.
#define SMEM_LINT_NUMBER_OPERATOR(type, sign)                                                                          \
  inline C10_HOST_DEVICE type operator sign(type a, type b) {                                                          \
    return static_cast<float>(a) sign static_cast<float>(b);                                                           \
  }                                                                                                                    \
  inline C10_HOST_DEVICE float operator sign(type a, float b) { return static_cast<float>(a) sign b; }                 \
  inline C10_HOST_DEVICE float operator sign(float a, type b) { return a sign static_cast<float>(b); }                 \
  inline C10_HOST_DEVICE double operator sign(type a, double b) { return static_cast<double>(a) sign b; }              \
  inline C10_HOST_DEVICE double operator sign(double a, type b) { return a sign static_cast<double>(b); }              \
  inline C10_HOST_DEVICE type operator sign(type a, int b) { return a sign static_cast<type>(b); }                     \
  inline C10_HOST_DEVICE type operator sign(int a, type b) { return static_cast<type>(a) sign b; }                     \
  inline C10_HOST_DEVICE type operator sign(type a, std::int64_t b) { return a sign static_cast<type>(b); }            \
  inline C10_HOST_DEVICE type operator sign(std::int64_t a, type b) { return static_cast<type>(a) sign b; }            \
  inline C10_HOST_DEVICE type &operator sign##=(type & a, type b) { return a = a sign b; }                             \
  inline C10_HOST_DEVICE float &operator sign##=(float &a, type b) { return a = a sign static_cast<float>(b); }
#define SMEM_LINT_NUMBER_COMPARISON(type, sign)                                                                        \
  inline C10_HOST_DEVICE bool operator sign(type a, type b) {                                                          \
    return static_cast<float>(a) sign static_cast<float>(b);                                                           \
  }                                                                                                                    \
  template <class Other>                                                                                               \
  inline C10_HOST_DEVICE std::enable_if_t<std::is_arithmetic_v<Other>, bool> operator sign(type a, Other b) {          \
    return static_cast<float>(a) sign b;                                                                               \
  }                                                                                                                    \
  template <class Other>                                                                                               \
  inline C10_HOST_DEVICE std::enable_if_t<std::is_arithmetic_v<Other>, bool> operator sign(Other a, type b) {          \
    return a sign static_cast<float>(b);                                                                               \
  }
#define SMEM_LINT_NUMBER(type, bits)                                                                                   \
  SMEM_LINT_NUMBER_COMPARISON(type, <)                                                                                 \
  SMEM_LINT_NUMBER_COMPARISON(type, <=)                                                                                \
  SMEM_LINT_NUMBER_COMPARISON(type, >)                                                                                 \
  SMEM_LINT_NUMBER_COMPARISON(type, >=)                                                                                \
  SMEM_LINT_NUMBER_COMPARISON(type, ==)                                                                                \
  SMEM_LINT_NUMBER_COMPARISON(type, !=)                                                                                \
  inline C10_HOST_DEVICE type operator-(type a) { return -static_cast<float>(a); }                                     \
  SMEM_LINT_NUMBER_OPERATOR(type, +)                                                                                   \
  SMEM_LINT_NUMBER_OPERATOR(type, -)                                                                                   \
  SMEM_LINT_NUMBER_OPERATOR(type, *)                                                                                   \
  SMEM_LINT_NUMBER_OPERATOR(type, /)                                                                                   \
  inline __device__ type __ldg(const type *address) {                                                                  \
    return {::__ldg(reinterpret_cast<const bits *>(address)), type::from_bits()};                                      \
  }

struct alignas(2) Half {
  unsigned short x;
  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }
  Half() = default;
  constexpr C10_HOST_DEVICE Half(unsigned short bits, from_bits_t) : x(bits) {}
  C10_HOST_DEVICE Half(float value) : Half(__float2half(value)) {}
  C10_HOST_DEVICE Half(const __half &value) : x(__half_as_ushort(value)) {}
  C10_HOST_DEVICE operator float() const { return __half2float(__ushort_as_half(x)); }
  C10_HOST_DEVICE operator __half() const { return __ushort_as_half(x); }
};
SMEM_LINT_NUMBER(Half, unsigned short)

struct alignas(2) BFloat16 {
  unsigned short x;
  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }
  BFloat16() = default;
  constexpr C10_HOST_DEVICE BFloat16(unsigned short bits, from_bits_t) : x(bits) {}
  C10_HOST_DEVICE BFloat16(float value) : BFloat16(__float2bfloat16(value)) {}
  C10_HOST_DEVICE BFloat16(const __nv_bfloat16 &value) : x(__bfloat16_as_ushort(value)) {}
  C10_HOST_DEVICE operator float() const { return __bfloat162float(__ushort_as_bfloat16(x)); }
  explicit C10_HOST_DEVICE operator __nv_bfloat16() const { return __ushort_as_bfloat16(x); }
};
SMEM_LINT_NUMBER(BFloat16, unsigned short)

#define SMEM_LINT_FLOAT8(type, of_cuda)                                                                                \
  struct alignas(1) type {                                                                                             \
    std::uint8_t x;                                                                                                    \
    struct from_bits_t {};                                                                                             \
    static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }                                            \
    type() = default;                                                                                                  \
    constexpr C10_HOST_DEVICE type(std::uint8_t bits, from_bits_t) : x(bits) {}                                        \
    C10_HOST_DEVICE type(float value) : x(of_cuda(value).__x) {}                                                       \
    C10_HOST_DEVICE operator float() const {                                                                           \
      of_cuda number;                                                                                                  \
      number.__x = x;                                                                                                  \
      return static_cast<float>(number);                                                                               \
    }                                                                                                                  \
    C10_HOST_DEVICE bool isnan() const { return static_cast<float>(*this) != static_cast<float>(*this); }              \
  };                                                                                                                   \
  SMEM_LINT_NUMBER(type, unsigned char)
SMEM_LINT_FLOAT8(Float8_e4m3fn, __nv_fp8_e4m3)
SMEM_LINT_FLOAT8(Float8_e5m2, __nv_fp8_e5m2)
SMEM_LINT_FLOAT8(Float8_e4m3fnuz, __nv_fp8_e4m3)
SMEM_LINT_FLOAT8(Float8_e5m2fnuz, __nv_fp8_e5m2)

struct alignas(1) qint8 {
  std::int8_t val_;
};
struct alignas(1) quint8 {
  std::uint8_t val_;
};
struct alignas(4) qint32 {
  int val_;
};
struct alignas(1) quint4x2 {
  std::uint8_t val_;
};
struct alignas(1) quint2x4 {
  std::uint8_t val_;
};
} // namespace c10
#include <smem_lint_host/torch_complex.h>
namespace c10 {
template <ScalarType> struct TypeOfScalar;
template <> struct TypeOfScalar<ScalarType::Byte> {
  using type = std::uint8_t;
};
template <> struct TypeOfScalar<ScalarType::Char> {
  using type = std::int8_t;
};
template <> struct TypeOfScalar<ScalarType::Short> {
  using type = std::int16_t;
};
template <> struct TypeOfScalar<ScalarType::Int> {
  using type = int;
};
template <> struct TypeOfScalar<ScalarType::Long> {
  using type = std::int64_t;
};
template <> struct TypeOfScalar<ScalarType::Half> {
  using type = Half;
};
template <> struct TypeOfScalar<ScalarType::Float> {
  using type = float;
};
template <> struct TypeOfScalar<ScalarType::Double> {
  using type = double;
};
template <> struct TypeOfScalar<ScalarType::Bool> {
  using type = bool;
};
template <> struct TypeOfScalar<ScalarType::BFloat16> {
  using type = BFloat16;
};
template <> struct TypeOfScalar<ScalarType::Float8_e4m3fn> {
  using type = Float8_e4m3fn;
};
template <> struct TypeOfScalar<ScalarType::Float8_e5m2> {
  using type = Float8_e5m2;
};
template <> struct TypeOfScalar<ScalarType::ComplexHalf> {
  using type = complex<Half>;
};
template <> struct TypeOfScalar<ScalarType::ComplexFloat> {
  using type = complex<float>;
};
template <> struct TypeOfScalar<ScalarType::ComplexDouble> {
  using type = complex<double>;
};
#define AT_FORALL_SCALAR_TYPES(of)                                                                                     \
  of(std::uint8_t, Byte) of(std::int8_t, Char) of(std::int16_t, Short) of(int, Int) of(std::int64_t, Long)             \
      of(c10::Half, Half) of(float, Float) of(double, Double)
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(of)                                                                        \
  AT_FORALL_SCALAR_TYPES(of)                                                                                           \
  of(bool, Bool) of(c10::BFloat16, BFloat16) of(c10::Float8_e5m2, Float8_e5m2) of(c10::Float8_e4m3fn, Float8_e4m3fn)   \
      of(c10::Float8_e5m2fnuz, Float8_e5m2fnuz) of(c10::Float8_e4m3fnuz, Float8_e4m3fnuz)                              \
          of(c10::complex<c10::Half>, ComplexHalf) of(c10::complex<float>, ComplexFloat)                               \
              of(c10::complex<double>, ComplexDouble)
#define AT_FORALL_QINT_TYPES(of) of(c10::qint8, QInt8) of(c10::quint8, QUInt8) of(c10::qint32, QInt32)
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(of)                                                              \
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(of)                                                                              \
  AT_FORALL_QINT_TYPES(of)
template <class T> struct CppTypeToScalarType;
#define SMEM_LINT_SCALAR_TYPE(type, name)                                                                              \
  template <> struct CppTypeToScalarType<type> : std::integral_constant<ScalarType, ScalarType::name> {};
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SMEM_LINT_SCALAR_TYPE)
template <ScalarType Scalar> using TypeOf = typename TypeOfScalar<Scalar>::type;
inline constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kChar = ScalarType::Char, kInt8 = kChar,
                            kShort = ScalarType::Short, kInt16 = kShort, kInt = ScalarType::Int, kInt32 = kInt,
                            kLong = ScalarType::Long, kInt64 = kLong, kHalf = ScalarType::Half, kFloat16 = kHalf,
                            kFloat = ScalarType::Float, kFloat32 = kFloat, kDouble = ScalarType::Double,
                            kFloat64 = kDouble, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16,
                            kFloat8_e4m3fn = ScalarType::Float8_e4m3fn, kFloat8_e5m2 = ScalarType::Float8_e5m2,
                            kFloat8_e4m3fnuz = ScalarType::Float8_e4m3fnuz,
                            kFloat8_e5m2fnuz = ScalarType::Float8_e5m2fnuz, kQInt8 = ScalarType::QInt8,
                            kQUInt8 = ScalarType::QUInt8, kQInt32 = ScalarType::QInt32,
                            kQUInt4x2 = ScalarType::QUInt4x2, kQUInt2x4 = ScalarType::QUInt2x4,
                            kComplexHalf = ScalarType::ComplexHalf, kComplexFloat = ScalarType::ComplexFloat,
                            kComplexDouble = ScalarType::ComplexDouble;
bool isComplexType(ScalarType);
ScalarType toComplexType(ScalarType);
ScalarType toRealValueType(ScalarType);
const char *toString(ScalarType);
std::size_t elementSize(ScalarType);
bool isFloatingType(ScalarType);
bool isIntegralType(ScalarType, bool = false);
bool isQIntType(ScalarType);
ScalarType toUnderlying(ScalarType);

} // namespace c10

#define SMEM_LINT_NUMBER_LIMITS(type, digits_of, least, largest, infinite, small)                                      \
  template <> struct std::numeric_limits<type> {                                                                       \
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true;            \
    static constexpr int digits = digits_of;                                                                           \
    static constexpr __host__ __device__ type min() { return {least, type::from_bits()}; }                             \
    static constexpr __host__ __device__ type max() { return {largest, type::from_bits()}; }                           \
    static constexpr __host__ __device__ type lowest() { return {largest | 0x8000, type::from_bits()}; }               \
    static constexpr __host__ __device__ type infinity() { return {infinite, type::from_bits()}; }                     \
    static constexpr __host__ __device__ type epsilon() { return {small, type::from_bits()}; }                         \
  };
SMEM_LINT_NUMBER_LIMITS(c10::Half, 11, 0x0400, 0x7bff, 0x7c00, 0x1400)
SMEM_LINT_NUMBER_LIMITS(c10::BFloat16, 8, 0x0080, 0x7f7f, 0x7f80, 0x3c00)
