// What one array costs in several places is told for all of them together, and what is wrong comes before what costs more.
// RUN: not %lint-short %s 2>&1 | FileCheck %s

// 4 rounds of 8 warps: each of the three statements takes 16 wavefronts instead of one to load, the second as many to store.
// smem-lint: launch block=256 grid=132
__global__ void columns(float *out, const float *in) {
  __shared__ float rows[256][16];
  const int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < 16; ++k)
    rows[k * 16 + threadIdx.x / 16][threadIdx.x % 16] = in[i + k * 33792];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    sum += rows[threadIdx.x][3 * k];
    rows[threadIdx.x][3 * k + 1] += 1;
    sum *= rows[threadIdx.x][3 * k + 2];
  }
  out[i] = sum;
}
// smem-lint: launch block=256 grid=132
__global__ void shifted(float *out) {
  __shared__ float row[257];
  row[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * 256 + threadIdx.x] = row[threadIdx.x + 1];
}
// CHECK: together.cu:[[@LINE-2]]:{{[0-9]+}}: warning: race: thread
// CHECK: together.cu:[[@LINE-13]]:{{[0-9]+}}: warning: 16-way bank conflict
// CHECK-NEXT: cost: together 270,336 wavefronts where 16,896 are enough (16x) in 16,896 requests; {{[0-9]+}}% of all wavefronts of columns; {{[0-9]+}}% avoidable here; exact; 3 places: also in lines {{[0-9, ]+}}{{$}}
