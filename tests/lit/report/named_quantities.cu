// Quantities are said as the source has them: remainders, bits, extremes, narrow arguments.
// RUN: %lint %s --fail-on=never --format=json --launch 'block=64 grid=4' -o %t.json
// RUN: FileCheck %s --input-file=%t.json
#define KERNEL(name, type, stride)                                                                                     \
  __global__ void name(float *out, type k, int m) {                                                                    \
    __shared__ float tile[64 * 64];                                                                                    \
    tile[threadIdx.x * (stride)] = out[threadIdx.x];                                                                   \
    __syncthreads();                                                                                                   \
    out[threadIdx.x] = tile[threadIdx.x];                                                                              \
  }

// CHECK: "kernel": "bits"
// CHECK: "when": "{{.*}}(k & 3) == 2"
KERNEL(bits, int, k & 3)
// CHECK: "kernel": "rest"
// CHECK: "when": "{{.*}}(k % 7)
KERNEL(rest, unsigned, k % 7)
// CHECK: "kernel": "smaller"
// CHECK: "when": "{{.*}}min(k, m)
KERNEL(smaller, int, k < m ? k : m)
// CHECK: "kernel": "narrow"
// CHECK: "when": "{{.*}}k % 32 == 0
KERNEL(narrow, unsigned short, k)
