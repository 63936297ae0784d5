// Rules about launches: what is not known of one, how it fills a GPU, and what cannot be executed.
#include <array>

#include "report/rule_tables.h"

namespace smem {
namespace {

using enum Diagnostic::Severity;

constexpr std::array kLaunchRules{
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
        rule::unbounded_loop, Warning, "a loop whose end is not known",
        R"(The number of iterations depends on something that the source does not say (data from memory, a clock) or the
loop does not end at all. The sites in it and behind it are `unknown`: how often they run is anyone's guess.

If a representative trip count is known, analyse a kernel that has it.)",
        "", "", "", R"(A loop that ends after more steps than the budget (--max-steps) looks the same from outside.)"},

    Rule{rule::analysis_budget, Warning, "the analysis stopped before the end of the launch",
         R"(The launch was executed up to the budget of steps (one warp executing one instruction is a step) and then
given up. Sites that were not fully counted are `unknown`; their figures are lower bounds. Costs grow with the number
of blocks, warps and iterations only where these behave differently from one another: typically a loop whose addresses
are not affine in its counter.

Raise the budget with --max-steps, or describe a smaller launch with --launch.)",
         "", "", "", R"(Which part of the launch was executed before the budget ended is not specified.)"},
};

} // namespace

std::span<const Rule> launch_rules() { return kLaunchRules; }

} // namespace smem
