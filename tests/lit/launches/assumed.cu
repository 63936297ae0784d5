// No launch anywhere: plausible shapes, every figure marked, and the message says how to tell.
// RUN: %lint %s 2>&1 | FileCheck %s
// RUN: not %lint %s --fail-on=note 2>&1 | FileCheck %s
// RUN: %lint %s --launch "block=(64) grid=(3)" --set n=192 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: %lint %s --launch "scale:block=(64) grid=(3) n=192" --launch "scale:block=(32) grid=(6) n=192" 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %lint %s --launch "block=(64) grid=(3)" 2>&1 | FileCheck %s --check-prefix=PART

__global__ void scale(float *data, int n) {
// CHECK: assumed.cu:[[#@LINE-1]]:17: note: launch of scale is not known entirely; assumed block=({{.*}}): no launch found; grid=({{.*}}): no launch found; n=1024: not known from the source [launch-unknown]
// CHECK: hint: say what is not known: --launch 'scale:block=<value> grid=<value> n=<value>', or above the kernel `// smem{{-}}lint: launch block=<value> grid=<value> n=<value>`
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}
// CHECK: scale  grid=(64) block=(256) n=1024
// CHECK-NEXT: launch: assum{{.*}}
// CHECK-NEXT: assumed: block=(256,1,1): no launch found
// CHECK: memory instructions: 0 exact, 2 assumed, 0 unknown

// OPTION-NOT: {{warning|error|note}}:
// OPTION: scale  grid=(3) block=(64) n=192
// OPTION-NEXT: launch: option
// OPTION: memory instructions: 2 exact, 0 assumed, 0 unknown

// TWO: scale  grid=(3) block=(64) n=192
// TWO: scale  grid=(6) block=(32) n=192
// TWO: 1 kernel, 2 launches
// TWO-NEXT: memory instructions: 4 exact, 0 assumed, 0 unknown

// PART: note: launch of scale is not known entirely; assumed n=1024: {{.*}} [launch-unknown]
// PART: memory instructions: 0 exact, 2 assumed, 0 unknown

// A hint that was not filled in names what is missing.
// RUN: not %lint %s --launch "scale:block=<value> grid=<value> n=<value>" 2>&1 | FileCheck %s --check-prefix=RAW
// RUN: not %lint %s --launch "scale:n=<value>" 2>&1 | FileCheck %s --check-prefix=RAW-N
// RAW: 'block=<value>': put the block, such as (32,8), in place of <value>
// RAW-N: 'n=<value>': put the value of n in place of <value>
