// A structure with padding in it is loaded field by field where its fields are used, and neighbours together. Bits that are not used are loaded
// all the same where that shows only far from there.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct Body {
  float x, y, z, mass, spin;
  double energy;
  bool asleep;
};

// smem-lint: launch block=(32) grid=(1)
__global__ void some(const Body *in, float *out) {
  const Body b = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 64 {{ *}}2 {{.*}}exact
  out[threadIdx.x] = b.x + b.y + static_cast<float>(b.energy);
}

// smem-lint: launch block=(32) grid=(1)
__global__ void flag(const Body *in, float *out) {
  const Body b = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 32 {{ *}}1 {{.*}}assumed
  out[threadIdx.x] = b.asleep ? 0.0f : b.spin;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void handed_on(const Body *__restrict__ in, bool *asleep, float *spin) {
  const Body b = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 16 {{ *}}1 {{.*}}assumed
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 32 {{ *}}1 {{.*}}assumed
  asleep[threadIdx.x] = b.asleep;
  spin[threadIdx.x] = b.spin;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void bits(const unsigned char *in, unsigned *out) {
  const unsigned char *from = in + 8 * threadIdx.x;
  unsigned long long all = 0;
  for (int k = 0; k < 8; ++k)
    all |= static_cast<unsigned long long>(from[k]) << (8 * k);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 8 {{ *}}7 {{.*}}assumed
  out[threadIdx.x] = static_cast<unsigned>(all >> 17);
}

// smem-lint: launch block=(32) grid=(1) pitch=64
__global__ void masked_step(float *out, int pitch, float a) {
  const int row = threadIdx.x / 8, column = (threadIdx.x & 7) * 4;
  *reinterpret_cast<float4 *>(out + row * pitch + pitch + column) = make_float4(a, a + 1, a + 2, a + 3);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}store 128 {{ *}}1 {{.*}}assumed
}
