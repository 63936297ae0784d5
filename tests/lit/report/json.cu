// The fields of a site; the schema itself is checked on the whole catalogue.
// RUN: not %lint %s --format=json | FileCheck %s
// RUN: not %lint %s --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json
// smem-lint: launch block=(32) grid=(2) n=3
__global__ void column(float *out, int n) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][n] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[0][threadIdx.x];
}
// CHECK: "schema_version": "1.
// CHECK: "arch": "sm_90"
// CHECK: "source": "shipped"
// CHECK: "kernel": "column"
// CHECK-NEXT: "mangled": "_Z6columnPfi"
// CHECK: "line": 6
// CHECK: "shared_bytes": 4096
// CHECK: "name": "n"
// CHECK: "value": 3
// CHECK-NEXT: "provenance": "comment"
// CHECK: "kind": "comment"
// CHECK: "line": 8,
// CHECK-NEXT: "column": {{[0-9]+}},
// CHECK-NEXT: "inlined_at": []
// CHECK: "space": "shared"
// CHECK-NEXT: "operation": "store"
// CHECK-NEXT: "width_bits": 32
// CHECK: "expression": "tile[threadIdx.x][n]"
// CHECK-NEXT: "address": "tile + {{.*}}"
// CHECK: "array": "tile"
// CHECK: "line": 7,
// CHECK: "verdict": "exact"
// CHECK-NEXT: "reason": null
// CHECK: "requests": 2,
// CHECK-NEXT: "wavefronts": 64,
// CHECK-NEXT: "ideal_wavefronts": 2,
// CHECK-NEXT: "conflict_degree": 32,
// CHECK-NEXT: "sectors": 0,
// CHECK-NEXT: "ideal_sectors": 0,
// CHECK-NEXT: "tags": 0
// CHECK: "findings": [
// CHECK: "rule": "smem-bank-conflict"
// CHECK: "summary"
