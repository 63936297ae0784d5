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
#include <functional>
#include <limits>
#include <sstream>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
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
  Float8_e5m2
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
  using type = __half;
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
  using type = __nv_bfloat16;
};
template <ScalarType Scalar> using TypeOf = typename TypeOfScalar<Scalar>::type;
inline constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kChar = ScalarType::Char, kInt8 = kChar,
                            kShort = ScalarType::Short, kInt16 = kShort, kInt = ScalarType::Int, kInt32 = kInt,
                            kLong = ScalarType::Long, kInt64 = kLong, kHalf = ScalarType::Half, kFloat16 = kHalf,
                            kFloat = ScalarType::Float, kFloat32 = kFloat, kDouble = ScalarType::Double,
                            kFloat64 = kDouble, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16,
                            kFloat8_e4m3fn = ScalarType::Float8_e4m3fn, kFloat8_e5m2 = ScalarType::Float8_e5m2;
using Half = __half;
using BFloat16 = __nv_bfloat16;
enum class DeviceType : std::int8_t { CPU, CUDA };
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
using DeviceIndex = std::int8_t;

struct Device {
  Device(DeviceType, DeviceIndex = -1);
  DeviceIndex index() const;
  DeviceType type() const;
  bool is_cuda() const;
  bool operator==(const Device &) const;
  bool operator!=(const Device &) const;
};

struct IntArrayRef {
  IntArrayRef(std::initializer_list<std::int64_t>);
  IntArrayRef(const std::vector<std::int64_t> &);
  std::int64_t operator[](std::size_t) const;
  std::size_t size() const;
  const std::int64_t *begin() const;
  const std::int64_t *end() const;
  const std::int64_t *data() const;
  std::vector<std::int64_t> vec() const;
  bool equals(IntArrayRef) const;
  bool operator==(IntArrayRef) const;
  bool operator!=(IntArrayRef) const;
  std::int64_t front() const;
  std::int64_t back() const;
};
template <class T> using ArrayRef = std::conditional_t<std::is_same_v<T, std::int64_t>, IntArrayRef, std::vector<T>>;
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
  TensorOptions layout(int) const;
  TensorOptions memory_format(int) const;
};
inline constexpr int kStrided = 0;
enum class MemoryFormat : std::int8_t { Contiguous, ChannelsLast };
template <class Stream> Stream &operator<<(Stream &stream, const TensorOptions &) { return stream; }
template <class Stream> Stream &operator<<(Stream &stream, ScalarType) { return stream; }

