// A member template of a dependent object, without the keyword `template`: what nvcc can read as comparisons it accepts, and finds the template where it is instantiated.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not='left out' %s
#include <cuda_runtime.h>

template <int Size> struct Tile {
  float *values;
  template <int Step> static __device__ int next(int offset) { return offset + Step; }
  template <int Row> __device__ void put(int offset, float value) { values[offset + Row * Size] = value; }
  template <int Row> __device__ void put(int offset, int skipped, float value) { values[offset + skipped + Row * Size] = value; }
  template <int Row> __device__ float get(int offset) { return values[offset + Row]; }
};

#define BOTH(tile, value) tile.put<0>(0, value), tile.put<1>(0, value)

template <class T> __device__ void fill(T &tile, T *same, int at) {
  tile.put<2>(at * 32, 1.0f);
  same->put<1>(at, 2, 1.0f);
}
// CHECK-LABEL: {{^}}overloaded
// CHECK: 8:{{[0-9]+}} {{ *}}values[offset + Row * Size] {{ *}}store 32 {{ *}}1 {{ *}}32 {{ *}}1 {{ *}}32-way {{ *}}exact
// CHECK: 9:{{[0-9]+}} {{ *}}values[offset + skipped + Row * Size] {{ *}}store 32 {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}- {{ *}}exact
template <int Size> __global__ void overloaded() {
  __shared__ float values[2048];
  Tile<Size> tile{values};
  fill(tile, &tile, threadIdx.x);
}

// CHECK-LABEL: {{^}}only_one
template <class T> __global__ void only_one(float *out) {
  __shared__ float values[1024];
  T tile{values};
  BOTH(tile, 3.0f);
  __syncthreads();
  // CHECK: 10:{{[0-9]+}} {{ *}}values[offset + Row] {{ *}}load 32 {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}- {{ *}}exact
  // CHECK: [[#@LINE+1]]:{{[0-9]+}} {{ *}}out[T::{{.*}}next<4>(threadIdx.x)] {{ *}}store 32 {{ *}}1 {{ *}}5 {{ *}}4 {{.*}}exact
  out[T::next<4>(threadIdx.x)] = tile.get<4>(threadIdx.x);
}

int main() {
  float *out;
  cudaMalloc(&out, 4096);
  overloaded<32><<<1, 32>>>();
  only_one<Tile<8>><<<1, 32>>>(out);
}
