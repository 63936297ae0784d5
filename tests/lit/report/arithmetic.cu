// Arithmetic that floors count: of code with a load or store of its own, as far as nvcc cannot do without it.
// RUN: %lint-short %s --format=json --checks='-*' --kernel=fused > %t.json
// RUN: FileCheck %s --check-prefix=FUSED --input-file=%t.json
// RUN: %lint-short %s --format=json --checks='-*' --kernel=doubles > %t.doubles
// RUN: FileCheck %s --check-prefix=DOUBLES --input-file=%t.doubles
// RUN: %lint-short %s --format=json --checks='-*' --kernel=chosen > %t.chosen
// RUN: FileCheck %s --check-prefix=CHOSEN --input-file=%t.chosen
// RUN: %lint-short %s --verbose --checks='-*' --kernel=fused | FileCheck %s --check-prefix=TEXT

// A product and a sum are one instruction; a sum of two products is two, of which one is certain.
// smem-lint: launch block=64 grid=132
__global__ void fused(float *out, const float *in) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float a = in[i], b = in[i + 10000];
  out[i] = (a * b + 3.0f) * (a + b);
}
// 264 warps: a sum that takes its product along, a sum, a product.
// FUSED: "arithmetic": {
// FUSED-NEXT: "fp32": 792,
// FUSED-NEXT: "fp64": 0,
// FUSED-NEXT: "special": 0
// TEXT: counted: reads 67,584 bytes of in, >={{[0-9,]+}} distinct ones (of a block >=512); FP32: >=792 instructions of warps; 0.25 operations for each different byte of global memory

// smem-lint: launch block=64 grid=132
__global__ void doubles(double *out, const double *in) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float root = sqrtf((float)in[i]);
  out[i] = in[i] * in[i + 10000] + (double)(1.0f / (root + 1.0f));
}
// DOUBLES: "fp32": 264,
// DOUBLES-NEXT: "fp64": 264,
// DOUBLES-NEXT: "special": 528

// What only a choice needs may be in a branch that few warps take; halves and integers are not counted.
// smem-lint: launch block=64 grid=132
__global__ void chosen(float *out, const float *in) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float a = in[i];
  out[i] = a > 0 ? a * 3.0f : a;
}
// CHOSEN: "fp32": 0,

// A loop without loads and stores runs as often as it says; one that data end may not run at all.
// RUN: %lint-short %s --format=json --checks='-*' --kernel=sums > %t.sums
// RUN: FileCheck %s --check-prefix=SUMS --input-file=%t.sums
// RUN: %lint-short %s --format=json --checks='-*' --kernel=sums_of_data > %t.data
// RUN: FileCheck %s --check-prefix=DATA --input-file=%t.data
// smem-lint: launch block=64 grid=132 n=1000
__global__ void sums(float *out, float x, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * x + 1.0f;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
// SUMS: "fp32": 264000,

// smem-lint: launch block=64 grid=132
__global__ void sums_of_data(float *out, float x, const int *n) {
  float sum = 0;
  for (int i = 0; i < *n; ++i)
    sum = sum * x + 1.0f;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
// DATA: "fp32": 0,