namespace cuda {
struct CUDAStream {
  cudaStream_t stream() const;
  operator cudaStream_t() const;
};
CUDAStream getCurrentCUDAStream(DeviceIndex = -1);
CUDAStream getDefaultCUDAStream(DeviceIndex = -1);
struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex);
  explicit CUDAGuard(Device);
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device>);
  explicit OptionalCUDAGuard(Device);
  explicit OptionalCUDAGuard(DeviceIndex);
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream);
};
DeviceIndex current_device();
DeviceIndex device_count();
CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1);
namespace CUDACachingAllocator {
void *raw_alloc(std::size_t);
void raw_delete(void *);
} // namespace CUDACachingAllocator
} // namespace cuda
struct DeviceGuard {
  explicit DeviceGuard(Device);
};
using OptionalDeviceGuard = cuda::OptionalCUDAGuard;
template <class T> constexpr __host__ __device__ T ceil_div(T a, T b) { return (a + b - 1) / b; }
} // namespace c10

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
template <> struct OpMathType<__half> {
  using type = float;
};
template <> struct OpMathType<__nv_bfloat16> {
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
class TensorAccessor {
public:
  using Pointer = typename Traits<T>::PtrType;
  __host__ __device__ TensorAccessor(Pointer data, const Index *sizes, const Index *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __host__ __device__ decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return (data_[strides_[0] * i]);
    else
      return TensorAccessor<T, N - 1, Traits, Index>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ Pointer data() const { return data_; }

private:
  Pointer data_;
  const Index *sizes_, *strides_;
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
class GenericPackedTensorAccessor {
public:
  using Pointer = typename Traits<T>::PtrType;
  GenericPackedTensorAccessor(Pointer, const Index *, const Index *);
  __host__ __device__ decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return (data_[strides_[0] * i]);
    else
      return TensorAccessor<T, N - 1, Traits, Index>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  __host__ __device__ Index size(Index i) const { return sizes_[i]; }
  __host__ __device__ Index stride(Index i) const { return strides_[i]; }
  __host__ __device__ Pointer data() const { return data_; }

private:
  Pointer data_;
  Index sizes_[N], strides_[N];
};
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits> using PackedTensorAccessor32 =
    GenericPackedTensorAccessor<T, N, Traits, std::int32_t>;
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits> using PackedTensorAccessor64 =
    GenericPackedTensorAccessor<T, N, Traits, std::int64_t>;
template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, Index>;

template <class T> __device__ T gpuAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
template <class T> __device__ void gpuAtomicAddNoReturn(T *address, T value) { atomicAdd(address, value); }

class Tensor {
public:
  Tensor();
  void *data_ptr() const;
  template <class T> T *data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
  template <class T> const T *const_data_ptr() const;
  template <class T> T *data() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;
  template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits, class Index = std::int64_t>
  PackedTensorAccessor<T, N, Traits, Index> packed_accessor() const;
  template <class T, std::size_t N> TensorAccessor<T, N> accessor() const;
  std::int64_t size(std::int64_t) const;
  std::int64_t stride(std::int64_t) const;
  std::int64_t sym_size(std::int64_t) const;
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
  Tensor sum(IntArrayRef, bool = false) const;
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
  template <class T> Tensor operator[](T) const;
};

std::optional<Device> device_of(const Tensor &);
Tensor operator+(const Tensor &, const Tensor &);
Tensor operator-(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, Scalar);
Tensor operator/(const Tensor &, Scalar);
Tensor matmul(const Tensor &, const Tensor &);
Tensor mm(const Tensor &, const Tensor &);
Tensor bmm(const Tensor &, const Tensor &);
Tensor cat(const std::vector<Tensor> &, std::int64_t = 0);
Tensor stack(const std::vector<Tensor> &, std::int64_t = 0);
template <class... T> Tensor arange(const T &...);
std::size_t elementSize(ScalarType);
const char *toString(ScalarType);
bool isFloatingType(ScalarType);
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

namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(std::int64_t);
int warp_size();
cublasHandle_t getCurrentCUDABlasHandle();
template <class T> constexpr T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
} // namespace cuda
} // namespace at

namespace torch {
using namespace at;
using Dtype = ScalarType;
template <class T> Tensor tensor(const T &, const TensorOptions & = {});
template <class T> Tensor tensor(std::initializer_list<T>, const TensorOptions & = {});
template <class... T> Tensor from_blob(void *, IntArrayRef, const T &...);
namespace cuda = at::cuda;
template <class T> using optional = std::optional<T>;
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

#define TORCH_CHECK(condition, ...) ((condition) ? (void)0 : throw std::runtime_error(#condition))
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
#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                                                              \
  for (type i = static_cast<type>(blockIdx.x) * blockDim.x + threadIdx.x; i < (n);                                     \
       i += static_cast<type>(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

// The binding is Python's business: what it lists is looked at and dropped.
#define TORCH_EXTENSION_NAME extension
#define PYBIND11_MODULE(name, variable) static void smem_lint_bindings(torch::Library &variable)
#define TORCH_LIBRARY(name, variable) static void smem_lint_library_##name(torch::Library &variable)
#define TORCH_LIBRARY_FRAGMENT(name, variable) static void smem_lint_fragment_##name(torch::Library &variable)
#define TORCH_LIBRARY_IMPL(name, key, variable) static void smem_lint_library_##name##_##key(torch::Library &variable)
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
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(type, name, ...) SMEM_LINT_DISPATCH(__half, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(type, name, ...) SMEM_LINT_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND(also, type, name, ...) SMEM_LINT_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(type, name, ...)                                                                       \
  [&] {                                                                                                                \
    using index_t = int;                                                                                               \
    return __VA_ARGS__();                                                                                              \
  }()
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
