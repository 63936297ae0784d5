// Rules about what accesses of shared memory cost, and whether they may be made.
#include <array>

#include "report/rule_tables.h"

namespace smem {
namespace {

using enum Diagnostic::Severity;

constexpr std::array kSharedMemoryRules{
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
};

} // namespace

std::span<const Rule> shared_memory_rules() { return kSharedMemoryRules; }

} // namespace smem
