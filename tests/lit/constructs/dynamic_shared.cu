// Several arrays out of one dynamic pool: offsets decide about banks, sizes come from the launch.
// RUN: not %lint %s | FileCheck %s
__global__ void pool(float *out, int pitch) {
  extern __shared__ __align__(16) unsigned char memory[];
  float *tile = reinterpret_cast<float *>(memory);
  float *line = tile + 32 * pitch;
  for (int r = 0; r < 32; ++r) tile[r * pitch + threadIdx.x] = r;
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = line[31 - threadIdx.x];
#pragma unroll 1
  for (int r = 0; r < 32; ++r)
    sum += tile[threadIdx.x * pitch + r];
// CHECK: dynamic_shared.cu:[[#@LINE-1]]:12: warning: 32-way bank conflict: load of tile[threadIdx.x * pitch + r]{{.*}} [smem-bank-conflict]
  out[threadIdx.x] = sum;
}
void run(float *out) {
  pool<<<1, 32, (32 * 32 + 32) * sizeof(float)>>>(out, 32);
  pool<<<1, 32, (32 * 33 + 32) * sizeof(float)>>>(out, 33);
}
// CHECK-NOT: warning:
// CHECK: pool  grid=(1) block=(32) shared=4,224 B (4,224 dynamic) pitch=32
// CHECK: 13:12  tile[threadIdx.x * pitch + r] {{ *}}load 32 {{ *}}32 {{ *}}1,024 {{ *}}32 {{ *}}32-way  exact
// CHECK: pool  grid=(1) block=(32) shared=4,352 B (4,352 dynamic) pitch=33
// CHECK: 13:12  tile[threadIdx.x * pitch + r] {{ *}}load 32 {{ *}}32 {{ *}}32 {{ *}}32 {{ *}}-  exact
