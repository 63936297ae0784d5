// Hopper's own instructions: what the counters show of bulk copies, wgmma and other blocks' shared memory, and what cannot be told.
// RUN: %lint --fail-on=never %s | FileCheck %s
// RUN: %lint --fail-on=never --arch sm_100 %s | FileCheck --check-prefix=BLACKWELL %s
// RUN: %lint --fail-on=never --arch sm_80 %s | FileCheck --check-prefix=AMPERE %s
#include <cstdint>
#include <cuda_runtime.h>

__device__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ unsigned in_block(unsigned local, unsigned rank) {
  unsigned remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(local), "r"(rank));
  return remote;
}
__device__ unsigned own_rank() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// A tile by the copy engine, waited for in a loop of unknown length. The index that it brings is not known.
__global__ void copy(const int *in, float *out) {
  __shared__ __align__(128) int tile[1024];
  __shared__ uint64_t barrier;
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  unsigned leads = 0;
  if (threadIdx.x < 32)
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(leads));
  if (leads) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(tile)), "l"(in), "r"(4096),
                 "r"(shared_address(&barrier)) : "memory");
  }
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(shared_address(&barrier)));
  out[tile[threadIdx.x]] = 1;
}
// CHECK-LABEL: {{^}}copy
// CHECK: {{^ *}}[[#@LINE-8]]:{{.*}}cp.async.bulk{{.*}}bulk copy {{ *}}1 {{ *}}0 {{ *}}0 {{ *}}-  exact (1)
// CHECK: out[tile[threadIdx.x]]{{.*}}unknown (2)
// CHECK: (1) an engine of its own copies, which no counter sees: 0 is what they read, not what the copy costs
// BLACKWELL-LABEL: {{^}}copy
// BLACKWELL: tile[threadIdx.x]{{.*}}store 32 {{.*}} assumed (1)
// BLACKWELL: cp.async.bulk{{.*}}bulk copy {{ *}}1 {{ *}}0 {{ *}}0 {{ *}}-  assumed (2) (1)
// BLACKWELL: (1) assumed: rules of sm_90: what the compiler and memory do on sm_100 has not been measured
// AMPERE-LABEL: {{^}}copy
// AMPERE: cp.async.bulk{{.*}}bulk copy {{ *}}? {{.*}}unknown
// AMPERE: this architecture has no bulk copies

#define PRODUCT(a, b)                                                                                                                       \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}" \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "r"(1))

// Two warpgroups, five rounds of two products of 18 wavefronts; the second kernel repeats one, which ptxas may leave out.
__global__ void product(float *out, uint64_t a, uint64_t b) {
  float d[4] = {};
  for (int i = 0; i < 5; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    PRODUCT(a, b);
    PRODUCT(a + 2, b + 2);
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
// CHECK-LABEL: {{^}}product
// CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}wgmma {{ *}}10 {{ *}}180 {{ *}}180 {{ *}}-  exact (1)
// CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}wgmma {{ *}}10 {{ *}}180 {{ *}}180 {{ *}}-  exact (1)
// CHECK: (1) counted by the size of the operands in shared memory
// BLACKWELL: this architecture has no wgmma

__global__ void repeated(float *out, uint64_t a, uint64_t b) {
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  PRODUCT(a, b);
  PRODUCT(a, b);
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
// CHECK-LABEL: {{^}}repeated
// CHECK: unknown (1)
// CHECK: a wgmma with the operands of another one, of which ptxas may leave one out

// The own block counts as any shared memory, another one not at all. Which it is follows from __cluster_dims__ alone.
__global__ void __cluster_dims__(2, 1, 1) neighbours(float *out) {
  __shared__ __align__(128) float tile[1024];
  const unsigned at = shared_address(tile + 2 * threadIdx.x), rank = own_rank();
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  float own, other, half;
  asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(own) : "r"(in_block(at, rank)) : "memory");
  asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(other) : "r"(in_block(at, rank ^ 1)) : "memory");
  asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(half) : "r"(in_block(at, threadIdx.x / 16)) : "memory");
  asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(in_block(shared_address(tile + 32 * threadIdx.x), rank)) : "memory");
  out[blockIdx.x * 32 + threadIdx.x] = own + other + half;
}
// CHECK-LABEL: {{^}}neighbours
// CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{ *}}8 {{ *}}16 {{ *}}8 {{ *}}2-way  exact{{$}}
// CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{ *}}8 {{ *}}0 {{ *}}0 {{ *}}-  exact (1)
// CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{ *}}8 {{ *}}8 {{ *}}8 {{ *}}-  exact (1)
// CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}atomic 32 {{ *}}8 {{ *}}256 {{ *}}8 {{ *}}32-way  exact{{$}}
// CHECK: (1) what goes to another block's shared memory is not counted

__global__ void unknown_cluster(float *out) {
  __shared__ __align__(128) float tile[1024];
  float other;
  asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(other) : "r"(in_block(shared_address(tile + threadIdx.x), own_rank() ^ 1)) : "memory");
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(in_block(shared_address(tile), 1)), "r"(0), "r"(0) : "memory");
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(in_block(shared_address(tile), 1)), "r"(0), "r"(0) : "memory");
  out[threadIdx.x] = other;
}
// CHECK-LABEL: {{^}}unknown_cluster
// CHECK: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{ *}}? {{.*}}unknown (1)
// CHECK: {{^ *}}[[#@LINE-6]]:{{.*}}store 32 {{ *}}1 {{ *}}0 {{ *}}0 {{ *}}-  exact (2)
// CHECK: {{^ *}}[[#@LINE-6]]:{{.*}}red.async{{.*}}unknown (3)
// CHECK: no __cluster_dims__ gives

int main() {
  int *in;
  float *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  copy<<<1, 64>>>(in, out);
  product<<<1, 256>>>(out, 0, 0);
  repeated<<<1, 128>>>(out, 0, 0);
  neighbours<<<8, 32>>>(out);
  unknown_cluster<<<1, 32>>>(out);
}

// What waits for a barrier may do more on its line than the model has: a library's timeouts are compared with constants that nvcc leaves in memory.
// smem-lint: launch block=(32) grid=(1)
__global__ void waits(float *out) {
  __shared__ uint64_t barrier;
  unsigned done = 0;
  asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(shared_address(&barrier))); out[threadIdx.x] = 1;
  out[threadIdx.x + 32] = 1;
}
// CHECK-LABEL: {{^}}waits
// CHECK: out[threadIdx.x] {{ *}}store 32 {{.*}}assumed ([[#WAIT:]])
// CHECK: out[threadIdx.x + 32] {{ *}}store 32 {{.*}}exact
// CHECK: ([[#WAIT]]) assumed: what waits on this line accesses nothing meanwhile [assumed-wait]
