// What PyTorch's c10 has beside types of elements: devices, streams, sizes, options of tensors.
#pragma once

#include <smem_lint_host/torch_scalars.h>

namespace c10 {

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
  bool is_cpu() const;
  bool is_meta() const;
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
using IntList = IntArrayRef;
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
  TensorOptions(Device);
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
