// What a typedef adds to the alignment of a structure holds for the structure as a whole, and where it is a member of another; not for what is reached through a pointer to it.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

typedef struct { float re, im; } Named __attribute__((aligned(8)));
typedef struct { float re, im; } __attribute__((aligned(8))) Itself;
struct Pairs { Named pairs[3]; int count; };

// smem-lint: launch block=32 grid=1
__global__ void named(Named *__restrict__ out, const Named *__restrict__ in) {
  const Named whole = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 64 {{ *}}1 {{ *}}8 {{.*}}exact
  out[threadIdx.x].re = whole.im;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}store 32 {{ *}}1 {{ *}}8 {{.*}}exact
  (out + threadIdx.x)->im = whole.re;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}store 32 {{ *}}1 {{ *}}8 {{.*}}exact
}

// smem-lint: launch block=32 grid=1
__global__ void itself(Itself *__restrict__ out, const Itself *__restrict__ in) {
  const Itself whole = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 64 {{ *}}1 {{ *}}8 {{.*}}exact
  out[threadIdx.x].re = whole.im;
  out[threadIdx.x].im = whole.re;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}store 64 {{ *}}1 {{ *}}8 {{.*}}exact
}

// smem-lint: launch block=32 grid=1
__global__ void members(Pairs *__restrict__ out, const Pairs *__restrict__ in) {
  out[threadIdx.x].pairs[1].re = in[threadIdx.x].pairs[1].im;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 64 {{ *}}1 {{ *}}32 {{.*}}exact
  out[threadIdx.x].pairs[1].im = in[threadIdx.x].pairs[1].re;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}store 64 {{ *}}1 {{ *}}32 {{.*}}exact
}
