// What is known of a parameter without its value, from the strongest statement to the weakest, and what it decides.
// RUN: %lint %s --checks='-*' | FileCheck %s
// RUN: %lint %s --checks='-*' --set 'n >= 4096' | FileCheck %s --check-prefix=MORE
// RUN: %lint %s --checks='-*' --set n=64 | FileCheck %s --check-prefix=VALUE
// RUN: %lint %s --checks='-*' --set 'pitch % 32 == 0' | FileCheck %s --check-prefix=PITCH
// RUN: %lint %s --checks='-*' --config "{Launches: ['copy_rows:pitch%%32==0']}" | FileCheck %s --check-prefix=PITCH
// RUN: not %lint %s --set 'n % 32' 2>&1 | FileCheck %s --check-prefix=NO-REMAINDER
// RUN: not %lint %s --set 'n == 5' 2>&1 | FileCheck %s --check-prefix=NO-FACT
// RUN: not %lint %s --set 'nn >= 5' 2>&1 | FileCheck %s --check-prefix=NO-NAME
// RUN: not %lint %s --set 'n >= 5' --set 'n <= 4' 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not %lint %s --set 'n %% 32 == 0' --set n=33 2>&1 | FileCheck %s --check-prefix=NEITHER
// NO-REMAINDER: --set 'n % 32': 'n%32' needs a remainder: n % M == R
// NO-FACT: --set 'n == 5': 'n==5' is no fact; write n=5 for a value
// NO-NAME: 'nn' is no parameter of any kernel; did you mean 'n'?
// NEITHER: contradict each other

// smem-lint: launch block=(256) grid=(8) n%32==0
__global__ void sums(const float *data, float *out, int n) {
  __shared__ float line[256];
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    line[threadIdx.x] = data[k + threadIdx.x];
    __syncthreads();
    sum += line[threadIdx.x * 2 % 256];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// CHECK: sums  grid=(8) block=(256) shared=1,024 B n=1024
// CHECK: open: n % 32 == 0
// CHECK: line[threadIdx.x] {{ *}}store 32 {{ *}}1  wavefronts  64*ceil(n/32)
// CHECK: line[threadIdx.x * 2 % 256] {{ *}}load 32 {{ *}}2  wavefronts  128*ceil(n/32)
// MORE: n=4096
// MORE: open: n % 32 == 0, n >= 4096
// VALUE-NOT: open: n
// VALUE: line[threadIdx.x] {{ *}}store 32 {{ *}}128 {{ *}}128 {{ *}}128 {{ *}}-  exact

// Where rows begin decides how many sectors and lines they touch.
// smem-lint: launch block=(32,8) grid=(4)
__global__ void copy_rows(const float *in, float *out, int pitch) {
  out[threadIdx.y * pitch + threadIdx.x] = in[blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x];
}
// CHECK-LABEL: copy_rows
// CHECK: out[threadIdx.y * pitch + threadIdx.x] {{ *}}store 32 {{.*}}assumed
// CHECK: out[threadIdx.y * pitch + threadIdx.x] {{ *}}store 32 {{ *}}? {{ *}}no formula (2)
// CHECK: (2) no formula: the alignment of the address is not known, because the value of argument `pitch` is not known
// PITCH-LABEL: copy_rows
// PITCH: open: pitch % 32 == 0
// PITCH: out[threadIdx.y * pitch + threadIdx.x] {{ *}}store 32 {{ *}}4  sectors {{ *}}128

// A value that contradicts a stronger fact is not used; one that satisfies it is.
// smem-lint: launch block=(32) grid=(4) n=100
__global__ void fill(float *out, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k += 32) out[k + threadIdx.x] = 1;
}
// RUN: %lint %s --checks='-*' --set 'n %% 32 == 0' | FileCheck %s --check-prefix=DROPPED
// RUN: %lint %s --checks='-*' --set 'n >= 50' | FileCheck %s --check-prefix=KEPT
// RUN: %lint %s --checks='-*' --launch 'fill:grid=? n=?' | FileCheck %s --check-prefix=OPEN
// DROPPED-LABEL: fill
// DROPPED: assumed: n=1024: 100 (comment) contradicts n % 32 == 0
// DROPPED: 4  sectors {{ *}}16*ceil(n/32)
// KEPT: fill  grid=(4) block=(32) n=100
// KEPT-NOT: open:
// OPEN-LABEL: fill
// OPEN: assumed: grid=(64,1,1): said to be not known
// OPEN: assumed: n=1024: said to be not known
// OPEN: 4*ceil(n/32)*gridDim.x
