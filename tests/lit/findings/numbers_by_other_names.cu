// A number has no fields, whatever its type is called.
// RUN: %lint --fail-on=never %s | FileCheck --implicit-check-not=fields %s
#include <cstdint>
__global__ void gather(const std::int16_t *__restrict__ index, std::uint32_t *sums) {
  sums[threadIdx.x] = index[threadIdx.x * 24];
}
void run(const std::int16_t *index, std::uint32_t *sums) { gather<<<8, 256>>>(index, sums); }
// CHECK: uncoalesced load of index[threadIdx.x * 24]
// CHECK: hint: let neighbouring lanes access neighbouring elements
