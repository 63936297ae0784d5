// What all lanes of a warp load from one place is one number: it moves the request and decides nothing. In rows that are no whole warps lanes may load several.
// RUN: %lint --checks=-* --format=json %s | %python -c 'import json, sys; [print(l["kernel"], s["line"], s["operation"], s["pattern"]["verdict"], [(c["when"], c["sectors"]) for c in s["pattern"]["cases"]][:2]) for l in json.load(sys.stdin)["launches"] for s in l["sites"]]' | FileCheck %s

__global__ void row_of_threads(const int *rows, const float *x, float *out, int n) {
  const int r = rows[blockIdx.y * blockDim.y + threadIdx.y];
  out[threadIdx.x] = x[r * 64 + threadIdx.x];
}
// CHECK: row_of_threads [[#@LINE-2]] load cases [('blockDim.x % 32 == 0 and address % 32 == 0', 4), ('blockDim.x % 32 == 0 and address % 32 != 0', 5)]

__global__ void row_of_warp(const int *rows, const float *x, float *out, int n) {
  const int r = rows[blockIdx.x * 8 + threadIdx.x / 32];
  out[threadIdx.x] = x[r * n + threadIdx.x % 32];
}
// CHECK: row_of_warp [[#@LINE-2]] load cases [('blockDim.x % 32 == 0 and address % 32 == 0', 4), ('blockDim.x % 32 == 0 and address % 32 != 0', 5)]

__global__ void row_of_lane(const int *rows, const float *x, float *out, int n) {
  const int r = rows[threadIdx.x];
  out[threadIdx.x] = x[r * n + threadIdx.x];
}
// CHECK: row_of_lane [[#@LINE-2]] load data []
