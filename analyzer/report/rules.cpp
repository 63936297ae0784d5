#include "report/rules.h"

#include <algorithm>
#include <array>

namespace smem {
namespace {

using enum Diagnostic::Severity;

// The examples are complete files: tests analyse them, so they cannot rot.
constexpr std::array kRules{
    Rule{rule::analysis_budget, Warning, "the analysis stopped before the end of the launch",
         R"(The launch was executed up to the budget of steps (one warp executing one instruction is a step) and then
given up. Sites that were not fully counted are `unknown`; their figures are lower bounds. Costs grow with the number
of blocks, warps and iterations only where these behave differently from one another: typically a loop whose addresses
are not affine in its counter.

Raise the budget with --max-steps, or describe a smaller launch with --launch.)",
         "", "", "", R"(Which part of the launch was executed before the budget ended is not specified.)"},

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
        rule::floor_raised, Warning, "the floor under a kernel's time is higher than in the baseline",
        R"(The time that a launch takes at least on a GPU, by what its counts force on each unit, is at least 3% above what the
baseline holds of the launch of the same kernel with the same arguments. No access need have got worse: more
requests, less reuse, or blocks that leave SMs idle cost as well. `--update-baseline` accepts the change.)",
        "", "", "",
        R"(A floor is no time: the kernel may be as fast as before where something else than the counted units binds. Launches
that are not known entirely, have unknown accesses or wait for something else than units are not compared, nor are
those whose arguments or GPU (--gpu) are others.)"},

    Rule{
        rule::grid_tail, Note, "SMs idle while the last blocks run",
        R"(Blocks are executed whole: of 133 blocks on 132 SMs one SM has two, and the others wait for it. If all take equally
long, the launch takes as long as twice 132 would. Named where the busiest SM has at least a quarter more blocks
than the mean, the launch is bound by a unit of the SMs, and its grid is known. More and smaller blocks, or as many
as the SMs have room for with a loop over the work, even it out.)",
        "",
        R"(// smem-lint: launch block=(256) grid=(140)
__global__ void turns(float *out, const float *in) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += tile[(threadIdx.x + i) % 256];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
)",
        R"(// smem-lint: launch block=(256) grid=(264)
__global__ void turns(float *out, const float *in) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += tile[(threadIdx.x + i) % 256];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
)",
        R"(Off unless `--checks` names it. Other kernels that run at the same time may fill the SMs. Blocks that differ in
length may even it out, or make it worse.)",
        true},

    Rule{
        rule::low_occupancy, Note, "few warps of an SM at a time, though blocks wait",
        R"(While one warp waits for memory, others have to have something to do. An SM has room for so many blocks as their
threads, shared memory and registers allow. Named where that leaves at most eight warps, two for each scheduler, of
blocks of which more wait, and where a block's shared memory, registers or size is the limit. Fewer bytes a block,
or more threads for the same bytes, leave room for more.)",
        "",
        R"(// smem-lint: launch block=(32) grid=(8192)
__global__ void large_tile(float *out, const float *in) {
  __shared__ float tile[320][32];
  for (int i = 0; i < 320; ++i)
    tile[i][threadIdx.x] = in[(blockIdx.x * 320 + i) * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 320; ++i)
    sum += tile[i][(i + threadIdx.x) % 32];
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}
)",
        R"(// smem-lint: launch block=(32) grid=(8192)
__global__ void small_tile(float *out, const float *in) {
  __shared__ float tile[64][32];
  for (int i = 0; i < 64; ++i)
    tile[i][threadIdx.x] = in[(blockIdx.x * 64 + i) * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += tile[i][(i + threadIdx.x) % 32];
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}
)",
        R"(Off unless `--checks` names it: a kernel with much work for each warp at a time may be as fast with few of them.
Registers count with --as-compiled only.)",
        true},

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

    Rule{rule::division_by_zero, Error, "an index is divided by zero",
         R"(An integer division or remainder that decides an address, a branch or a trip count has a zero divisor. On a
GPU that does not trap: the result is an unspecified value, and so is every address made of it.)",
         "",
         R"(// smem-lint: launch block=(32) grid=(1) columns=0
