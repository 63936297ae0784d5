// Complex numbers of PyTorch, tensors of any number of dimensions, and comparisons of tensors in host code.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not='in part'
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>
#include <ATen/cuda/DeviceUtils.cuh>
#include <c10/util/complex.h>
#include <torch/extension.h>

using single = c10::complex<float>;
using couple = c10::complex<at::Half>;
static_assert(sizeof(single) == 8 && alignof(single) == 8 && sizeof(couple) == 4 && alignof(couple) == 4);
static_assert(sizeof(c10::complex<double>) == 16 && alignof(c10::complex<double>) == 16);
static_assert(std::is_same_v<at::scalar_value_type<single>::type, float>);
static_assert(std::is_convertible_v<single, c10::complex<double>> && !std::is_convertible_v<c10::complex<double>, single>);
static_assert(std::is_convertible_v<couple, single> && std::is_constructible_v<single, std::complex<float>>);

// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: warning: 32-way bank conflict: load of tile[threadIdx.x][threadIdx.y] takes 32 wavefronts instead of 1
__global__ void transposed(const couple *in, couple *out, const __half *h) {
  __shared__ couple tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x]; __syncthreads();
  const couple t = tile[threadIdx.x][threadIdx.y];
  out[threadIdx.y * 32 + threadIdx.x] = couple(h[0], t.imag());
}

// CHECK-LABEL: {{^}}roots  grid=(4) block=(128)
// CHECK: in[threadIdx.x] {{ *}}load 64 {{.*}}assumed
// CHECK: out[threadIdx.x] {{ *}}store 64 {{.*}}assumed
__global__ void roots(const single *in, single *out, float f) {
  const single z = in[threadIdx.x], i(0, 1);
  single sum = (z * i + f * std::conj(z) - 2) / (z - std::exp(z)) + std::real(z);
  sum += WARP_SHFL_DOWN(sum, 16);
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: {{^}}rows<float>  grid=(4) block=(128)
// CHECK: out[i] {{ *}}store 32 {{.*}}assumed
template <typename T>
__global__ void rows(at::cuda::detail::TensorInfo<int64_t, int> starts, const T *in, T *out, size_t n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[starts.data[at::cuda::detail::IndexToOffset<int64_t, int, -1>::get(i, starts)]];
}

// A definition of the source's own beside no header that has one.
__device__ static at::Half atomicAdd(at::Half *to, at::Half value) { return *to = *to + value; }
__global__ void own(at::Half *p) { atomicAdd(p, at::Half(1.0f)); }
__global__ void counted(int64_t *p) { atomicAdd(p + threadIdx.x, 1); }

void launch(at::Tensor t, at::Tensor u) {
  transposed<<<4, dim3(32, 32)>>>(t.data_ptr<couple>(), u.data_ptr<couple>(), nullptr);
  roots<<<4, 128>>>(t.data_ptr<single>(), u.data_ptr<single>(), 1);
  auto starts = at::cuda::detail::getTensorInfo<int64_t, int>(t);
  u = t.masked_fill_(u == 0, 0).ceil();
  auto [least, where] = u.min(0);
  rows<float><<<4, 128>>>(starts, t.data_ptr<float>(), u.data_ptr<float>(), t.numel());
  own<<<1, 32>>>(u.data_ptr<at::Half>());
  counted<<<1, 32>>>(least.to(at::kComplexFloat).data_ptr<int64_t>());
}
