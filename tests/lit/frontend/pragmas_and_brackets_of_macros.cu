// A directive as the text of a macro, with what follows its name as an argument; and a launch with parted brackets as the argument of one.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not='in part only'
#define UNROLL #pragma unroll
#define CALL(id, ...) __VA_ARGS__; (void)id
// CHECK-LABEL: {{^}}summed
// CHECK: p[i * 32] load 32 8 {{.*}} assumed
// CHECK: p[i * 33] load 32 8 {{.*}} assumed
__global__ void summed(float *o, const float *p) {
  float s = 0;
  UNROLL
  for (int i = 0; i < 8; ++i)
    s += p[i * 32];
  UNROLL 4 // of eight
  for (int i = 0; i < 8; ++i)
    s += p[i * 33];
  o[threadIdx.x] = s;
}
int main() {
  float *o, *p;
  cudaMalloc(&o, 4096);
  cudaMalloc(&p, 4096);
  CALL(0, summed << <1, 32 >> >(o, p));
}
