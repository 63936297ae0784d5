// A directive as the text of a macro, with what follows its name as an argument; and a launch with parted brackets as the argument of one.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not='in part only'
#define UNROLL #pragma unroll
#define CALL(id, ...) __VA_ARGS__; (void)id
// CHECK-LABEL: {{^}}summed
// CHECK: [[#@LINE+10]]:{{.*}} load 128 2 {{.*}} exact
// CHECK: [[#@LINE+12]]:{{.*}} load 32 8 {{.*}} exact
__global__ void summed(float *o, const float *p) {
  __shared__ __align__(16) float tile[256];
  float s = 0;
  for (int i = threadIdx.x; i < 256; i += 32)
    tile[i] = p[i];
  __syncwarp();
  UNROLL
  for (int i = 0; i < 8; ++i)
    s += tile[8 * threadIdx.x + i];
  UNROLL 1 // of eight, so that nothing is merged
  for (int i = 0; i < 8; ++i)
    s += tile[8 * (threadIdx.x ^ 1) + i];
  o[threadIdx.x] = s;
}
int main() {
  float *o, *p;
  cudaMalloc(&o, 4096);
  cudaMalloc(&p, 4096);
  CALL(0, summed << <1, 32 >> >(o, p));
}
