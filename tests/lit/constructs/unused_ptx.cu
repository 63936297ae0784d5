// What inline PTX computes and nothing uses ptxas drops, `asm volatile` or not; volatile accesses stay. Machine code, CUDA 13.0, sm_90: LDSM at `used`,
// LDS at `kept`, no other access to shared memory.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

__device__ __forceinline__ unsigned shared(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// smem-lint: launch block=(32) grid=(1)
__global__ void unused(unsigned *out) {
  __shared__ __align__(128) unsigned s[256];
  const unsigned t = threadIdx.x, base = shared(s);
  unsigned used, never, factor, product, more, kept;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(used) : "r"(base + t % 8 * 16));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(never) : "r"(base + t % 8 * 32) : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(factor) : "r"(base + t % 8 * 64));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%2}, {%2, %3};" : "=r"(product), "=r"(more) : "r"(factor), "r"(used));
  asm volatile("{ .reg .u32 a; ld.shared.u32 a, [%1]; add.u32 %0, a, 1; }" : "=r"(never) : "r"(base + t * 4));
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(kept) : "r"(base + t * 8));
  out[t] = used;
}
// CHECK: {{^ +}}shared memory
// CHECK-NEXT: 13:3 {{.*}}ldmatrix x1 {{.*}}exact
// CHECK-NEXT: 18:3 {{.*}}load 32 {{.*}}exact
// CHECK-NEXT: total
