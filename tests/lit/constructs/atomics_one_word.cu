// One word for the whole warp, as far as the compiler can prove: one lane acts for all. Behind a branch that divides the warp
// that was seen either way, so it is an assumption; an exchange is never combined.
// RUN: not %lint %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(64) grid=(1) n=3
__global__ void one_word(int *out, int n) {
  __shared__ int words[64];
  const int t = threadIdx.x;
  words[t] = 0;
  __syncthreads();
  atomicAdd(&words[n], t);
  atomicMax(&words[7], t);
  out[t] = atomicSub(&words[blockIdx.x], 1);
  atomicExch(&words[5], t);
  if (t % 2) atomicAdd(&words[n], t);
  atomicAdd(&words[t / 32], t);
}
// CHECK: 12:3  atomicAdd(&words[n], t) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  assumed
// CHECK: 13:3  atomicMax(&words[7], t) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  exact
// CHECK: 14:12  atomicSub(&words[blockIdx.x], 1) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  assumed
// CHECK: 15:3  atomicExch(&words[5], t) {{ *}}atomic 32 {{ *}}2 {{ *}}64 {{ *}}2 {{ *}}32 lanes  exact
// CHECK: 16:14  atomicAdd(&words[n], t) {{ *}}atomic 32 {{ *}}2 {{ *}}32 {{ *}}2 {{ *}}16 lanes  assumed
// CHECK: 17:3  atomicAdd(&words[t / 32], t) {{ *}}atomic 32 {{ *}}2 {{ *}}64 {{ *}}2 {{ *}}32 lanes  assumed
