// An access in a device function is listed at its own line, once for each place that it is inlined into.
// RUN: not %lint %s --verbose | FileCheck %s
struct Matrix {
  float *data;
  int pitch;
  __device__ float &at(int row, int column) const {
    return data[row * pitch + column];
  }
};

// smem-lint: launch block=(32) grid=(1)
__global__ void turn(float *out) {
  __shared__ float memory[32 * 32];
  const Matrix tile{memory, 32};
  for (int r = 0; r < 32; ++r)
    tile.at(r, threadIdx.x) = r;
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < 32; ++r)
    sum += tile.at(threadIdx.x, r);
  out[threadIdx.x] = sum;
}
// CHECK: inlined.cu:{{7|20}}:{{[0-9]+}}: warning: {{[0-9]+}}-way bank conflict: load of {{.*}} [smem-bank-conflict]
// CHECK: inlined: into {{.*}} at {{.*}}inlined.cu:20:17
// CHECK-NOT: [smem-bank-conflict]
