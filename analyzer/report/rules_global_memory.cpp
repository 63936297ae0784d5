// Rules about what accesses of global memory cost.
#include <array>

#include "report/rule_tables.h"

namespace smem {
namespace {

using enum Diagnostic::Severity;

constexpr std::array kGlobalMemoryRules{
    Rule{
        rule::uncoalesced, Warning, "the lanes of a warp scatter over global memory",
        R"(Global memory moves in sectors of 32 bytes. A warp's request moves every sector that one of its lanes touches, whole.
Full warps on consecutive 4-byte elements need 4 sectors a request; a warp whose lanes lie a row apart needs 32 and
throws seven eighths of each away.

The usual reason is that the index that threadIdx.x feeds is not the last one: x should run along the contiguous
dimension. Where the algorithm wants the other order, stage a tile in shared memory and turn it round there.)",
        R"(    in[y * n + x], x = threadIdx.x          in[x * n + y], x = threadIdx.x

    lane    0 1 2 3 4 5 6 7   8 ...         lane  0          1          2
            | | | | | | | |   |                   |          |          |
    sector [ 32 bytes      ][ ...           sector [x.......] [x.......] [x.......]
    4 sectors a request                     32 sectors a request, 4 bytes used of each)",
        R"(// smem-lint: launch block=(32,8) grid=(32,128) n=1024
__global__ void column_sums(float *out, const float *in, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[y * n + x] = 2 * in[x * n + y];
}
)",
        R"(// smem-lint: launch block=(32,8) grid=(32,128) n=1024
__global__ void row_sums(float *out, const float *in, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[y * n + x] = 2 * in[y * n + x];
}
)",
        R"(Sectors are what the warps ask L1 for. What the warp's other accesses use of them before they leave L1 counts as used:
see gmem-narrow-access for how that is found out. What other warps use does not: which of them comes when is not
known. Nor does what the warp uses of lanes that lie more than a sector apart: a loop that walks along the row can be
served by L1 mostly, but each of its requests looks up a line for each lane, and all of these lines have to stay until
the next iteration. With --as-compiled nvcc's machine code decides which accesses there are, and the report says so.)"},

    Rule{
        rule::narrow_access, Note, "accesses that use their sectors piece by piece",
        R"(The lanes of one request leave gaps, and requests next to it fill them: the fields of a structure one after the other,
a[2*i] and a[2*i+1], the bytes of a word in a loop. Each request asks L1 for all the sectors, but they come from L2 or
DRAM once, and nothing that is fetched is thrown away. That is why this is no gmem-uncoalesced. What remains is the
number of requests: n of them look up and move through L1 what one could.

A load or store of a vector (float2, float4) of a lane's bytes takes one request. Where no vector type has the size,
as for float3, load consecutive words into shared memory and read the fields there, or keep each field in an array of
its own.

How much of a sector is used is counted on the warps of the block that stands for most of the grid, request by
request, in their order. A sector stays in L1 from the first request that touches it until the warp has touched as
many other lines of 128 bytes as fit into its part of L1: what the shared memory of the blocks leaves of the SM's
memory, divided by the warps that fit on an SM. All bytes that the warp's loads use of it in that time are used; those
of its stores are counted by themselves. L1 writes through: stores of neighbouring bytes merge in L2, and each of them
goes there.)",
        R"(    p[i].x, i = threadIdx.x         12 bytes apart

    lane       0     1     2     3
               |     |     |     |
    sector [ x y z x y z x y ][ z x y z ...
    x:       ^     ^     ^        ^           12 sectors, 33% of their bytes
    y:         ^     ^     ^        ^         the same sectors: L1 has them
    z:           ^     ^        ^     ^       together 100%)",
        R"(struct Particle { float x, y, z, mass; };
// smem-lint: launch block=(256) grid=(1024)
__global__ void momentum(float *out, const Particle *p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].mass * (p[i].x + p[i].y + p[i].z);
}
)",
        R"(// smem-lint: launch block=(256) grid=(1024)
__global__ void momentum(float *out, const float4 *p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 q = p[i];
  out[i] = q.w * (q.x + q.y + q.z);
}
)",
        R"(Only what one warp uses counts, and only of requests whose lanes lie a sector (32 bytes) apart or less: beyond that it
is gmem-uncoalesced whatever the loop uses next. Atomics, volatile loads and those with .cg, .cv or L1::no_allocate
use nothing of each other. A fence between two accesses empties L1 and is not looked at; how full the SM is, registers
and the size of the grid decide as well. Where some address of the access is not known, it stays gmem-uncoalesced. A
long launch is followed for 200,000 steps; what was counted by then decides.)"},

    Rule{
        rule::redundant_traffic, Note, "global memory is read again and again, and L1 binds",
        R"(What several lanes, iterations or blocks read of one array passes L1 each time. Named where L1 is the unit that binds
the launch, most of what it does is for global memory, and the bytes that are asked for of an array are at least four
times those that differ. How often a byte is read within a block says whether a tile in shared memory or values in
registers would do; what only other blocks read again takes larger tiles.)",
        "",
        R"(// smem-lint: launch block=(16,16) grid=(64,64)
__global__ void product(float *c, const float *a, const float *b) {
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += a[row * 1024 + k] * b[k * 1024 + column];
  c[row * 1024 + column] = sum;
}
)",
        R"(// smem-lint: launch block=(16,16) grid=(64,64)
__global__ void tiled(float *c, const float *a, const float *b) {
  __shared__ float as[16][16], bs[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < 1024; k += 16) {
    as[y][x] = a[row * 1024 + k + x];
    bs[y][x] = b[(k + y) * 1024 + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  c[row * 1024 + column] = sum;
}
)",
        R"(Off unless `--checks` names it. How many bytes are distinct is a lower bound, so the average is at most what is said.
Nothing is said where some reads are not known.)",
        true},
};

} // namespace

std::span<const Rule> global_memory_rules() { return kGlobalMemoryRules; }

} // namespace smem
