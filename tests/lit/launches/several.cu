// A loop of launches is as many launches as differ; a repetition is one.
// RUN: %lint %s 2>&1 | FileCheck %s
// CHECK-NOT: {{warning|error}}:
#include <cuda_runtime.h>

__global__ void halve(float *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i + n];
}

int main() {
  float *data;
  cudaMalloc(&data, 4096 * sizeof(float));
// CHECK: halve  grid=(8) block=(256) n=2048
// CHECK-NEXT: launch: host code at {{.*}}:[[#@LINE+6]]:
// CHECK: halve  grid=(4) block=(256) n=1024
// CHECK: halve  grid=(2) block=(256) n=512
// CHECK: halve  grid=(1) block=(256) n=256
// CHECK-NOT: halve  grid=
  for (int n = 2048; n >= 256; n /= 2)
    halve<<<n / 256, 256>>>(data, n);
  for (int repeat = 0; repeat < 100; ++repeat)
    halve<<<8, 256>>>(data, 2048);
// CHECK: 1 kernel, 4 launches
}
