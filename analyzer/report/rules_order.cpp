// Rules about the order of threads: barriers and races.
#include <array>

#include "report/rule_tables.h"

namespace smem {
namespace {

using enum Diagnostic::Severity;

constexpr std::array kOrderRules{
    Rule{
        rule::barrier_divergence, Warning, "a barrier that only some threads of the block reach",
        R"(__syncthreads() waits for every thread of the block that has not exited. If a branch keeps some of them away,
the others wait for a partner that never comes, or meet a different barrier: undefined behaviour that often hangs and
sometimes merely corrupts. So it is with __syncwarp(), shuffles, votes and their like: all lanes that the mask names, and
have not exited, must execute it, with the same mask, and a lane that executes it must be named.)",
        R"(    thread   0  1  2  3 ... 15 | 16 17 ... 31
             |  |  |  |      |    \  \     \
    if (threadIdx.x < 16)              (skipped)
             v  v  v  v      v
          __syncthreads()   <- half of the warp never arrives)",
        R"(// smem-lint: launch block=(32) grid=(1)
__global__ void half_a_barrier(float *out) {
  __shared__ float value[32];
  value[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16)
    __syncthreads();
  out[threadIdx.x] = value[31 - threadIdx.x];
}
)",
        R"(// smem-lint: launch block=(32) grid=(1)
__global__ void whole_barrier(float *out) {
  __shared__ float value[32];
  value[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 16)
    out[threadIdx.x] = value[threadIdx.x + 16];
}
)",
        R"(Seen where the condition's value is known for the analysed launch. Threads that only end need not come, wherever
they return. A barrier that is missing is a matter of smem-race.)"},

    Rule{
        rule::race, Warning, "two threads touch the same byte of shared memory with no barrier between them",
        R"(Two threads of a block touch the same byte, at least one of them writes, not both atomically, and no barrier lies
between the two in any execution. Which of them is first is left to chance: the result may be right on one GPU, or with
one compiler, and wrong on the next.

The launch is executed, before a compiler has merged or removed accesses, and both threads are named. `__syncthreads()`
orders the threads of a block; within a warp, `__syncwarp()` orders its lanes. That the lanes of a warp happen to execute
together orders nothing since Volta: a warp-synchronous reduction without `__syncwarp()` races, which is a note. Two
writes of one value are no race and a note, two of values that are not known to be one are a note as well.

A copy by `cp.async` is under way from its instruction until its thread has waited for it: it races with what touches its
bytes until then, the thread's own accesses among them. Barriers of some of the warps (`bar.sync id, n`, `bar.arrive`)
order those that come to them.

Loops often need two barriers: one between what is written and what is read, and one before the next iteration writes
again.)",
        R"(    thread 0                     thread 255
      |  s[0] = a[0]               |
      |                            |  ... s[0]     <- before or after the write?
      v                            v)",
        R"(// smem-lint: launch block=(256) grid=(1)
__global__ void reverse(float *data) {
  __shared__ float copy[256];
  copy[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = copy[255 - threadIdx.x];
}
)",
        R"(// smem-lint: launch block=(256) grid=(1)
__global__ void reverse(float *data) {
  __shared__ float copy[256];
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[255 - threadIdx.x];
}
)",
        R"(Only launches whose block of threads is known. What happens after a branch on loaded data, or on an argument that
the launch does not tell, is a note that names the values with which it races: `flags` holds 1 everywhere. Indices that
are data are no witness. wgmma, clusters of blocks and what copies by a tensor map touch are not followed.
`--checks=-smem-race,-smem-uninitialized` skips the search.)"},

    Rule{
        rule::global_race, Warning, "two threads touch the same byte of global memory with nothing that orders them",
        R"(As smem-race, in global memory: two threads of a block with no barrier between their accesses, or two threads of
different blocks, which nothing orders before the kernel ends. At least one of the two writes, and not both atomically.

Off unless `--checks` names it, as arrays behind different pointers are taken for different ones, and what one kernel
leaves to chance may be meant.)",
        R"(    block 0                      block 1
      |  sum[0] = ...              |
      |                            |  sum[0] = ...   <- which one is left?
      v                            v)",
        R"(// smem-lint: launch block=(256) grid=(64)
__global__ void count_positive(const float *data, int *count) {
  count[threadIdx.x] += data[blockIdx.x * 256 + threadIdx.x] > 0;
}
)",
        R"(// smem-lint: launch block=(256) grid=(64)
__global__ void count_positive(const float *data, int *count) {
  if (data[blockIdx.x * 256 + threadIdx.x] > 0)
    atomicAdd(&count[threadIdx.x], 1);
}
)",
        R"(Addresses that depend on loaded data are no witness, and neither is what follows a branch on loaded data or a
__threadfence(): a thread may have waited there for another block's. What grid-wide barriers order is not known.)",
        true},

    Rule{
        rule::redundant_barrier, Note, "a barrier without which no two threads would race",
        R"(__syncthreads() makes every warp wait for the slowest one. This one orders no two accesses of shared or of global
memory that touch the same byte: the launch was executed again without it, and is free of races still, in every launch of
the kernel that is known. Where a loop has a barrier at its beginning and at its end, one of them is often enough.)",
        "",
        R"(// smem-lint: launch block=(256) grid=(64)
__global__ void reverse(const float *in, float *out) {
  __shared__ float copy[256];
  copy[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  const float value = copy[255 - threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = value;
}
)",
        R"(// smem-lint: launch block=(256) grid=(64)
__global__ void reverse(const float *in, float *out) {
  __shared__ float copy[256];
  copy[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = copy[255 - threadIdx.x];
}
)",
        R"(Only where every launch of the kernel is known and free of races, and where a barrier can have no other purpose:
kernels with atomics, fences or votes, whose barriers other blocks may depend on, are left alone.)"},

    Rule{
        rule::uninitialized, Warning, "shared memory is read that no thread of the block has written",
        R"(A thread reads a byte of shared memory that nothing has written: in no execution does a write of any thread of the
block lie before the read, or beside it between two barriers, but for the reading thread's own one that comes later.
Shared memory is not zeroed: what is there is left over from another block. The usual reasons are a loop that fills one
element less than the next one reads, a halo that is filled under a condition, and a histogram or a sum that is not
cleared.)",
        "",
        R"(// smem-lint: launch block=(128) grid=(1)
__global__ void differences(float *data) {
  __shared__ float copy[129];
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[threadIdx.x + 1] - copy[threadIdx.x];
}
)",
        R"(// smem-lint: launch block=(128) grid=(1)
__global__ void differences(float *data) {
  __shared__ float copy[129];
  copy[threadIdx.x] = data[threadIdx.x];
  if (threadIdx.x == 0)
    copy[128] = data[128];
  __syncthreads();
  data[threadIdx.x] = copy[threadIdx.x + 1] - copy[threadIdx.x];
}
)",
        R"(Looked for together with races, in the same launches. A write that may be anywhere in an array counts as one of all of
it; atomics count as writes, and what they find is not looked at.)"},
};

} // namespace

std::span<const Rule> order_rules() { return kOrderRules; }

} // namespace smem
