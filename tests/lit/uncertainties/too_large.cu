// A function that has grown to tens of thousands of instructions is not unrolled further, whatever nvcc does, and what it accesses is assumed.
// RUN: %lint --fail-on=never %s -- -DLENGTH=4 | FileCheck --check-prefix=SMALL %s
// RUN: %lint --fail-on=never %s -- -DLENGTH=16 | FileCheck %s
// SMALL: 4 exact, 0 assumed
// CHECK: 0 exact, 4 assumed

__device__ inline unsigned mix(unsigned x, unsigned n) {
#pragma unroll
  for (unsigned i = 0; i < 32; ++i)
#pragma unroll
    for (unsigned j = 0; j < LENGTH; ++j) {
      x = (x ^ (x >> (j % 7 + 3))) * (2654435761u + 2 * (i * j + n));
      x = (x << (i % 11 + 3)) + (x >> 9) * (j + 40503u);
    }
  return x;
}

__global__ void mixes(const unsigned *in, unsigned *out) {
  __shared__ unsigned s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  unsigned x = s[31 - threadIdx.x];
  x = mix(mix(mix(mix(mix(mix(mix(mix(x, 0), 1), 2), 3), 4), 5), 6), 7);
  x = mix(mix(mix(mix(mix(mix(mix(mix(x, 0), 1), 2), 3), 4), 5), 6), 7);
  out[threadIdx.x] = x;
}

int main() { mixes<<<1, 32>>>(nullptr, nullptr); }
