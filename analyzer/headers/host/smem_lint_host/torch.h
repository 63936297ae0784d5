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

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace c10 {

enum class ScalarType : std::int8_t { Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16, Float8_e4m3fn, Float8_e5m2 };
inline constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kChar = ScalarType::Char, kInt8 = kChar, kShort = ScalarType::Short,
                            kInt16 = kShort, kInt = ScalarType::Int, kInt32 = kInt, kLong = ScalarType::Long, kInt64 = kLong,
                            kHalf = ScalarType::Half, kFloat16 = kHalf, kFloat = ScalarType::Float, kFloat32 = kFloat,
                            kDouble = ScalarType::Double, kFloat64 = kDouble, kBool = ScalarType::Bool,
                            kBFloat16 = ScalarType::BFloat16, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn,
                            kFloat8_e5m2 = ScalarType::Float8_e5m2;
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
};

struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(ScalarType);
  ScalarType dtype() const;
  TensorOptions dtype(ScalarType) const;
  TensorOptions device(Device) const;
  TensorOptions device(DeviceType, DeviceIndex = -1) const;
  Device device() const;
  TensorOptions requires_grad(bool) const;
};
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
using OptionalCUDAGuard = CUDAGuard;
} // namespace cuda
} // namespace c10

namespace at {
using namespace c10;
using c10::cuda::CUDAStream;

struct Scalar {
  Scalar(double);
  template <class T> T to() const;
};

class Tensor {
public:
  Tensor();
  void *data_ptr() const;
  template <class T> T *data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
  template <class T> const T *const_data_ptr() const;
  template <class T> T *data() const;
  std::int64_t size(std::int64_t) const;
  std::int64_t stride(std::int64_t) const;
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
  Tensor contiguous() const;
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
} // namespace cuda
} // namespace at

namespace torch {
using namespace at;
using Dtype = ScalarType;
template <class T> Tensor tensor(const T &, const TensorOptions & = {});
template <class T> Tensor tensor(std::initializer_list<T>, const TensorOptions & = {});
template <class... T> Tensor from_blob(void *, IntArrayRef, const T &...);
namespace cuda = at::cuda;
struct Library {
  template <class... T> void def(const T &...);
  template <class... T> void impl(const T &...);
};
} // namespace torch

#define TORCH_CHECK(condition, ...) ((condition) ? (void)0 : throw std::runtime_error(#condition))
#define AT_ASSERTM TORCH_CHECK
#define AT_ASSERT TORCH_CHECK
#define C10_CUDA_CHECK(call) ((void)(call))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)0)
#define AT_CUDA_CHECK C10_CUDA_CHECK

// The binding is Python's business: what it lists is looked at and dropped.
#define TORCH_EXTENSION_NAME extension
#define PYBIND11_MODULE(name, variable) static void smem_lint_bindings(torch::Library &variable)
#define TORCH_LIBRARY(name, variable) static void smem_lint_library_##name(torch::Library &variable)
#define TORCH_LIBRARY_IMPL(name, key, variable) static void smem_lint_library_##name##_##key(torch::Library &variable)

// One type stands for all that are dispatched to.
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...) [&] { using scalar_t = float; return __VA_ARGS__(); }()
#define AT_DISPATCH_ALL_TYPES AT_DISPATCH_FLOATING_TYPES
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF AT_DISPATCH_FLOATING_TYPES
