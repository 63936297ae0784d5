// nvcc's headers bring along parts of the C++ library that this file does not include.
// RUN: %lint --fail-on=never --cuda-path=none %s | FileCheck %s
#include <cuda_runtime.h>

template <class Function, class... Arguments>
void repeat(Function function, Arguments &&...arguments) {
  for (int i = 0; i < 2; ++i) function(std::forward<Arguments>(arguments)...);
}

__global__ void kernel(float *out) { out[threadIdx.x] = 1; }
// CHECK: [[#@LINE-1]]:{{[0-9]+}} out[threadIdx.x] {{ *}}store 32 {{.*}}exact

int main() {
  float *out;
  cudaMalloc(&out, 1024);
  repeat([&](int) { kernel<<<1, 64>>>(out); }, 1);
}
