// Dispatch over types as PyTorch's extensions write it, without PyTorch: one type stands for all, and names that the stand-in lacks lose nothing.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>
// CHECK-DAG: note: <ATen/Dispatch.h> and 4 more headers of PyTorch are not installed; host code is followed by a stand-in for them
// CHECK-DAG: warning: host function 'unknown_names' is followed in part only: {{.*}}'not_in_the_stand_in'

// CHECK-DAG: {{^}}forward<float>  grid=({{.*}}) block=(32,32)
template <typename scalar_t> __global__ void forward(const scalar_t *x, scalar_t *y, int n) {
  __shared__ scalar_t t[32][32];
  t[threadIdx.x][threadIdx.y] = x[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  y[threadIdx.y * n + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
torch::Tensor run(torch::Tensor x) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(x));
  TORCH_CHECK(x.is_cuda(), "x must be CUDA");
  auto y = torch::empty_like(x);
  const dim3 blocks((x.size(0) + 31) / 32, (x.size(1) + 31) / 32);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "forward", ([&] {
    forward<scalar_t><<<blocks, dim3(32, 32), 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.size(1));
  }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

// CHECK-DAG: {{^}}integers<int>  grid=(3) block=(64)
template <typename T> __global__ void integers(T *p) { p[threadIdx.x] = 1; }
// CHECK-DAG: {{^}}cases<{{.*}}>  grid=(2) block=(128)
template <typename T> __global__ void cases(T *p) { p[threadIdx.x] = 1; }
// CHECK-DAG: {{^}}accessor<float>  grid=(1) block=(32)
template <typename scalar_t> __global__ void accessor(torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> a) {
  a[blockIdx.x][threadIdx.x] = 1;
}
void others(at::Tensor t) {
  AT_DISPATCH_INTEGRAL_TYPES(t.scalar_type(), "integers", [&] { integers<scalar_t><<<3, 64>>>(t.data_ptr<scalar_t>()); });
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, t.scalar_type(), "accessor", [&] {
    accessor<scalar_t><<<1, 32>>>(t.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
  });
  AT_DISPATCH_SWITCH(t.scalar_type(), "cases", AT_DISPATCH_CASE(at::kDouble, [&] { cases<scalar_t><<<2, 128>>>(t.data_ptr<scalar_t>()); })
                                                   AT_DISPATCH_CASE(at::kHalf, [&] { cases<scalar_t><<<2, 128>>>(t.data_ptr<scalar_t>()); }));
}

// A second dispatch, whose type has another name; what decides the launch is sorted, counted, and asked for its device.
// CHECK-DAG: {{^}}hint<{{.*}}>  grid=(2) block=(64)
template <typename T, typename U> __global__ void hint(T *p, U *q) { p[threadIdx.x] = 1; }
#define DISPATCH_FP8_CASE(type, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(type, fp8_t, __VA_ARGS__)
void with_hint(at::Tensor t, at::Tensor u) {
  if (t.device().is_cpu() || t.device().is_meta() || torch::numel(t) == 0)
    return;
  at::Tensor order = std::get<1>(t.sort(0, true));
  AT_DISPATCH_SWITCH(t.scalar_type(), "hint", AT_DISPATCH_CASE(at::kFloat, [&] {
    AT_DISPATCH_SWITCH(u.scalar_type(), "fp8", DISPATCH_FP8_CASE(at::kByte, [&] { hint<scalar_t, fp8_t><<<2, 64>>>(order.data_ptr<scalar_t>(), u.data_ptr<fp8_t>()); }));
  }));
}

// A dispatch macro of another project, behind a header that is not there.
// CHECK-DAG: note: template elsewhere<T> is not instantiated in this file; analysed as elsewhere<float> (assumed)
template <typename T> __global__ void elsewhere(T *p) { p[threadIdx.x] = 1; }
void unknown_names(at::Tensor t) {
  not_in_the_stand_in(t);
  OWN_DISPATCH(t.scalar_type(), [&] { elsewhere<scalar_t><<<1, 32>>>(t.data_ptr<scalar_t>()); });
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
