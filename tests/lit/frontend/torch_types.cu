// What kernels of PyTorch's extensions take from its headers: numbers of 16 and 8 bits that are types of their own, atomic operations outside of every
// namespace, accessors, assertions, the state of generators.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not='in part' %s
#include <ATen/ATen.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/PhiloxUtils.cuh>
#include <c10/cuda/CUDAGuard.h>
#include <THC/THCAtomics.cuh>
#include <torch/extension.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
// CHECK-DAG: :[[#@LINE-8]]:1: note: <ATen/ATen.h> and 5 more headers of PyTorch are not installed; host code is followed by a stand-in for them

static_assert(!std::is_same_v<at::Half, __half> && !std::is_same_v<at::BFloat16, __nv_bfloat16>);
static_assert(std::is_convertible_v<at::Half, __half> && std::is_convertible_v<__half, at::Half>);
static_assert(std::is_convertible_v<at::Half, float> && std::is_convertible_v<float, at::Half>);
static_assert(std::is_convertible_v<__nv_bfloat16, at::BFloat16> && std::is_constructible_v<__nv_bfloat16, at::BFloat16>);
static_assert(sizeof(c10::Float8_e4m3fn) == 1 && std::is_convertible_v<c10::Float8_e4m3fn, float>);

// Both types in one overload set.
__device__ float widen(__half v) { return __half2float(v); }
__device__ float widen(at::Half v) { return 2 * static_cast<float>(v); }

template <typename T> __global__ void add(T *p, const T *q) {
  gpuAtomicAdd(p + threadIdx.x, q[threadIdx.x]);
  ::gpuAtomicAddNoReturn(p + threadIdx.x, q[threadIdx.x]);
}
// CHECK-LABEL: {{^}}add<c10::Half>
// CHECK: gpuAtomicAdd({{.*}} atomic 16 {{.*}}unknown
template __global__ void add(at::Half *, const at::Half *);
// CHECK-LABEL: {{^}}add<float>
// CHECK: gpuAtomicAdd({{.*}} atomic 32 {{ *}}512 {{ *}}2,048 {{.*}}assumed
template __global__ void add(float *, const float *);
// CHECK-LABEL: {{^}}add<long>
// CHECK: gpuAtomicAdd({{.*}} atomic 64 {{.*}}assumed
template __global__ void add(int64_t *, const int64_t *);
// Those of 8 and of 16 bits exchange the word around the element until nothing has changed it meanwhile.
// CHECK-LABEL: {{^}}add<short>
// CHECK: gpuAtomicAdd({{.*}} load 32 {{.*}}assumed
// CHECK-NEXT: gpuAtomicAdd({{.*}} atomic 32 {{.*}} unknown
template __global__ void add(int16_t *, const int16_t *);
// CHECK-LABEL: {{^}}add<unsigned char>
// CHECK: gpuAtomicAdd({{.*}} load 32 {{.*}}assumed
// CHECK-NEXT: gpuAtomicAdd({{.*}} atomic 32 {{.*}} unknown
template __global__ void add(uint8_t *, const uint8_t *);

// CHECK-LABEL: {{^}}dequantize
// CHECK: p[threadIdx.x] {{ *}}load 8 {{.*}}assumed
__global__ void dequantize(const c10::Float8_e4m3fn *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }

// CHECK-LABEL: {{^}}drop
__global__ void drop(at::PhiloxCudaState state, uint64_t *out) {
  auto [seed, offset] = at::cuda::philox::unpack(state);
  out[threadIdx.x] = seed + offset;
}

// CHECK-LABEL: {{^}}numbers<c10::BFloat16>
// CHECK: q[threadIdx.x] {{ *}}load 16 {{.*}}assumed
// CHECK: p[threadIdx.x] {{ *}}store 16 {{.*}}assumed
template <typename T> __global__ void numbers(T *p, const T *q, float f) {
  T a = q[threadIdx.x], b = __ldg(q + 32 + threadIdx.x);
  a += b, a = a * f, a = a > b ? a : -b, f += a, a = 2 * a, a /= b;
  if (a < 3 || b > 1.0f)
    a = std::numeric_limits<T>::lowest();
  p[threadIdx.x] = a;
}
template __global__ void numbers(at::BFloat16 *, const at::BFloat16 *, float);
// CHECK-LABEL: {{^}}numbers<c10::Half>
template __global__ void numbers(at::Half *, const at::Half *, float);

// CHECK-LABEL: {{^}}rows
// CHECK: load 32 {{.*}}unknown
__global__ void rows(at::GenericPackedTensorAccessor<float, 2, at::RestrictPtrTraits, int> a, float *out) {
  const at::TensorAccessorBase<float, 1, at::RestrictPtrTraits, int> row = a[blockIdx.x];
  CUDA_KERNEL_ASSERT(row.size(0) > 32 && "a row is long enough");
  out[threadIdx.x % C10_WARP_SIZE] = row.data()[threadIdx.x];
}
__device__ void is_base(at::GenericPackedTensorAccessorBase<float, 2> *base, at::GenericPackedTensorAccessor<float, 2> *derived) {
  base = derived;
}

void host(at::Tensor x, at::TensorList all) {
  c10::cuda::OptionalCUDAGuard guard;
  guard.set_index(x.get_device());
  const c10::SymInt rows_of_x = x.sym_size(0);
  const auto sums = torch::cumsum(x.sum({0, 1}), 0);
  const auto buffer = at::empty({0, x.size(1)}, at::device(at::kCUDA).dtype(at::kFloat));
  TORCH_CHECK(x.is_cuda(), "needs no semicolon")
  rows<<<2, 64>>>(x.packed_accessor32<float, 2, at::RestrictPtrTraits>(), buffer.data_ptr<float>());
}
// CHECK: 10 kernels
