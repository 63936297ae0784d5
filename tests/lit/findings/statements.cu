// `x[i] += y` is one finding to a reader, in what is printed and in its tally. The hint speaks of fields where there are some.
// RUN: not %lint-short %s --checks='-*,smem-bank-conflict,gmem-uncoalesced' | FileCheck %s
// RUN: not %lint-short %s --checks='-*,smem-bank-conflict,gmem-uncoalesced' --format=oneline | FileCheck %s --check-prefix=LINES
// RUN: not %lint-short %s --checks='-*,smem-bank-conflict,gmem-uncoalesced' --format=markdown | FileCheck %s --check-prefix=TABLE
// RUN: not %lint-short %s --checks='-*,smem-bank-conflict,gmem-uncoalesced' --format=github | FileCheck %s --check-prefix=LINES
struct Point { float x, y, z, w; };

// smem-lint: launch block=(256) grid=(64)
__global__ void update(float *x, const float *y, const Point *p) {
  __shared__ float s[8192];
  // LINES: load and store of s[threadIdx.x * 32] take 32 wavefronts instead of 1
  s[threadIdx.x * 32] += y[threadIdx.x];
  // CHECK: [[#@LINE+3]]:{{[0-9]+}}: warning: uncoalesced load and store of x[threadIdx.x * 8] move 32 sectors instead of 4
  // CHECK: hint: let neighbouring lanes access neighbouring elements, or stage a tile in shared memory
  // LINES: load and store of x[threadIdx.x * 8] move 32
  x[threadIdx.x * 8] += s[threadIdx.x];
  // CHECK: hint: store the fields in arrays of their own, or stage a tile in shared memory
  // LINES: load of p[threadIdx.x].y moves
  x[threadIdx.x] = p[threadIdx.x].y;
}
// CHECK: 3 findings (3 warnings)
// TABLE: ### smem-lint: 3 findings
