// One word for the whole warp, as far as the compiler can prove: one lane acts for all that come there. An exchange is never combined.
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
  int chosen;
  if (n > 3) {
    chosen = out[100];
    out[200 + t] = 1;
  } else {
    chosen = n;
  }
  atomicOr(&words[chosen], t);
}
// CHECK: 11:3  atomicAdd(&words[n], t) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  assumed
// CHECK: 12:3  atomicMax(&words[7], t) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  exact
// CHECK: 13:12  atomicSub(&words[blockIdx.x], 1) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  assumed
// CHECK: 14:3  atomicExch(&words[5], t) {{ *}}atomic 32 {{ *}}2 {{ *}}64 {{ *}}2 {{ *}}32 lanes  exact
// CHECK: 15:14  atomicAdd(&words[n], t) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  assumed
// CHECK: 16:3  atomicAdd(&words[t / 32], t) {{ *}}atomic 32 {{ *}}2 {{ *}}64 {{ *}}2 {{ *}}32 lanes  assumed
// CHECK: 24:3  atomicOr(&words[chosen], t) {{ *}}atomic 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  assumed