__global__ void rows(float *out, const float *in, int columns) {
  const int row = threadIdx.x / columns;
  out[row] = in[threadIdx.x];
}
)",
         R"(// smem-lint: launch block=(32) grid=(1) columns=8
__global__ void rows(float *out, const float *in, int columns) {
  const int row = threadIdx.x / columns;
  out[row] = in[threadIdx.x];
}
)",
         R"(Only divisors whose value is known are checked. Where the launch is assumed, so is the finding.)"},

    Rule{
        rule::expectation_broken, Error, "an access or a kernel costs more than its author allows",
        R"(A comment beside an access, or a budget in .smem-lint.yaml, says what the access or the kernel may cost. The prediction is
higher, or it is unknown and so cannot show that the limit holds. The comment knows `degree`, `wavefronts/request` and
`sectors/request`, each with `<=` or `==`, and stands behind the code or alone above it:

    // smem-lint: expect degree<=2
    out[i] = in[j]; // smem-lint: expect sectors/request==4

Repair the access, or raise the limit in the same change, where a reviewer sees it.)",
        "",
        R"(// smem-lint: launch block=(32,32) grid=(1)
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // smem-lint: expect degree<=2
}
)",
        R"(// smem-lint: launch block=(32,32) grid=(1)
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // smem-lint: expect degree<=2
}
)",
        R"(Of a launch that is not known entirely all cases are compared that what is known leaves; where they differ,
the expectation cannot be shown to hold.)"},

    Rule{
        rule::expectation_stale, Error, "an expectation that nothing is left of",
        R"(A comment `// smem-lint: expect ...` stands beside a line without an access that has the figure, or a budget in
.smem-lint.yaml names a kernel that no analysed file has. The code has moved on; what the expectation was to guard is
unguarded. Move it to where the access went, or remove it.)",
        "",
        R"(// smem-lint: launch block=(32) grid=(1)
__global__ void copy(float *out, const float *in) {
  const int i = threadIdx.x; // smem-lint: expect sectors/request<=4
  out[i] = in[i];
}
)",
        R"(// smem-lint: launch block=(32) grid=(1)
__global__ void copy(float *out, const float *in) {
  const int i = threadIdx.x;
  out[i] = in[i]; // smem-lint: expect sectors/request<=4
}
)",
        R"(Code that is compiled only under some macros counts as absent under the others.)"},

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
        rule::launch_limit, Error, "a launch that the hardware refuses",
        R"(The launch asks for more than an architecture allows: threads in a block, extent of the grid or of the block. The
launch fails with cudaErrorInvalidConfiguration and the kernel never runs, which is easily missed where the error is
not checked.)",
        "",
        R"(// smem-lint: launch block=(33,32) grid=(1)
__global__ void fill(float *out) { out[threadIdx.y * 33 + threadIdx.x] = 0; }
)",
        R"(// smem-lint: launch block=(32,32) grid=(1)
__global__ void fill(float *out) { out[threadIdx.y * 32 + threadIdx.x] = 0; }
)",
        R"(Registers are not counted, so "too many resources requested" on their account is not foreseen.)"},

    Rule{
        rule::launch_unknown, Note, "the launch of a kernel is not known from the source",
        R"(Which lanes meet in which bank depends on the shape of the block, how often a site runs on the grid and on the
arguments. They are taken from, strongest first: --launch and --set, a comment, the <<<>>> of the host code,
__launch_bounds__. Where host code leaves something free (a parameter of a function that nothing calls, argv, the result
of a call into another file), a value is chosen for it once, such that host code comes to the launch; grid, block,
shared memory and arguments follow from the host code's own expressions. Where no host code says, a plausible shape is
analysed. Every figure that depends on a choice is marked `assumed`. A choice under which the kernel leaves its arrays
is dropped for the next one; if none is left, nothing that rests on one is reported. What the program determines, in
loops or calls that are too long to be followed, is not chosen: it stays open, and rows that need it are `unknown`.

Say what is true with a comment above the kernel,

    // smem-lint: launch block=(32,8) grid=(128,128) N=4096

or for one run with --launch 'kernel:block=(32,8) grid=(128,128) dynamic=0' and --set N=4096.

Where a size is different every time, what is always true of it helps as well: --set 'N % 32 == 0', --set 'N >= 1024', or
N%32==0 in the comment. The table "for any value" has the counts as formulas in what is left open; a figure that does not
depend on it is `exact`.)",
        "",
        R"(__global__ void scale(float *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 2;
}
)",
        R"(// smem-lint: launch block=(256) grid=(4096) n=1048576
