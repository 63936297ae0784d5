// What was assumed of a launch neither breaks an expectation nor shows that it holds: all launches do, or it is undecided, which fails the run and says what to state.
// RUN: not %lint-short %s --checks='-*,expectation*' | FileCheck %s --implicit-check-not=error:
// RUN: not %lint-short %s --checks='-*,expectation*' --launch 'cases:block=256 k=3 dynamic=8192' --kernel cases | FileCheck %s --check-prefix=STATED
// RUN: not %lint-short %s --checks='-*,expectation*' --kernel cases '--config={Budgets: [{Kernel: cases, Degree: 1, Wavefronts: 1e9, SharedBytes: 1e5}]}' | FileCheck %s --check-prefix=BUDGET
// RUN: %lint-short %s --checks='-*,expectation*' --kernel holds '--config={Budgets: [{Kernel: holds, Degree: 1, WavefrontsPerRequest: 1}]}' | FileCheck %s --check-prefix=HOLDS

// One case of `k` has no conflict, and that is the one that was chosen.
__global__ void cases(const float *in, float *out, int k) {
  extern __shared__ float s[];
  // CHECK: [[#@LINE+3]]:{{[0-9]+}}: error: expectation `degree<=1` cannot be shown to hold: it is 1 if block=(256,1,1), k=1024, which are assumed
  // CHECK-NEXT: hint: state it: --launch 'cases:block=<value> k=<value>'
  // STATED: error: expectation `degree<=1` is broken: it is 4
  s[threadIdx.x * ((k & 3) + 1)] = in[threadIdx.x]; // smem-lint: expect degree<=1
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x]; // smem-lint: expect degree<=1
}
// BUDGET-DAG: budget of cases: conflict degree cannot be shown to be at most 1: it is 1 if block=(256,1,1), k=1024, which are assumed
// BUDGET-DAG: budget of cases: wavefronts cannot be shown to be at most {{[0-9]+}}: it is {{[0-9]+}} in a launch that is assumed
// BUDGET-DAG: budget of cases: bytes of shared memory cannot be shown to be at most 100000: it is 49152 in a launch that is assumed

__global__ void pitched(const float *in, float *out, int pitch) {
  extern __shared__ float s[];
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: expectation `degree<=2` cannot be shown to hold: it is 32 if block=(256,1,1), pitch=32, which are assumed
  s[threadIdx.x * pitch] = in[threadIdx.x]; // smem-lint: expect degree<=2
  __syncthreads();
  // No case is dearer, whatever the pitch is.
  out[threadIdx.x] = s[threadIdx.x * pitch]; // smem-lint: expect degree<=32
  __syncthreads();
  // All whole warps have it.
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: expectation `degree<=2` is broken: it is 4, when blockDim.x % 32 == 0
  s[threadIdx.x * 4] = in[threadIdx.x]; // smem-lint: expect degree<=2
  // Not executed in the launch that was assumed, which shows nothing.
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: expectation `degree<=1` is broken: it is 8, when blockDim.x % 32 == 0
  if (pitch > 5000) s[threadIdx.x * 8] = in[threadIdx.x]; // smem-lint: expect degree<=1
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// HOLDS: no findings
__global__ void holds(const float *in, float *out, int n) {
  __shared__ float s[4096];
  s[threadIdx.x * 33] = in[threadIdx.x]; // smem-lint: expect degree<=1, wavefronts/request==1
  __syncthreads();
  for (int i = 0; i < n; ++i)
    out[threadIdx.x + i] = s[threadIdx.x + i]; // smem-lint: expect degree<=1
}
