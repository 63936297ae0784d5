// Rules about what authors have stated: expectations, baselines, suppressions.
#include <array>

#include "report/rule_tables.h"

namespace smem {
namespace {

using enum Diagnostic::Severity;

constexpr std::array kGateRules{
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
        rule::floor_raised, Warning, "the floor under a kernel's time is higher than in the baseline",
        R"(The time that a launch takes at least on a GPU, by what its counts force on each unit, is at least 3% above what the
baseline holds of the launch of the same kernel with the same arguments. No access need have got worse: more
requests, less reuse, or blocks that leave SMs idle cost as well. `--update-baseline` accepts the change.)",
        "", "", "",
        R"(A floor is no time: the kernel may be as fast as before where something else than the counted units binds. Launches
that are not known entirely, have unknown accesses or wait for something else than units are not compared, nor are
those whose arguments or GPU (--gpu) are others.)"},

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

} // namespace

std::span<const Rule> gate_rules() { return kGateRules; }

} // namespace smem
