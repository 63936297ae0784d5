// What a finding claims: a request's cost that holds whatever is not known of the launch is a warning and fails the run; one that rests on a value
// that was assumed is a note and does not.
// RUN: not %lint-short %s --kernel=certain --kernel=stopped | FileCheck %s --check-prefix=CERTAIN
// RUN: %lint-short %s --kernel=depends --kernel=free_of_conflicts --fail-on=note --checks='-launch-unknown' | FileCheck %s --check-prefix=DEPENDS --implicit-check-not=warning:
// RUN: not %lint-short %s --kernel=depends --launch 'depends:block=64 grid=1 pitch=64 dynamic=16384' | FileCheck %s --check-prefix=STATED
// RUN: %lint-short %s --kernel=depends --launch 'depends:block=64 grid=1 pitch=33 dynamic=16384' --checks=-smem-race,-smem-uninitialized | FileCheck %s --check-prefix=FREE --implicit-check-not=conflict
// RUN: not %lint-short %s --kernel=certain --kernel=depends --format=json | FileCheck %s --check-prefix=JSON
// RUN: not %lint-short %s --kernel=certain --format=sarif | FileCheck %s --check-prefix=SARIF

// How often is assumed; what a request costs is not.
// CERTAIN: claims.cu:[[#@LINE+11]]:{{[0-9]+}}: warning: 32-way bank conflict: load of tile[threadIdx.x % 32][k * step % 32] takes 32 wavefronts instead of 1, when blockDim.x % 32 == 0 {{.*}}[smem-bank-conflict]
// CERTAIN-NEXT: cost: {{.*}} avoidable here; how often it runs is assumed
// SARIF: 32-way bank conflict: load of tile{{.*}} takes 32 wavefronts instead of 1, when blockDim.x % 32 == 0
// JSON: "message": "32-way bank conflict: load
// JSON: "verdict": "assumed",
// JSON-NEXT: "reach": "all launches",
__global__ void certain(float *out, int n, unsigned step) {
  __shared__ float tile[32][32];
  tile[0][threadIdx.x % 32] = 1;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += tile[threadIdx.x % 32][k * step % 32];
  out[threadIdx.x] = sum;
}

// The pitch decides: the note names the value that was made up, the cases and what to say.
// DEPENDS: claims.cu:[[#@LINE+8]]:{{[0-9]+}}: note: {{[0-9]+}}-way bank conflict: store of line[{{.*}} if {{.*}}pitch={{[0-9]+}}, which {{is|are}} assumed
// DEPENDS: 2 kernels: launch not known; patterns hold for all launches
// STATED: warning: 32-way bank conflict: store of line
// FREE: no findings
// JSON: "severity": "note",
// JSON: "reach": "assumed",
__global__ void depends(float *out, int pitch) {
  extern __shared__ float line[];
  line[(threadIdx.x % 32) * pitch] = 1;
  __syncthreads();
  out[threadIdx.x] = line[threadIdx.x];
}

__global__ void free_of_conflicts(float *out, int n) {
  __shared__ float line[64];
  for (int k = 0; k < n; ++k) line[threadIdx.x % 32] = k;
  __syncthreads();
  out[threadIdx.x] = line[threadIdx.x % 32];
}

// A trip count that is data: how often it runs is not known.
// CERTAIN: claims.cu:[[#@LINE+8]]:{{[0-9]+}}: warning: 32-way bank conflict: load of tile[threadIdx.x % 32][k * step % 32] takes 32 wavefronts instead of 1, when
// CERTAIN-NEXT: cost: how often it runs is not known: `n[blockIdx.x]` is loaded from memory
__global__ void stopped(float *out, const int *n, unsigned step) {
  __shared__ float tile[32][32];
  const int steps = n[blockIdx.x];
  tile[0][threadIdx.x % 32] = 1;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < steps; ++k) sum += tile[threadIdx.x % 32][k * step % 32];
  out[threadIdx.x] = sum;
}
