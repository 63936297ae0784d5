// A default argument with the name of a parameter: nvcc takes it for what is declared around the function.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not='left out' %s
// What nvcc refuses is refused.
// RUN: not %lint %s -- -DREFUSED 2>&1 | FileCheck --check-prefix=REFUSED %s
// REFUSED: warning: {{.*}}default argument references parameter 'first'
#include <cuda_runtime.h>

constexpr int width = 2;

__device__ int scaled(int at, int width = width) { return at * width; }

template <int N> struct alignas((N < 8) ? 8 : 16) Rows {
  static const int n = N / 32;
  enum { last = N / 16 };
  static __device__ int step(int at, int n = n, int also = n) { return at * n * also / n; }
  static __device__ int end(int at, int last = last) { return at * last; }
  static __device__ int later(int at, int behind = behind) { return at * behind; }
#ifdef REFUSED
  static __device__ int none(int first, int second = first) { return first + second; }
#endif
  __device__ int all(int at) {
#ifdef REFUSED
    at += none(at);
#endif
    return step(at) + end(at) + later(at);
  }
  static const int behind = N / 8;
};

// CHECK-LABEL: {{^}}defaults
// CHECK: out[scaled(threadIdx.x)] {{ *}}store 32 {{ *}}1 {{ *}}8 {{ *}}4 {{.*}}exact
// CHECK: out[1024 + Rows<64>::step(threadIdx.x)] {{ *}}store 32 {{ *}}1 {{ *}}8 {{ *}}4 {{.*}}exact
// CHECK: out[2048 + rows.all(threadIdx.x)] {{ *}}store 32 {{ *}}1 {{ *}}32 {{ *}}4 {{.*}}exact
__global__ void defaults(float *out) {
  Rows<64> rows;
  out[scaled(threadIdx.x)] = 1;
  out[1024 + Rows<64>::step(threadIdx.x)] = 1;
  out[2048 + rows.all(threadIdx.x)] = 1;
}

int main() {
  float *out;
  cudaMalloc(&out, 1 << 20);
  defaults<<<1, 32>>>(out);
}
