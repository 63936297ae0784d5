// What extensions of PyTorch call in the host code around their kernels, declared and nothing more: sizes are not known.
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
#define AT_FORALL_SCALAR_TYPES(of)                                                                                     \
  of(std::uint8_t, Byte) of(std::int8_t, Char) of(std::int16_t, Short) of(int, Int) of(std::int64_t, Long)             \
      of(c10::Half, Half) of(float, Float) of(double, Double)
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(of)                                                                        \
  AT_FORALL_SCALAR_TYPES(of)                                                                                           \
  of(bool, Bool) of(c10::BFloat16, BFloat16) of(c10::Float8_e5m2, Float8_e5m2) of(c10::Float8_e4m3fn, Float8_e4m3fn)   \
      of(c10::Float8_e5m2fnuz, Float8_e5m2fnuz) of(c10::Float8_e4m3fnuz, Float8_e4m3fnuz)
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
                            kQUInt4x2 = ScalarType::QUInt4x2, kQUInt2x4 = ScalarType::QUInt2x4;
const char *toString(ScalarType);
std::size_t elementSize(ScalarType);
bool isFloatingType(ScalarType);
bool isIntegralType(ScalarType, bool = false);
bool isQIntType(ScalarType);
ScalarType toUnderlying(ScalarType);
enum class DeviceType : std::int8_t { CPU, CUDA };
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
using DeviceIndex = std::int8_t;
std::string DeviceTypeName(DeviceType, bool = false);
enum class DispatchKey : std::uint16_t { Undefined, CPU, CUDA, Meta, Autograd, AutogradCPU, AutogradCUDA };

struct Device {
  Device(DeviceType, DeviceIndex = -1);
  DeviceIndex index() const;
  DeviceType type() const;
  bool is_cuda() const;
  bool operator==(const Device &) const;
  bool operator!=(const Device &) const;
};

template <class T> struct ArrayRef {
  ArrayRef();
  ArrayRef(const T &);
  ArrayRef(const T *, std::size_t);
  ArrayRef(std::initializer_list<T>);
  template <class Allocator> ArrayRef(const std::vector<T, Allocator> &);
  const T &operator[](std::size_t) const;
  const T &at(std::size_t) const;
  std::size_t size() const;
  bool empty() const;
  const T *begin() const;
  const T *end() const;
  const T *data() const;
  std::vector<T> vec() const;
  ArrayRef slice(std::size_t, std::size_t) const;
  ArrayRef slice(std::size_t) const;
  bool equals(ArrayRef) const;
  bool operator==(ArrayRef) const;
  bool operator!=(ArrayRef) const;
  const T &front() const;
  const T &back() const;
};
using IntArrayRef = ArrayRef<std::int64_t>;
/// A size that a tracer may not know yet.
struct SymInt {
  SymInt(std::int64_t);
  std::int64_t guard_int(const char *, std::int64_t) const;
  std::int64_t expect_int() const;
  std::optional<std::int64_t> maybe_as_int() const;
  bool is_symbolic() const;
  SymInt operator+(const SymInt &) const;
  SymInt operator-(const SymInt &) const;
  SymInt operator*(const SymInt &) const;
  SymInt operator/(const SymInt &) const;
  SymInt operator%(const SymInt &) const;
  bool operator==(const SymInt &) const;
  bool operator!=(const SymInt &) const;
  bool operator<(const SymInt &) const;
  bool operator<=(const SymInt &) const;
  bool operator>(const SymInt &) const;
  bool operator>=(const SymInt &) const;
};
using SymIntArrayRef = ArrayRef<SymInt>;
struct irange {
  template <class End> explicit irange(End end) : begin_(0), end_(end) {}
  template <class Begin, class End> irange(Begin begin, End end) : begin_(begin), end_(end) {}
  struct iterator {
    std::int64_t value;
    std::int64_t operator*() const { return value; }
    iterator &operator++() {
      ++value;
      return *this;
    }
    bool operator!=(const iterator &other) const { return value != other.value; }
  };
  iterator begin() const { return {begin_}; }
  iterator end() const { return {end_}; }

private:
  std::int64_t begin_, end_;
};
template <class T> using optional = std::optional<T>;
inline constexpr std::nullopt_t nullopt = std::nullopt;

struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(ScalarType);
  ScalarType dtype() const;
  TensorOptions dtype(ScalarType) const;
  TensorOptions device(Device) const;
  TensorOptions device(DeviceType, DeviceIndex = -1) const;
  Device device() const;
  TensorOptions requires_grad(bool) const;
  TensorOptions pinned_memory(bool) const;
  TensorOptions layout(int) const;
  TensorOptions memory_format(int) const;
};
TensorOptions dtype(ScalarType);
TensorOptions device(Device);
TensorOptions device(DeviceType);
TensorOptions layout(int);
TensorOptions requires_grad(bool = true);
inline constexpr int kStrided = 0;
enum class MemoryFormat : std::int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
template <class Stream> Stream &operator<<(Stream &stream, const TensorOptions &) { return stream; }
template <class Stream> Stream &operator<<(Stream &stream, ScalarType) { return stream; }

namespace cuda {
struct CUDAStream {
  cudaStream_t stream() const;
  operator cudaStream_t() const;
  DeviceIndex device_index() const;
  Device device() const;
  std::int64_t id() const;
  void synchronize() const;
};
CUDAStream getCurrentCUDAStream(DeviceIndex = -1);
CUDAStream getDefaultCUDAStream(DeviceIndex = -1);
struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex);
  explicit CUDAGuard(Device);
  void set_device(Device);
  void set_index(DeviceIndex);
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device>);
  explicit OptionalCUDAGuard(Device);
  explicit OptionalCUDAGuard(DeviceIndex);
  explicit OptionalCUDAGuard(std::optional<DeviceIndex>);
  void set_device(Device);
  void set_index(DeviceIndex);
  void reset();
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream);
};
DeviceIndex current_device();
DeviceIndex device_count();
void device_synchronize();
CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1);
/// Which launches a failed assertion may be of. Kernels that take part have two parameters more.
struct DeviceAssertionsData;
struct CUDAKernelLaunchRegistry {
  static CUDAKernelLaunchRegistry &get_singleton_ref();
  bool has_failed() const;
  DeviceAssertionsData *get_uvm_assertions_ptr_for_current_device();
  std::uint32_t insert(const char *, const char *, std::uint32_t, const char *, std::int32_t);
};
std::string c10_retrieve_device_side_assertion_info();
const char *get_cuda_check_suffix();
std::string get_cuda_error_help(cudaError_t);
namespace CUDACachingAllocator {
void *raw_alloc(std::size_t);
void *raw_alloc_with_stream(std::size_t, cudaStream_t);
void emptyCache();
void raw_delete(void *);
} // namespace CUDACachingAllocator
} // namespace cuda
struct DeviceGuard {
  explicit DeviceGuard(Device);
};
using OptionalDeviceGuard = cuda::OptionalCUDAGuard;
std::int64_t size_to_dim_(std::int64_t, IntArrayRef);
std::int64_t size_from_dim_(std::int64_t, IntArrayRef);
template <class T> struct MaybeOwned {
  const T &operator*() const;
  const T *operator->() const;
};
template <class T> constexpr __host__ __device__ T ceil_div(T a, T b) { return (a + b - 1) / b; }
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