__global__ void scale(float *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 2;
}
)",
        R"(Host code is folded, not executed: sizes that come from argv, files or other translation units are not known.)"},

    Rule{
        rule::bank_conflict, Warning, "lanes of a warp meet in one bank of shared memory",
        R"(Shared memory has 32 banks, each 4 bytes wide: the word at byte address a lies in bank (a / 4) % 32. In one pass
(wavefront) a bank serves one word. Lanes that want the same word share it for free; lanes that want n different words of
one bank take n passes, an n-way conflict. 8-byte accesses are served half a warp at a time, 16-byte ones a quarter of a
warp at a time, so that 2 and 4 wavefronts are their ideal.

What repairs it: a row pitch that is no multiple of 32 words (one element of padding), an XOR swizzle of the column with
the row where no byte is to spare, or another mapping of lanes to elements.)",
        R"(    float tile[32][32]                       float tile[32][33]
    tile[threadIdx.x][k]                     tile[threadIdx.x][k]

    lane  0  1  2  3 ... 31                  lane  0  1  2  3 ... 31
           \ |  | /     /                          |  |  |  |     |
    bank  [k]                                bank  k k+1 k+2 k+3 ... k+31
    32 words of one bank: 32 wavefronts      32 banks: 1 wavefront)",
        R"(// smem-lint: launch block=(32,32) grid=(32,32) n=1024
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}
)",
        R"(// smem-lint: launch block=(32,32) grid=(32,32) n=1024
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}
)",
        R"(Counted are the passes that a request itself needs. Arbitration between warps, and the effect on run time where
the kernel waits for something else anyway, are not. An index that comes out of global memory is `unknown`:
the table "depends on data" has its range, the best and the worst case of a request, and the mean if every lane's index is
independent and equally likely anywhere in the range. If each lane keeps to a bank of its own, no data matter, and the
access is `exact`. Which accesses nvcc merges, drops or attributes to another line is modelled from the source; with
--as-compiled its machine code decides, and the report says so.)"},

    Rule{
        rule::atomic_serialization, Warning, "lanes of a warp update the same word of shared memory",
        R"(An atomic on shared memory serves one lane of a bank at a time. Lanes that update the same word go one after the
other, as those do that update different words of one bank; but no padding helps, since it is the same word. (Loads
and stores of one word are a broadcast and cost nothing.)

One exception: an atomicAdd of the constant 1 whose result is not used (ATOMS.POPC.INC) counts all lanes of a word at
once. And where the compiler can prove that the whole warp updates one word, it combines the lanes' values first.

Additions of float, double, half2 and nearly all atomics of 64 bits have no instruction: they are a loop of a load and
a compare-and-swap, in which one lane of a bank succeeds in each round.

Combine the lanes of a word first (__reduce_add_sync, __match_any_sync, a shuffle), or privatise: give each group of
lanes a copy of its own, and add the copies up at the end.)",
        R"(    atomicAdd(&bins[i & 7], v), i = threadIdx.x

    lane   0  8 16 24 |  1  9 17 25 | ...  7 15 23 31
            \  \ |  /     \  \ |  /          \  \ |  /
    word      bins[0]       bins[1]          bins[7]
    4 wavefronts: the lanes of a word go one after the other)",
        R"(// smem-lint: launch block=(256) grid=(64)
