// Values that host code refuses are not assumed.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <stdexcept>

__global__ void quantize(float *out, const float *in, const float *most, int n, int is_vector) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] / most[i * is_vector];
}
__global__ void exact(float *out, int n) { out[threadIdx.x * n] = 0; }
__global__ void early(float *out, int n) { out[threadIdx.x * n] = 0; }
__global__ void chosen(float *out, int n) { out[threadIdx.x * n] = 0; }
__global__ void both(float *out, int a, int b) { out[threadIdx.x * a + b] = 0; }
__global__ void refused(float *out, int n) { out[threadIdx.x * n] = 0; }

// CHECK: {{^}}quantize  grid=(4) block=(256) n=1024 is_vector={{[01]$}}
void check(float *out, const float *in, const float *most, int n, int is_vector) {
  if (is_vector != 0 && is_vector != 1) {
    std::printf("bad\n");
    std::exit(-1);
  }
  quantize<<<(n + 255) / 256, 256>>>(out, in, most, n, is_vector);
}
// CHECK: {{^}}exact  grid=(1) block=(32) n=48
void check_exact(float *out, int n) {
  if (n != 48) throw std::runtime_error("only 48");
  exact<<<1, 32>>>(out, n);
}
// CHECK: {{^}}early  grid=(1) block=(32) n={{1|32|64|63|16$}}
void check_early(float *out, int n) {
  if (n > 64) return;
  early<<<1, 32>>>(out, n);
}
// CHECK: {{^}}chosen  grid=(1) block=(64) n=3
void check_switch(float *out, int n) {
  switch (n) {
  case 3: chosen<<<1, 64>>>(out, n); break;
  default: throw std::runtime_error("not here");
  }
}
// CHECK: {{^}}both  grid=(1) block=(32) a=96 b=5
void check_both(float *out, int a, int b) {
  if (a != 96) return;
  if (b != 5) return;
  both<<<1, 32>>>(out, a, b);
}
// No value leads here: what is assumed says so.
// CHECK: {{^}}refused  grid=(1) block=(32)
// CHECK: assumed: no values were found under which host code comes to this launch
void check_refused(float *out, int n) {
  if (n >= 0 || n < 0)
    std::printf("not here\n");
  else
    refused<<<1, 32>>>(out, n);
}
