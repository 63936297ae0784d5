// Indices that a condition selects are computed before the access, however nvcc branches; and in a loop with a barrier no lane begins with an iteration of its own.
// The figures are those of nvcc's machine code.
// RUN: %lint --fail-on=never --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// CHECK-LABEL: {{^}}clamped
// CHECK: now[left] {{ *}}load 32 {{ *}}24 {{ *}}24 {{.*}}exact
// CHECK: now[right] {{ *}}load 32 {{ *}}24 {{ *}}24 {{.*}}exact
// CHECK: next[t] {{ *}}store 32 {{ *}}24 {{ *}}24 {{.*}}exact
// CHECK-NOT: assumed (
__global__ void clamped(const int *in, int *out, int steps, int first, int last) {
  __shared__ int now[128], next[128];
  const int t = threadIdx.x, low = first < 0 ? -first : 0, high = last > 127 ? 127 - (last - 127) : last;
  int left = t - 1, right = t + 1;
  left = (left < low) ? low : left;
  right = (right > high) ? high : right;
  now[t] = in[t];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < steps; i++) {
    if (t >= i + 1 && t <= 126 - i)
      sum += now[left] + now[right];
    next[t] = sum;
    __syncthreads();
  }
  out[t] = sum + next[right];
}

// Of pointers nvcc may load on both sides.
// CHECK-LABEL: {{^}}selected_pointers
// CHECK: from[threadIdx.x * 2] {{ *}}load 32 {{.*}}assumed
__global__ void selected_pointers(const float *a, float *out, int n) {
  const float *from = threadIdx.x < n ? a : a + 256;
  out[threadIdx.x] = from[threadIdx.x * 2];
}

// A loop may become two, one for the lanes whose place stays the same in it.
// CHECK-LABEL: {{^}}staying_or_moving
// CHECK: k * pitch + t{{.*}}store 32 {{.*}}assumed
__global__ void staying_or_moving(float *out, int pitch) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const float value = out[t + 2048];
  for (int k = 0; k < 16; ++k)
    out[t / 32 < 7 ? t : k * pitch + t] = value;
}

int main() {
  int *i, *j;
  float *x, *y;
  cudaMalloc(&i, 1 << 20);
  cudaMalloc(&j, 1 << 20);
  cudaMalloc(&x, 1 << 20);
  cudaMalloc(&y, 1 << 20);
  clamped<<<1, 128>>>(i, j, 6, -1, 128);
  selected_pointers<<<1, 64>>>(x, y, 20);
  staying_or_moving<<<1, dim3(64, 4)>>>(x, 33);
}