namespace at {
using namespace c10;
using c10::cuda::CUDAStream;

struct Scalar {
  Scalar(double);
  template <class T> T to() const;
  double toDouble() const;
  float toFloat() const;
  std::int64_t toLong() const;
  int toInt() const;
};

template <class T> struct OpMathType {
  using type = T;
};
template <> struct OpMathType<Half> {
  using type = float;
};
template <> struct OpMathType<BFloat16> {
  using type = float;
};
template <class T> using opmath_type = typename OpMathType<T>::type;
template <class T, bool IsCuda> struct AccumulateType {
  using type = opmath_type<T>;
};
template <class T, bool IsCuda> using acc_type = typename AccumulateType<T, IsCuda>::type;

template <class T> struct DefaultPtrTraits {
  using PtrType = T *;
};
template <class T> struct RestrictPtrTraits {
  using PtrType = T *__restrict__;
};

/// What kernels see of a tensor: a pointer, sizes and strides, in the layout that PyTorch passes.
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class TensorAccessorBase {
public:
  using PtrType = typename Traits<T>::PtrType;
  __host__ __device__ TensorAccessorBase(PtrType data, const Index *sizes, const Index *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  ArrayRef<Index> sizes() const;
  ArrayRef<Index> strides() const;
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ PtrType data() { return data_; }
  __host__ __device__ const PtrType data() const { return data_; }

protected:
  PtrType data_;
  const Index *sizes_, *strides_;
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, Traits, Index> {
public:
  using PtrType = typename Traits<T>::PtrType;
  using TensorAccessorBase<T, N, Traits, Index>::TensorAccessorBase;
  __host__ __device__ decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return (this->data_[this->strides_[0] * i]);
    else
      return TensorAccessor<T, N - 1, Traits, Index>(this->data_ + this->strides_[0] * i, this->sizes_ + 1,
                                                     this->strides_ + 1);
  }
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class GenericPackedTensorAccessorBase {
public:
  using PtrType = typename Traits<T>::PtrType;
  template <class Other> GenericPackedTensorAccessorBase(PtrType, const Other *, const Other *);
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ PtrType data() { return data_; }
  __host__ __device__ const PtrType data() const { return data_; }

protected:
  PtrType data_;
  Index sizes_[N], strides_[N];
  void bounds_check_(Index) const;
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class GenericPackedTensorAccessor : public GenericPackedTensorAccessorBase<T, N, Traits, Index> {
public:
  using PtrType = typename Traits<T>::PtrType;
  using GenericPackedTensorAccessorBase<T, N, Traits, Index>::GenericPackedTensorAccessorBase;
  __host__ __device__ decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return (this->data_[this->strides_[0] * i]);
    else
      return TensorAccessor<T, N - 1, Traits, Index>(this->data_ + this->strides_[0] * i, this->sizes_ + 1,
                                                     this->strides_ + 1);
  }
  GenericPackedTensorAccessor<T, N - 1, Traits, Index> transpose(Index, Index) const;
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits> using PackedTensorAccessor32 =
    GenericPackedTensorAccessor<T, N, Traits, std::int32_t>;
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits> using PackedTensorAccessor64 =
    GenericPackedTensorAccessor<T, N, Traits, std::int64_t>;
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, Index>;

struct TensorImpl {
  bool storage_initialized() const;
};
struct Storage {
  template <class T> T *data() const;
  void *mutable_data() const;
  std::size_t nbytes() const;
};
class Tensor {
public:
  Tensor();
  void *data_ptr() const;
  template <class T> T *data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
  template <class T> const T *const_data_ptr() const;
  const void *const_data_ptr() const;
  void *mutable_data_ptr() const;
  Storage storage() const;
  TensorImpl *unsafeGetTensorImpl() const;
  MaybeOwned<Tensor> expect_contiguous() const;
  Tensor diff(std::int64_t = 1, std::int64_t = -1) const;
  template <class T> T *data() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
  PackedTensorAccessor<T, N, Traits, Index> packed_accessor() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
  GenericPackedTensorAccessor<T, N, Traits, Index> generic_packed_accessor() const;
  template <class T, std::size_t N> TensorAccessor<T, N> accessor() const;
  std::int64_t size(std::int64_t) const;
  std::int64_t stride(std::int64_t) const;
  SymInt sym_size(std::int64_t) const;
  SymInt sym_stride(std::int64_t) const;
  SymInt sym_numel() const;
  SymIntArrayRef sym_sizes() const;
  SymIntArrayRef sym_strides() const;
  std::int64_t ndimension() const;
  std::int64_t itemsize() const;
  std::int64_t storage_offset() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  std::int64_t dim() const;
  std::int64_t numel() const;
  std::int64_t element_size() const;
  std::size_t nbytes() const;
  TensorOptions options() const;
  ScalarType dtype() const;
  ScalarType scalar_type() const;
  Device device() const;
  DeviceIndex get_device() const;
  bool defined() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_mtia() const;
  bool is_meta() const;
  bool is_sparse() const;
  bool is_pinned() const;
  bool is_same(const Tensor &) const;
  bool is_contiguous() const;
  bool is_contiguous(MemoryFormat) const;
  bool is_floating_point() const;
  bool requires_grad() const;
  bool has_storage() const;
  DeviceIndex device_index() const;
  bool operator==(const Tensor &) const;
  Tensor contiguous() const;
  Tensor contiguous(MemoryFormat) const;
  ScalarType type() const;
  Tensor select(std::int64_t, std::int64_t) const;
  Tensor slice(std::int64_t, std::optional<std::int64_t> = {}, std::optional<std::int64_t> = {},
               std::int64_t = 1) const;
  Tensor narrow(std::int64_t, std::int64_t, std::int64_t) const;
  Tensor permute(IntArrayRef) const;
  Tensor expand(IntArrayRef) const;
  Tensor expand_as(const Tensor &) const;
  Tensor view_as(const Tensor &) const;
  Tensor reshape_as(const Tensor &) const;
  Tensor flatten(std::int64_t, std::int64_t = -1) const;
  Tensor squeeze(std::int64_t) const;
  Tensor sum(IntArrayRef, bool = false, std::optional<ScalarType> = {}) const;
  Tensor sum(ScalarType) const;
  Tensor prod() const;
  Tensor mean() const;
  Tensor any() const;
  Tensor all() const;
  Tensor eq(Scalar) const;
  Tensor ne(Scalar) const;
  Tensor argsort(std::int64_t = -1, bool = false) const;
  Tensor index_select(std::int64_t, const Tensor &) const;
  Tensor toType(ScalarType) const;
  Tensor grad() const;
  Tensor repeat(IntArrayRef) const;
  void record_stream(CUDAStream) const;
  Tensor set_requires_grad(bool) const;
  Tensor fill_(Scalar) const;
  Tensor resize_(IntArrayRef) const;
  Tensor copy_(const Tensor &, bool = false) const;
  Tensor add_(const Tensor &) const;
  Tensor mul_(Scalar) const;
  Tensor cumsum(std::int64_t) const;
  Tensor index(const std::vector<Tensor> &) const;
  Tensor clone() const;
  Tensor detach() const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor t() const;
  Tensor transpose(std::int64_t, std::int64_t) const;
  Tensor view(IntArrayRef) const;
  Tensor reshape(IntArrayRef) const;
  Tensor flatten() const;
  Tensor squeeze() const;
  Tensor unsqueeze(std::int64_t) const;
  Tensor zero_() const;
  Tensor max() const;
  Tensor min() const;
  Tensor sum() const;
  template <class... T> Tensor to(const T &...) const;
  template <class T> T item() const;
  Scalar item() const;
  Tensor transpose_(std::int64_t, std::int64_t) const;
  Tensor resize_as_(const Tensor &) const;
  Tensor index_add_(std::int64_t, const Tensor &, const Tensor &) const;
  bool equal(const Tensor &) const;
  template <class T> Tensor operator[](T) const;
};

using TensorList = ArrayRef<Tensor>;
std::optional<Device> device_of(const Tensor &);
std::optional<Device> device_of(TensorList);
Tensor operator+(const Tensor &, const Tensor &);
Tensor operator-(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, Scalar);
Tensor operator/(const Tensor &, Scalar);
Tensor matmul(const Tensor &, const Tensor &);
Tensor mm(const Tensor &, const Tensor &);
Tensor bmm(const Tensor &, const Tensor &);
Tensor &mm_out(Tensor &, const Tensor &, const Tensor &);
Tensor &addmm_out(Tensor &, const Tensor &, const Tensor &, const Tensor &, Scalar = 1, Scalar = 1);
Tensor index_select(const Tensor &, std::int64_t, const Tensor &);
Tensor cat(const std::vector<Tensor> &, std::int64_t = 0);
Tensor stack(const std::vector<Tensor> &, std::int64_t = 0);
template <class... T> Tensor arange(const T &...);
Tensor isnan(const Tensor &);
Tensor isinf(const Tensor &);
struct OptionalTensorRef {
  OptionalTensorRef();
  OptionalTensorRef(const Tensor &);
};
struct TensorArg {
  TensorArg(const Tensor &, const char *, int);
  const Tensor &operator*() const;
  const Tensor *operator->() const;
};
using CheckedFrom = const char *;
template <class... T> void checkAllSameGPU(CheckedFrom, const T &...);
template <class... T> void checkAllSameType(CheckedFrom, const T &...);
template <class... T> void checkSameGPU(CheckedFrom, const T &...);

template <class... T> Tensor empty(IntArrayRef, const T &...);
template <class... T> Tensor zeros(IntArrayRef, const T &...);
template <class... T> Tensor ones(IntArrayRef, const T &...);
template <class... T> Tensor rand(IntArrayRef, const T &...);
template <class... T> Tensor randn(IntArrayRef, const T &...);
template <class... T> Tensor full(IntArrayRef, Scalar, const T &...);
template <class... T> Tensor empty_like(const Tensor &, const T &...);
template <class... T> Tensor zeros_like(const Tensor &, const T &...);
template <class... T> Tensor ones_like(const Tensor &, const T &...);
Tensor max(const Tensor &);
std::tuple<Tensor, Tensor> max(const Tensor &, std::int64_t, bool = false);
Tensor min(const Tensor &);
std::tuple<Tensor, Tensor> min(const Tensor &, std::int64_t, bool = false);
Tensor sum(const Tensor &);
Tensor sum(const Tensor &, IntArrayRef, bool = false);
Tensor prod(const Tensor &);
Tensor prod(const Tensor &, std::int64_t, bool = false);
Tensor cumsum(const Tensor &, std::int64_t, std::optional<ScalarType> = {});
template <class T> Tensor tensor(const T &, const TensorOptions & = {});
template <class T> Tensor tensor(std::initializer_list<T>, const TensorOptions & = {});
template <class... T> Tensor from_blob(void *, IntArrayRef, const T &...);
template <class... T> Tensor scalar_tensor(Scalar, const T &...);
template <class... T> Tensor empty_symint(SymIntArrayRef, const T &...);
template <class... T> Tensor empty_strided(IntArrayRef, IntArrayRef, const T &...);

/// The state of a generator of random numbers as it is passed to kernels.
struct PhiloxCudaState {
  PhiloxCudaState() = default;
  PhiloxCudaState(std::uint64_t, std::uint64_t);
  PhiloxCudaState(std::int64_t *, std::int64_t *, std::uint32_t);
  union Payload {
    std::uint64_t val;
    std::int64_t *ptr;
  };
  Payload seed_, offset_;
  std::uint32_t offset_intragraph_ = 0;
  bool captured_ = false;
};
struct Generator {
  std::mutex &mutex() const;
};
struct CUDAGeneratorImpl {
  PhiloxCudaState philox_cuda_state(std::uint64_t);
  std::pair<std::uint64_t, std::uint64_t> philox_engine_inputs(std::uint64_t);
  std::mutex mutex_;
};
template <class T> T *check_generator(std::optional<Generator>);
template <class T> T *get_generator_or_default(const std::optional<Generator> &, const Generator &);

template <class T> inline C10_HOST_DEVICE bool _isnan(T value) { return value != value; }

namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(std::int64_t);
int warp_size();
cublasHandle_t getCurrentCUDABlasHandle();
template <class T> constexpr __host__ __device__ T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
bool check_device(TensorList);
namespace detail {
const Generator &getDefaultCUDAGenerator(DeviceIndex = -1);
bool canUse32BitIndexMath(const Tensor &, std::int64_t = 0);
} // namespace detail
namespace philox {
inline __host__ __device__ std::tuple<std::uint64_t, std::uint64_t> unpack(PhiloxCudaState state) {
  if (state.captured_)
    return {static_cast<std::uint64_t>(*state.seed_.ptr),
            static_cast<std::uint64_t>(*state.offset_.ptr + state.offset_intragraph_)};
  return {state.seed_.val, state.offset_.val};
}
} // namespace philox
} // namespace cuda
} // namespace at

// Atomic operations on what a tensor may have as elements, outside of every namespace. There is none of less than 32 bits but addition of numbers
// of 16 bits with a fraction: the word around the element is exchanged until it has not been changed meanwhile.
template <class T, class Change> inline __device__ T smem_lint_change_within_word(T *address, Change change) {
  static_assert(sizeof(T) < 4);
  const std::size_t within = reinterpret_cast<std::size_t>(address) % 4;
  unsigned *const word = reinterpret_cast<unsigned *>(reinterpret_cast<char *>(address) - within);
  const unsigned shift = static_cast<unsigned>(within) * 8, ones = sizeof(T) == 1 ? 0xffu : 0xffffu;
  unsigned now = *word, expected;
  do {
    expected = now;
    const unsigned bits = ones & static_cast<unsigned>(change(static_cast<T>(expected >> shift & ones)));
    now = atomicCAS(word, expected, (expected & ~(ones << shift)) | bits << shift);
  } while (now != expected);
  return static_cast<T>(now >> shift & ones);
}
template <class T> inline __device__ T smem_lint_atomic_add(T *address, T value) {
  if constexpr (std::is_same_v<T, bool>)
    return smem_lint_change_within_word(address, [=](bool old) { return old || value; });
  else if constexpr (std::is_same_v<T, c10::Half>)
    return atomicAdd(reinterpret_cast<__half *>(address), value.operator __half());
  else if constexpr (std::is_same_v<T, c10::BFloat16>)
    return atomicAdd(reinterpret_cast<__nv_bfloat16 *>(address), value.operator __nv_bfloat16());
  else if constexpr (sizeof(T) < 4)
    return smem_lint_change_within_word(address, [=](T old) { return static_cast<T>(old + value); });
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return static_cast<T>(
        atomicAdd(reinterpret_cast<unsigned long long *>(address), static_cast<unsigned long long>(value)));
  else
    return atomicAdd(address, value);
}
// The type is the pointer's alone.
template <class T> inline __device__ T gpuAtomicAdd(T *address, std::common_type_t<T> value) {
  return smem_lint_atomic_add<T>(address, value);
}
template <class T> inline __device__ void gpuAtomicAddNoReturn(T *address, std::common_type_t<T> value) {
  smem_lint_atomic_add<T>(address, value);
}
#define SMEM_LINT_ATOMIC_ADD(type)                                                                                     \
  inline __device__ type atomicAdd(type *address, type value) { return smem_lint_atomic_add(address, value); }
SMEM_LINT_ATOMIC_ADD(bool)
SMEM_LINT_ATOMIC_ADD(std::uint8_t)
SMEM_LINT_ATOMIC_ADD(std::int8_t)
SMEM_LINT_ATOMIC_ADD(std::int16_t)
SMEM_LINT_ATOMIC_ADD(std::int64_t)
SMEM_LINT_ATOMIC_ADD(c10::Half)
SMEM_LINT_ATOMIC_ADD(c10::BFloat16)
template <class T> inline __device__ T gpuAtomicMax(T *address, std::common_type_t<T> value) {
  return atomicMax(address, value);
}
template <class T> inline __device__ T gpuAtomicMin(T *address, std::common_type_t<T> value) {
  return atomicMin(address, value);
}

// Exchanges within a warp, of all its lanes unless a mask says otherwise.
template <class T>
inline __device__ T WARP_SHFL(T value, int lane, int width = C10_WARP_SIZE, unsigned mask = 0xffffffff) {
  return __shfl_sync(mask, value, lane, width);
}
template <class T>
inline __device__ T WARP_SHFL_XOR(T value, int lanes, int width = C10_WARP_SIZE, unsigned mask = 0xffffffff) {
  return __shfl_xor_sync(mask, value, lanes, width);
}
template <class T>
inline __device__ T WARP_SHFL_UP(T value, unsigned delta, int width = C10_WARP_SIZE, unsigned mask = 0xffffffff) {
  return __shfl_up_sync(mask, value, delta, width);
}
template <class T>
inline __device__ T WARP_SHFL_DOWN(T value, unsigned delta, int width = C10_WARP_SIZE, unsigned mask = 0xffffffff) {
  return __shfl_down_sync(mask, value, delta, width);
}
inline __device__ unsigned WARP_BALLOT(int predicate, unsigned mask = 0xffffffff) {
  return __ballot_sync(mask, predicate);
}

// What was PyTorch's before.
struct THCState;
template <class T> constexpr __host__ __device__ T THCCeilDiv(T a, T b) { return (a + b - 1) / b; }

namespace torch {
using namespace at;
using Dtype = ScalarType;
namespace cuda = at::cuda;
template <class T> using optional = std::optional<T>;
template <class... T> int dispatch(const T &...);
struct Library {
  template <class... T> void def(const T &...);
  template <class... T> void impl(const T &...);
};
namespace autograd {
using Variable = at::Tensor;
using variable_list = std::vector<at::Tensor>;
struct AutogradContext;
template <class T> struct Function {};
} // namespace autograd
namespace indexing {
struct Slice {
  Slice(std::optional<std::int64_t> = {}, std::optional<std::int64_t> = {});
};
} // namespace indexing
} // namespace torch
namespace pybind11 {
struct arg {
  explicit arg(const char *);
  template <class T> arg &operator=(const T &);
};
arg operator""_a(const char *, std::size_t);
struct object {};
struct none : object {};
struct gil_scoped_release {};
template <class T> struct class_ {
  template <class... A> class_(const A &...);
  template <class... A> class_ &def(const A &...);
  template <class... A> class_ &def_readwrite(const A &...);
};
template <class... T> struct init {};
} // namespace pybind11
namespace py = pybind11;

// A statement that needs no semicolon.
#define TORCH_CHECK(condition, ...)                                                                                    \
  if (!(condition)) {                                                                                                  \
    throw std::runtime_error(#condition);                                                                              \
  }
#define TORCH_CHECK_EQ(a, b, ...) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b, ...) TORCH_CHECK((a) != (b))
#define TORCH_CHECK_LT(a, b, ...) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_LE(a, b, ...) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_GT(a, b, ...) TORCH_CHECK((a) > (b))
#define TORCH_CHECK_GE(a, b, ...) TORCH_CHECK((a) >= (b))
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define TORCH_CHECK_VALUE TORCH_CHECK
#define TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)
#define AT_ASSERTM TORCH_CHECK
#define AT_ASSERT TORCH_CHECK
#define AT_CHECK TORCH_CHECK
#define AT_ERROR(...) throw std::runtime_error("AT_ERROR")
#define C10_CUDA_CHECK(call) ((void)(call))
#define C10_CUDA_IGNORE_ERROR(call) ((void)(call))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)0)
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define TORCH_CUDABLAS_CHECK C10_CUDA_CHECK
#define THCudaCheck C10_CUDA_CHECK
// Whatever NDEBUG says.
#define CUDA_KERNEL_ASSERT(condition)                                                                                  \
  (static_cast<bool>(condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#define CUDA_KERNEL_ASSERT2 CUDA_KERNEL_ASSERT
#define TORCH_DSA_KERNEL_ARGS                                                                                          \
  [[maybe_unused]] c10::cuda::DeviceAssertionsData *const assertions_data,                                             \
      [[maybe_unused]] std::uint32_t assertion_caller_id
#define TORCH_DSA_KERNEL_ARGS_PASS assertions_data, assertion_caller_id
#define TORCH_DSA_KERNEL_LAUNCH(kernel, grid, block, dynamic, stream, ...)                                             \
  do {                                                                                                                 \
    auto &smem_lint_registry = c10::cuda::CUDAKernelLaunchRegistry::get_singleton_ref();                               \
    kernel<<<grid, block, dynamic, stream>>>(__VA_ARGS__,                                                              \
                                             smem_lint_registry.get_uvm_assertions_ptr_for_current_device(),           \
                                             smem_lint_registry.insert(__FILE__, __FUNCTION__, __LINE__, #kernel, 0)); \
  } while (0)
#define CUDA_KERNEL_ASSERT_MSG(condition, ...) CUDA_KERNEL_ASSERT(condition)
#define CUDA_KERNEL_ASSERT_PRINTF(condition, ...) CUDA_KERNEL_ASSERT(condition)
#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                                                              \
  for (type i = static_cast<type>(blockIdx.x) * blockDim.x + threadIdx.x; i < (n);                                     \
       i += static_cast<type>(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

// The binding is Python's business: what it lists is looked at and dropped.
#define TORCH_EXTENSION_NAME extension
#define PYBIND11_MODULE(name, variable) static void smem_lint_bindings(torch::Library &variable)
#define SMEM_LINT_UNIQUE_OF(name, number) name##number
#define SMEM_LINT_UNIQUE(name, number) SMEM_LINT_UNIQUE_OF(name, number)
#define TORCH_LIBRARY(name, variable)                                                                                  \
  static void SMEM_LINT_UNIQUE(smem_lint_library_##name##_, __COUNTER__)(torch::Library & variable)
#define TORCH_LIBRARY_FRAGMENT TORCH_LIBRARY
#define TORCH_LIBRARY_IMPL(name, key, variable) TORCH_LIBRARY(name, variable)
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_FN(function) function

// One type stands for all that are dispatched to.
#define SMEM_LINT_DISPATCH(dispatched, ...)                                                                            \
  [&] {                                                                                                                \
    using scalar_t = dispatched;                                                                                       \
    return __VA_ARGS__();                                                                                              \
  }()
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...) SMEM_LINT_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_FLOATING_TYPES_AND(also, type, name, ...) SMEM_LINT_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(also, and_also, type, name, ...) SMEM_LINT_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND3(also, and_also, and_third, type, name, ...)                                    \
  SMEM_LINT_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND AT_DISPATCH_FLOATING_TYPES_AND
#define AT_DISPATCH_ALL_TYPES_AND2 AT_DISPATCH_FLOATING_TYPES_AND2
#define AT_DISPATCH_ALL_TYPES_AND3 AT_DISPATCH_FLOATING_TYPES_AND3
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND AT_DISPATCH_FLOATING_TYPES_AND
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2 AT_DISPATCH_FLOATING_TYPES_AND2
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3 AT_DISPATCH_FLOATING_TYPES_AND3
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1 AT_DISPATCH_FLOATING_TYPES_AND
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2 AT_DISPATCH_FLOATING_TYPES_AND2
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(type, name, ...) SMEM_LINT_DISPATCH(c10::Half, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(type, name, ...) SMEM_LINT_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND(also, type, name, ...) SMEM_LINT_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(type, name, ...)                                                                       \
  [&] {                                                                                                                \
    using index_t = int;                                                                                               \
    return __VA_ARGS__();                                                                                              \
  }()
#define AT_WRAP(...) __VA_ARGS__
#define AT_EXPAND(...) __VA_ARGS__
#define AT_DISPATCH_V2(type, name, body, ...) SMEM_LINT_DISPATCH(float, body)
#define AT_DISPATCH_SWITCH(type, name, ...)                                                                            \
  [&] {                                                                                                                \
    switch (c10::ScalarType smem_lint_type = (type)) { __VA_ARGS__ default : break; }                                  \
  }()
#define AT_PRIVATE_CASE_TYPE_USING_HINT(enumerator, type_name, hint, ...)                                              \
  case enumerator:                                                                                                     \
    return [&] {                                                                                                       \
      using hint = type_name;                                                                                          \
      return __VA_ARGS__();                                                                                            \
    }();
#define AT_DISPATCH_CASE(enumerator, ...)                                                                              \
  case enumerator: {                                                                                                   \
    using scalar_t = c10::TypeOf<enumerator>;                                                                          \
    __VA_ARGS__();                                                                                                     \
    break;                                                                                                             \
  }
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                                                           \
  AT_DISPATCH_CASE(c10::ScalarType::Double, __VA_ARGS__) AT_DISPATCH_CASE(c10::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                                           \
  AT_DISPATCH_CASE(c10::ScalarType::Int, __VA_ARGS__) AT_DISPATCH_CASE(c10::ScalarType::Long, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                                                                \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
