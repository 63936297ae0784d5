// Each lane has its own bank by the low bits of its address, whatever the others are: how far lanes of an unrolled loop have come, or what is loaded.
// RUN: %lint --checks=-* --format=json %s | %python -c 'import json, sys; [print(l["kernel"], s["line"], s["operation"], s["pattern"]["verdict"], [(c["when"], c["at_most"], c["wavefronts"]) for c in s["pattern"]["cases"]][:1]) for l in json.load(sys.stdin)["launches"] for s in l["sites"] if s["space"] == "shared"]' | FileCheck %s

__global__ void staged(const float *in, float *out, int n) {
  __shared__ float s[8192];
  for (int i = threadIdx.x; i < n; i += 128)
    s[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: staged [[#@LINE-4]] store cases [('blockDim.x % 32 == 0 or the block is one row', False, 1)]

__global__ void not_by_warps(const float *in, float *out, int n) {
  __shared__ float s[8192];
  for (int i = threadIdx.x; i < n; i += 48)
    s[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: not_by_warps [[#@LINE-4]] store unknown []

__global__ void rows_by_data(const int *row, float *out) {
  __shared__ float s[64 * 32];
  s[row[threadIdx.x] * 32 + (threadIdx.x & 31 ^ 5)] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: rows_by_data [[#@LINE-4]] store cases [('blockDim.x % 32 == 0 or the block is one row', False, 1)]

__global__ void padded_rows_by_data(const int *row, float *out) {
  __shared__ float s[64 * 33];
  s[row[threadIdx.x] * 33 + (threadIdx.x & 31)] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: padded_rows_by_data [[#@LINE-4]] store data []

// Half a row of banks each: two lanes may come to one.
__global__ void half_rows_by_data(const int *row, float *out) {
  __shared__ float s[64 * 16];
  s[row[threadIdx.x] * 16 + (threadIdx.x & 15)] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: half_rows_by_data [[#@LINE-4]] store data []
