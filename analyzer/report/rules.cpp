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

    Rule{rule::barrier_divergence, Warning, "a barrier that only some threads of the block reach",
         R"(__syncthreads() waits for every thread of the block that has not exited. If a branch keeps some of them away,
the others wait for a partner that never comes, or meet a different barrier: undefined behaviour that often hangs and
sometimes merely corrupts.)",
         R"(    thread   0  1  2  3 ... 15 | 16 17 ... 31
             |  |  |  |      |    \  \     \
    if (threadIdx.x < 16)              (skipped)
             v  v  v  v      v
          __syncthreads()   <- half of the warp never arrives)",
         R"(// smem-lint: launch block=(32) grid=(1)
__global__ void half_a_barrier(float *out) {
  __shared__ float value[32];
  value[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16) {
    __syncthreads();
    out[threadIdx.x] = value[threadIdx.x + 16];
  }
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
         R"(Seen where the condition's value is known for the analysed launch. A missing barrier is not reported: this is
no race detector.)"},

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

    Rule{rule::expectation_broken, Error, "an access or a kernel costs more than its author allows",
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
         R"(Holds for the launches that were analysed; where they are assumed, so is the comparison.)"},

    Rule{rule::expectation_stale, Error, "an expectation that nothing is left of",
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

    Rule{rule::uncoalesced, Warning, "the lanes of a warp scatter over global memory",
         R"(Global memory moves in sectors of 32 bytes. A warp's request moves every sector that one of its lanes touches,
whole. Full warps on consecutive 4-byte elements need 4 sectors a request; a warp whose lanes lie a row apart needs 32 and
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
         R"(Sectors are what the warps ask L1 for. Whether a sector comes from L1, L2 or DRAM, and whether the bytes left over
are used by a later request, is not modelled: a strided loop that walks along the row can be served by L1 mostly.
With --as-compiled nvcc's machine code decides which accesses there are, and the report says so.)"},

    Rule{rule::launch_limit, Error, "a launch that the hardware refuses",
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

    Rule{rule::launch_unknown, Note, "the launch of a kernel is not known from the source",
         R"(Which lanes meet in which bank depends on the shape of the block, how often a site runs on the grid and on the
arguments. They are taken from, strongest first: --launch and --set, a comment, the <<<>>> of the host code,
__launch_bounds__. Where none says, a plausible shape is analysed and every figure that depends on it is marked
`assumed`.

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

    Rule{rule::bank_conflict, Warning, "lanes of a warp meet in one bank of shared memory",
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
access is `exact`. Which accesses nvcc merges, drops or books on another line is modelled from the source; with
--as-compiled its machine code decides, and the report says so.)"},

    Rule{rule::capacity, Error, "more shared memory than a block can have",
         R"(A block that asks for more shared memory than its architecture offers cannot be launched. Static arrays end at
48 KB everywhere; beyond that the memory must be dynamic and the kernel must opt in with
cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes). Padding counts: one float per row of
a 64-row tile is 256 bytes.

A launch that is within the limit but above 48 KB is a note: it fails unless the host has called cudaFuncSetAttribute,
which is not looked for. The note says how many such blocks fit on an SM.)",
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

    Rule{rule::misaligned, Error, "an access that is not aligned to its width",
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

    Rule{rule::out_of_bounds, Error, "an access outside its array",
         R"(An address lies before the first or behind the last byte of the array that it is derived from. In shared memory
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

    Rule{rule::unbounded_loop, Warning, "a loop whose end is not known",
         R"(The number of iterations depends on something that the source does not say (data from memory, a clock) or the
loop does not end at all. The sites in it and behind it are `unknown`: how often they run is anyone's guess.

If a representative trip count is known, analyse a kernel that has it.)",
         "", "", "", R"(A loop that ends after more steps than the budget (--max-steps) looks the same from outside.)"},

    Rule{rule::unused_nolint, Warning, "a NOLINT that suppresses nothing",
         R"(A comment NOLINT(rule), NOLINTNEXTLINE(rule) or NOLINTBEGIN(rule) ... NOLINTEND(rule) names a rule of smem-lint that
has no finding on its lines. What it was meant for is repaired, or has moved to another line. Left there, it would hide
the finding when it comes back.

A reason belongs behind it: `// NOLINT(smem-bank-conflict): runs once a block`.)",
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
