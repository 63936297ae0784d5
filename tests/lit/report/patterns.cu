// What requests cost in all launches: in JSON, and as a table with --verbose. No launch is known of any of these kernels.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json --check-prefix=JSON
// RUN: %lint %s --fail-on=never --verbose | FileCheck %s --check-prefix=TEXT
// RUN: %lint %s --fail-on=never | FileCheck %s --check-prefix=TABLE
// TABLE-NOT: {{^ +}}in all launches

// The rows are whole warps, or not; the array's row does not matter.
// JSON: "kernel": "rows"
// JSON: "expression": "tile[r][threadIdx.x]"
// JSON: "pattern": {
// JSON-NEXT: "verdict": "cases",
// JSON-NEXT: "cases": [
// JSON-NEXT: {
// JSON-NEXT: "when": "the block is one row, or whole rows fill its warps",
// JSON-NEXT: "at_most": false,
// JSON-NEXT: "wavefronts": 1,
// JSON-NEXT: "ideal_wavefronts": 1,
// JSON-NEXT: "conflict_degree": 1,
// JSON-NEXT: "sectors": null,
// JSON-NEXT: "ideal_sectors": null
// TEXT-LABEL: rows  grid=
// TEXT: in all launches
// TEXT: tile[r][threadIdx.x]{{ +}}store 32{{ +}}1 wavefront the block is one row, or whole rows fill its warps
__global__ void rows(float *out, int r) {
  __shared__ float tile[8][64];
  tile[r][threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 8][r];
}

// The stride of columns is a parameter. A small one has cases of its own.
// JSON: "kernel": "columns"
// JSON: "expression": "in[threadIdx.x * ld]"
// JSON: "pattern": {
// JSON-NEXT: "verdict": "cases",
// JSON: "when": "blockDim.x % 32 == 0 and |ld| <= 7",
// JSON: "at_most": true
// JSON: "when": "blockDim.x % 32 == 0 and |ld| >= 8",
// JSON-NEXT: "at_most": false
// JSON: "sectors": 32,
__global__ void columns(const float *in, float *out, int ld) { out[blockIdx.x] = in[threadIdx.x * ld]; }

// What is loaded decides.
// JSON: "kernel": "gather"
// JSON: "expression": "in[index[threadIdx.x]]"
// JSON: "pattern": {
// JSON-NEXT: "verdict": "data",
// JSON-NEXT: "cases": [],
// JSON-NEXT: "text": "depends on loaded data",
// JSON-NEXT: "reason": "`index[threadIdx.x]` is loaded from memory",
// JSON-NEXT: "reason_location": {
// JSON-NEXT: "file": "{{.*}}patterns.cu",
// JSON-NEXT: "line": [[#@LINE+3]],
// TEXT-LABEL: gather  grid=
// TEXT: in[index[threadIdx.x]]{{ +}}load 32{{ +}}depends on data
__global__ void gather(const float *in, const int *index, float *out) { out[blockIdx.x] = in[index[threadIdx.x]]; }

// One address in all lanes.
// JSON: "kernel": "uniform"
// JSON: "expression": "in[n]"
// JSON: "pattern": {
// JSON-NEXT: "verdict": "always",
// JSON-NEXT: "cases": [
// JSON-NEXT: {
// JSON-NEXT: "when": null,
// JSON: "sectors": 1,
// TEXT-LABEL: uniform  grid=
// TEXT: in[n]{{ +}}load 32{{ +}}1 sector always
__global__ void uniform(const float *in, float *out, int n) { out[blockIdx.x] = in[n]; }