__global__ void bins_of(int *out, const int *value) {
  __shared__ int bins[8];
  if (threadIdx.x < 8)
    bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x & 7], value[blockIdx.x * 256 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 8)
    out[blockIdx.x * 8 + threadIdx.x] = bins[threadIdx.x];
}
)",
        R"(// smem-lint: launch block=(256) grid=(64)
__global__ void bins_of(int *out, const int *value) {
  __shared__ int bins[4][8];
  if (threadIdx.x < 32)
    bins[threadIdx.x / 8][threadIdx.x & 7] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x / 8 & 3][threadIdx.x & 7], value[blockIdx.x * 256 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 8)
    out[blockIdx.x * 8 + threadIdx.x] = bins[0][threadIdx.x] + bins[1][threadIdx.x] + bins[2][threadIdx.x] + bins[3][threadIdx.x];
}
)",
        R"(Lanes of one warp only: what warps do to each other is a matter of time. Where the index depends on data, nothing is
said. Atomics on global memory are done in L2; what equal addresses cost there, no counter of the SM shows, and this
rule says nothing of them. Of an atomic that is a loop the rounds are counted as if every update changed the value.)"},

    Rule{
        rule::capacity, Error, "more shared memory than a block can have",
        R"(A block that asks for more shared memory than its architecture offers cannot be launched. Static arrays end at
48 KB everywhere; beyond that the memory must be dynamic and the kernel must opt in with
cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes). Padding counts: one float per row of
a 64-row tile is 256 bytes.

A launch that is within the limit but above 48 KB is a note if no host code of the file calls cudaFuncSetAttribute for the
kernel, or for a kernel that is not known there. The note says how many such blocks fit on an SM.)",
        "",
        R"(// smem-lint: launch block=(256) grid=(1)
__global__ void too_big(float *out) {
  __shared__ float tile[4][64][65];
  for (int i = threadIdx.x; i < 4 * 64 * 65; i += 256)
    (&tile[0][0][0])[i] = i;
  __syncthreads();
  out[threadIdx.x] = tile[3][threadIdx.x % 64][threadIdx.x / 64];
}
)",
        R"(// smem-lint: launch block=(256) grid=(1)
__global__ void fits(float *out) {
  __shared__ float tile[2][64][65];
  for (int i = threadIdx.x; i < 2 * 64 * 65; i += 256)
    (&tile[0][0][0])[i] = i;
  __syncthreads();
  out[threadIdx.x] = tile[1][threadIdx.x % 64][threadIdx.x / 64];
}
)",
        R"(Memory that the compiler itself takes (for instance for cooperative groups) is not counted.)"},

    Rule{
        rule::copy_lines, Note, "an asynchronous copy that fills lines of shared memory piece by piece",
        R"(A cp.async.cg (__pipeline_memcpy_async, cuda::memcpy_async of 16 bytes) moves sectors from L2 into shared memory. A
wavefront fills one line of 128 bytes of shared memory from one line of 128 bytes of global memory. Where a line of
the tile holds pieces of several rows of the source, because the tile's rows are shorter than 128 bytes or because
rows and lines are shifted against each other, each piece takes a wavefront of its own. No bank conflict is involved.

Make the rows of the tile 128 bytes wide (64 halfs, 32 floats) or a multiple, and begin both on a multiple of 128
bytes. A swizzle of 16-byte pieces within a line costs nothing as long as the halves of a sector stay where they are.)",
        R"(    rows of 64 bytes                    rows of 128 bytes

    shared  [ row 0 | row 1 ]           shared  [     row 0     ]
                ^       ^                               ^
    global  [.row 0.]  [.row 1.]        global  [     row 0     ]
    2 wavefronts a line                 1 wavefront a line)",
        R"(// smem-lint: launch block=(128) grid=(64)
