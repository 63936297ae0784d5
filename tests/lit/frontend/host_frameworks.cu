// Headers of host frameworks that are not installed: kernels that do not need them are analysed, and the report says what was missing.
// RUN: %lint %s 2>&1 | FileCheck %s
// RUN: not %lint %s -- -DBROKEN 2>&1 | FileCheck --check-prefix=BROKEN %s
#include <cuda_runtime.h>
#include <opencv2/core.hpp>
#include <torch/extension.h>
// CHECK-DAG: :[[#@LINE-2]]:1: warning: <opencv2/core.hpp> is not installed; kernels are analysed without it
// CHECK-DAG: :[[#@LINE-2]]:1: note: <torch/extension.h> is not installed; host code is followed by a stand-in for it

template <int N> __global__ void scale(float *out) { out[threadIdx.x] *= N; }
__global__ void from_image(float *out) { out[threadIdx.x] = 1; }

// CHECK: {{^}}scale<2>  grid=({{.*}}) block=(64)
// CHECK: assumed: x.numel() = 1024 (the result of 'numel' (line 17)): grid=(16,1,1) follows from the host code
void run(torch::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "on the GPU");
  scale<2><<<x.numel() / 64, 64>>>(x.data_ptr<float>());
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }

// CHECK: {{^}}from_image  grid=(4) block=(96)
void use(float *out) {
  cv::Mat image = cv::imread("picture.png");
  from_image<<<4, 96>>>(out);
}

#ifdef BROKEN
// BROKEN: :[[#@LINE+1]]:{{.*}}: error: kernel 'needs_it' needs a header that is not installed: {{.*}}'cv'
__global__ void needs_it(float *out) { out[cv::kOffset] = 1; }
cv::Table table;
// BROKEN: :[[#@LINE+1]]:{{.*}}: error: kernel 'reads_table' needs a header that is not installed: it uses a declaration with errors
__global__ void reads_table(float *out) { out[threadIdx.x] = table.rows; }
// BROKEN: {{^}}from_image  grid=(4) block=(96)
#endif
