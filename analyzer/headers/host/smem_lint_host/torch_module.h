// How an extension is checked, launched and bound: macros, the library, Python.
#pragma once

#include <smem_lint_host/torch_tensor.h>

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
using tensor_list = variable_list;
struct AutogradContext;
template <class T> struct Function {};
} // namespace autograd
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
