// An index that depends on data, in an array where each lane keeps to a bank of its own: no data matter. Negatives beside it.
// RUN: %lint %s --checks='-*' | FileCheck %s

// smem-lint: launch block=(128) grid=(4)
__global__ void private_counters(const unsigned char *data, unsigned *out) {
  __shared__ unsigned own[64][32], halved[64][16];
  const int lane = threadIdx.x % 32;
  const unsigned byte = data[blockIdx.x * 128 + threadIdx.x] & 63;
  atomicAdd(&own[byte][lane], byte);
// CHECK: [[#@LINE-1]]:3 {{.*}}atomic 32 {{ *}}16 {{ *}}16 {{ *}}16 {{ *}}-  exact
  atomicMax(&halved[byte][lane % 16], byte);
// CHECK: [[#@LINE-1]]:3 {{.*}}atomic 32 {{ *}}? {{.*}}unknown
  __syncthreads();
  out[threadIdx.x] = own[0][lane] + halved[0][lane % 16];
}
// CHECK: depends on data
// CHECK-NEXT: atomicMax(&halved[byte][lane % 16], byte)  atomic 32  0 to 63
// CHECK: memory instructions: {{[0-9]+}} exact, 0 assumed, 1 unknown
