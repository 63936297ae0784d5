// An access in a device function is listed at its own line, with the calls that lead there.
// RUN: not %lint %s --verbose | FileCheck %s
struct Matrix {
  float *data;
  int pitch;
  __device__ float get(int row, int column) const {
    return data[row * pitch + column];
// CHECK: inlined.cu:[[#@LINE-1]]:12: warning: 32-way bank conflict: load of data[row * pitch + column] takes 32 wavefronts instead of 1 [smem-bank-conflict]
// CHECK: kernel: turn
// CHECK-NEXT: inlined: into turn at {{.*}}inlined.cu:21:
// CHECK-NEXT: address: {{.*}}128*threadIdx.x
  }
};

// smem-lint: launch block=(32) grid=(1)
__global__ void turn(float *out) {
  __shared__ float memory[32 * 32];
  const Matrix tile{memory, 32};
  memory[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile.get(threadIdx.x, 0);
}
// CHECK-NOT: [smem-bank-conflict]
// CHECK: 7:12  data[row * pitch + column]  load 32 {{ *}}1 {{ *}}32 {{ *}}1 {{ *}}32-way  exact
