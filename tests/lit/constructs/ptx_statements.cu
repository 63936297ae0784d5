// Statements of several instructions: guards, registers of their own, constants in addresses, atomics; and what is only named.
// RUN: not %lint %s | FileCheck %s
#include <cuda_runtime.h>

__device__ __forceinline__ unsigned shared(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// smem-lint: launch block=(64) grid=(1) n=40
__global__ void statements(int *out, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  int guarded = 0, computed, old;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, %3; @p ld.shared.b32 %0, [%1+4]; }" : "+r"(guarded) : "r"(shared(s) + t * 8), "r"(t), "r"(n));
  asm volatile("{ .reg .u64 g; .reg .u32 a, b; cvta.to.shared.u64 g, %1; cvt.u32.u64 a, g; mov.u32 b, %%laneid; shl.b32 b, b, 7; add.u32 a, a, b; ld.shared.b32 %0, [a]; }" : "=r"(computed) : "l"(s));
  asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(shared(s) + t % 8 * 128) : "memory");
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(out + 1000 + t), "r"(t));
  asm volatile("st.bulk.weak.shared::cta [%0], 16, 0;" ::"r"(shared(s)) : "memory");
  asm volatile("barrier.sync 0;");
  out[t] = guarded + computed + old;
}
// CHECK: 12:3 {{.*}}load 32 {{ *}}2 {{ *}}3 {{ *}}2 {{ *}}2-way  exact
// CHECK: 13:3 {{.*}}load 32 {{ *}}2 {{ *}}64 {{ *}}2 {{ *}}32-way  exact
// CHECK: 14:3  red.shared.add.u32 {{.*}}atomic 32 {{ *}}2 {{ *}}16 {{ *}}2 {{ *}}8-way  exact
// CHECK: 16:3  st.bulk{{.*}}? {{ *}}unknown (1)
// CHECK: 15:3  atom.global.add.u32 {{.*}}atomic 32 {{ *}}2 {{ *}}8 {{ *}}8 {{ *}}4 {{.*}}exact
// CHECK: (1) unknown: the PTX instruction st.bulk.weak.shared::cta