__global__ void copy_tile(float *out, const float *in) {
  __shared__ __align__(128) float tile[32][16];
  const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(&tile[row][column])), "l"(in + row * 1024 + column));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x / 16][threadIdx.x % 16];
}
)",
        R"(// smem-lint: launch block=(128) grid=(64)
__global__ void copy_tile(float *out, const float *in) {
  __shared__ __align__(128) float tile[16][32];
  const int row = threadIdx.x / 8, column = threadIdx.x % 8 * 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(&tile[row][column])), "l"(in + row * 1024 + column));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x / 32][threadIdx.x % 32];
}
)",
        R"(Copies that are predicated or fill with zeros are `unknown`: their counters are not a function of their addresses. A
copy through L1 (.ca) has bank conflicts, and the rule for these.)"},

    Rule{
        rule::misaligned, Error, "an access that is not aligned to its width",
        R"(An access of 8 or 16 bytes must lie on a multiple of its width. If it does not, the kernel dies with
cudaErrorMisalignedAddress. The usual reason is a vector access into rows whose padding is not a multiple of the vector:
float rows of 33 elements can be read neither as float4 nor as double. Pad by the vector's width instead.)",
        R"(    float tile[32][33], rows read 8 bytes at a time:

    row 0   |0       |8       | ...         byte   0: a multiple of 8
    row 1   |132     |140     | ...         byte 132: 132 % 8 = 4, misaligned)",
        R"(// smem-lint: launch block=(32) grid=(1)
__global__ void rows(double *out) {
  __shared__ __align__(8) float tile[32][33];
  for (int i = threadIdx.x; i < 32 * 33; i += 32)
    (&tile[0][0])[i] = i;
  __syncthreads();
  const float *row = tile[threadIdx.x];
  out[threadIdx.x] = *reinterpret_cast<const double *>(row);
}
)",
        R"(// smem-lint: launch block=(32) grid=(1)
__global__ void rows(double *out) {
  __shared__ __align__(8) float tile[32][34];
  for (int i = threadIdx.x; i < 32 * 34; i += 32)
    (&tile[0][0])[i] = i;
  __syncthreads();
  const float *row = tile[threadIdx.x];
  out[threadIdx.x] = *reinterpret_cast<const double *>(row);
}
)",
        R"(Pointer arguments are taken to be aligned as cudaMalloc aligns them unless the host code shows an offset.)"},

    Rule{
        rule::out_of_bounds, Error, "an access outside its array",
        R"(An address lies before the first or after the last byte of the array that it is derived from. In shared memory
that is a neighbour's data, or an illegal address behind the block's allocation. Guard the access, or make the array as
large as the block needs it.)",
        "",
        R"(// smem-lint: launch block=(256) grid=(1)
__global__ void reverse(float *data) {
  __shared__ float copy[128];
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
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
        R"(Checked per array, not per row: tile[0][32] of float tile[32][32] lies inside. Sizes of global allocations are not
known, so pointers from cudaMalloc are not checked.)"},

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
block lie before the read, or beside it between two barriers. Shared memory is not zeroed: what is there is left over from
another block. The usual reasons are a loop that fills one element less than the next one reads, a halo that is filled
under a condition, and a histogram that is not cleared.)",
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

    Rule{
        rule::unbounded_loop, Warning, "a loop whose end is not known",
        R"(The number of iterations depends on something that the source does not say (data from memory, a clock) or the
loop does not end at all. The sites in it and behind it are `unknown`: how often they run is anyone's guess.

If a representative trip count is known, analyse a kernel that has it.)",
        "", "", "", R"(A loop that ends after more steps than the budget (--max-steps) looks the same from outside.)"},

    Rule{
        rule::unused_nolint, Warning, "a NOLINT that suppresses nothing",
        R"(A comment NOLINT(rule), NOLINTNEXTLINE(rule) or NOLINTBEGIN(rule) ... NOLINTEND(rule) names a rule of smem-lint that
has no finding on its lines. What it was meant for is repaired, or has moved to another line. Left there, it would hide
the finding when it comes back.

A reason belongs after it: `// NOLINT(smem-bank-conflict): runs once a block`.)",
        "",
        R"(// smem-lint: launch block=(32,32) grid=(1)
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // NOLINT(smem-bank-conflict)
}
)",
        R"(// smem-lint: launch block=(32,32) grid=(1)
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // NOLINT(smem-bank-conflict): once a block
}
)",
        R"(A NOLINT without names may be meant for another tool and is never called unused. Nor is one beside an access whose cost is
