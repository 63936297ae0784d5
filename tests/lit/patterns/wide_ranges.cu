// A quantity whose bounds are further apart than 63 bits tell is none of a few values: its values took all memory.
// RUN: %lint --fail-on=never --max-memory=700 %s | FileCheck %s
#include <cuda_runtime.h>

// CHECK-LABEL: {{^}}remainders
// CHECK: kept[t * 8 + m]
// CHECK: in[block * 32 + min(t * 31, 63)]
// CHECK: memory instructions:
__global__ void remainders(const unsigned char *in, float *out) {
  __shared__ unsigned char kept[2048];
  const int t = threadIdx.x, warp = t / 32;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x, i = block * blockDim.x + t;
  if (block > 4 || t % 7 != 0)
    kept[(t + warp) % 16] = in[blockIdx.z * 32 + (i + warp) % 16];
  else
    kept[warp + (warp >> 5)] = in[block * 32 + min(t * 31, 63)];
  float sum = 0;
  for (int m = 0; m < 3; ++m)
    sum += kept[t * 8 + m];
  out[i] = sum;
}
