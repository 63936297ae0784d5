// As much of PyTorch's C++ interface as CUDA extensions need to be started without PyTorch. A module becomes a program:
// each function that it defines is called once, with tensors of the shapes on the command line,
//
//   PROGRAM 1024,512 512,1       first tensor 1024 x 512, all others 512 x 1
//
// Tensors have no element type: eight bytes an element, holding small integers, suit every kernel.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace torch {

enum ScalarType { kFloat32, kFloat, kHalf, kFloat16, kBFloat16, kInt32, kInt8, kInt64, kFloat8_e4m3fn, kFloat8_e5m2 };
enum DeviceType { kCPU, kCUDA };

struct Device {
  Device(DeviceType = kCUDA, int = 0) {}
};

/// The type of a tensor's elements: whichever is asked for.
struct AnyType {};
inline bool operator==(AnyType, ScalarType) { return true; }
inline bool operator!=(AnyType, ScalarType) { return false; }

struct TensorOptions {
  TensorOptions dtype(ScalarType) const { return *this; }
  TensorOptions device(Device, int = 0) const { return *this; }
  AnyType dtype() const { return {}; }
};
inline std::ostream &operator<<(std::ostream &out, const TensorOptions &) { return out; }

class Tensor {
public:
  Tensor() = default;
  explicit Tensor(std::vector<std::int64_t> sizes) : sizes_(std::move(sizes)) {
    const std::size_t bytes = 8 * static_cast<std::size_t>(numel());
    void *memory = nullptr;
    if (cudaMalloc(&memory, bytes ? bytes : 8) != cudaSuccess)
      throw std::runtime_error("no memory for a tensor");
    memory_ = std::shared_ptr<void>(memory, cudaFree);
    std::vector<std::int32_t> values(bytes / 4);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<std::int32_t>(i * 7 % 17);
    cudaMemcpy(memory, values.data(), bytes, cudaMemcpyHostToDevice);
  }

  std::int64_t dim() const { return static_cast<std::int64_t>(sizes_.size()); }
  std::int64_t size(std::int64_t i) const { return sizes_.at(static_cast<std::size_t>(i)); }
  const std::vector<std::int64_t> &sizes() const { return sizes_; }
  std::int64_t numel() const {
    std::int64_t count = 1;
    for (std::int64_t size : sizes_)
      count *= size;
    return count;
  }
  void *data_ptr() const { return memory_.get(); }
  template <typename T> T *data_ptr() const { return static_cast<T *>(memory_.get()); }
  TensorOptions options() const { return {}; }
  Device device() const { return {}; }
  Tensor to(Device) const { return *this; }
  Tensor contiguous() const { return *this; }

private:
  std::vector<std::int64_t> sizes_;
  std::shared_ptr<void> memory_;
};

using Shape = std::vector<std::int64_t>;
inline Tensor empty(const Shape &sizes, TensorOptions = {}) { return Tensor(sizes); }
inline Tensor zeros(const Shape &sizes, TensorOptions = {}) { return Tensor(sizes); }
inline Tensor full(const Shape &sizes, double, TensorOptions = {}) { return Tensor(sizes); }
inline Tensor zeros_like(const Tensor &other) { return Tensor(other.sizes()); }

template <typename Function> Function wrap_pybind_function(Function function) { return function; }

/// The module that a program is made of.
class Module {
public:
  Module(int count, char **arguments) {
    for (int i = 1; i < count; ++i) {
      Shape sizes;
      for (char *at = arguments[i]; *at; at += *at == ',')
        sizes.push_back(std::strtol(at, &at, 10));
      shapes_.push_back(std::move(sizes));
    }
    if (shapes_.empty())
      shapes_.push_back({512, 512});
  }

  template <typename Result, typename... Arguments>
  void def(const char *name, Result (*function)(Arguments...), const char * = "") {
    Result (*volatile defined)(Arguments...) = function; // null where the program was linked without it
    if (!defined)
      return;
    std::size_t tensors = 0;
    try {
      std::tuple<std::decay_t<Arguments>...> values{make<std::decay_t<Arguments>>(tensors)...};
      std::apply(defined, values);
    } catch (const std::exception &error) {
      std::printf("%s: %s\n", name, error.what());
    }
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)
      std::printf("%s: %s\n", name, cudaGetErrorString(error));
  }

private:
  template <typename T> T make(std::size_t &tensors) const {
    if constexpr (std::is_same_v<T, Tensor>)
      return Tensor(shapes_[tensors < shapes_.size() ? tensors++ : shapes_.size() - 1]);
    else
      return static_cast<T>(std::is_same_v<T, bool> ? 0 : 2);
  }

  std::vector<Shape> shapes_;
};

} // namespace torch

#define TORCH_EXTENSION_NAME extension
#define PYBIND11_MODULE(name, m)                                                                                       \
  static void define_functions(torch::Module &m);                                                                      \
  int main(int count, char **arguments) {                                                                              \
    torch::Module module(count, arguments);                                                                            \
    define_functions(module);                                                                                          \
    return 0;                                                                                                          \
  }                                                                                                                    \
  static void define_functions(torch::Module &m)