unknown.)"},
};

void indent(std::string &out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty())
      out.append("  ").append(line);
    out += '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

void section(std::string &out, std::string_view heading, std::string_view body) {
  if (body.empty())
    return;
  out.append("\n").append(heading).append("\n");
  indent(out, body);
}

} // namespace

std::span<const Rule> rules() {
  static const std::vector<Rule> sorted = [] {
    std::vector<Rule> all(kRules.begin(), kRules.end());
    std::sort(all.begin(), all.end(), [](const Rule &a, const Rule &b) { return a.id < b.id; });
    return all;
  }();
  return sorted;
}

std::vector<std::string_view> tags_of(const Rule &rule) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> ids) {
    return std::find(ids.begin(), ids.end(), rule.id) != ids.end();
  };
  std::vector<std::string_view> tags;
  if (is_one_of({rule::bank_conflict, rule::uncoalesced, rule::narrow_access, rule::atomic_serialization,
                 rule::copy_lines, rule::redundant_barrier, rule::floor_raised, rule::grid_tail, rule::low_occupancy,
                 rule::redundant_traffic}))
    tags.push_back("performance");
  else if (is_one_of({rule::capacity, rule::out_of_bounds, rule::misaligned, rule::launch_limit, rule::race,
                      rule::global_race, rule::uninitialized, rule::barrier_divergence, rule::division_by_zero,
                      rule::unbounded_loop}))
    tags.push_back("correctness");
  else if (is_one_of({rule::unused_nolint, rule::expectation_broken, rule::expectation_stale}))
    tags.push_back("maintainability");
  else
    tags.push_back("analysis");
  tags.push_back("cuda");
  if (rule.id.starts_with("smem-"))
    tags.push_back("shared-memory");
  else if (rule.id.starts_with("gmem-"))
    tags.push_back("global-memory");
  return tags;
}

const Rule *find_rule(std::string_view id) {
  for (const Rule &rule : rules())
    if (rule.id == id)
      return &rule;
  return nullptr;
}

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const Rule &rule : rules())
    ids.emplace_back(rule.id);
  return ids;
}

std::string_view to_string(Diagnostic::Severity severity) {
  switch (severity) {
  case Note: return "note";
  case Warning: return "warning";
  case Error: return "error";
  }
  return "error";
}

std::string explain_text(const Rule &rule) {
  std::string out;
  out.append(rule.id).append(": ").append(rule.title).append(" (").append(to_string(rule.severity)).append(")\n");
  section(out, "Cause", rule.cause);
  section(out, "Picture", rule.picture);
  section(out, "Bad", rule.bad);
  section(out, "Good", rule.good);
  section(out, "Limits", rule.limits);
  return out;
}

std::string explain_markdown(const Rule &rule) {
  std::string out;
  out.append("# ").append(rule.id).append("\n\n");
  out.append(rule.title).append(" · default severity: ").append(to_string(rule.severity)).append("\n\n");
  out.append("## Cause\n\n").append(rule.cause).append("\n");
  if (!rule.picture.empty())
    out.append("\n```text\n").append(rule.picture).append("\n```\n");
  if (!rule.bad.empty())
    out.append("\n## Bad\n\n```cuda\n").append(rule.bad).append("```\n");
  if (!rule.good.empty())
    out.append("\n## Good\n\n```cuda\n").append(rule.good).append("```\n");
  out.append("\n## Limits\n\n").append(rule.limits).append("\n");
  return out;
}

} // namespace smem
