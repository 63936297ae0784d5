// Most blocks of a launch may lie behind the end of the data: those that do something tell how much of the sectors is used.
// RUN: %lint-short --fail-on=never --format=oneline --checks='-*,gmem-*' %s | FileCheck %s --implicit-check-not=uncoalesced

// CHECK: [[#@LINE+5]]:{{[0-9]+}}: note: narrow load of p[i] uses 33% of its sectors, with the accesses next to it 100%
__global__ void fields(const float3 *p, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 v = p[i];
  out[i] = v.x + v.y * v.z;
}
