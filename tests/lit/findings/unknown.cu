// An index that comes out of global memory: never a guess, and the place that it comes from is named.
// RUN: %lint %s | FileCheck %s
// RUN: %lint %s --format=json | FileCheck %s --check-prefix=JSON

// smem-lint: launch block=(256) grid=(16)
__global__ void histogram(const unsigned char *data, unsigned *total) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const unsigned char byte =
      data[blockIdx.x * 256 + threadIdx.x];
  atomicAdd(&bins[byte], 1u);
// CHECK-NOT: {{warning|error}}:
// CHECK: 12:3  atomicAdd(&bins[byte], 1u)  atomic 32  {{ *}}?  {{ *}}?  {{ *}}?  {{ *}}?  unknown (1)
  __syncthreads();
  total[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
// CHECK: [[#@LINE-1]]:43  bins[threadIdx.x] {{ *}}load 32 {{ *}}128 {{ *}}128 {{ *}}128 {{ *}}-  exact
// CHECK: total {{ *}}>=
}
// What is known all the same: a byte is one of 256 words, and equal words count at once.
// CHECK: depends on data {{ *}}index {{ *}}best  worst  uniform data  a request
// CHECK-NEXT: 12:3  atomicAdd(&bins[byte], 1u)  atomic 32  0 to 255 {{ *}}1 {{ *}}8 {{ *}}3.15  wavefronts
// CHECK: (1) unknown: `data[blockIdx.x * 256 + threadIdx.x]` is loaded from memory {{.*}}11
// CHECK: memory instructions: {{[0-9]+}} exact, 0 assumed, 1 unknown

// JSON: "expression": "atomicAdd(&bins[byte], 1u)"
// JSON: "verdict": "unknown"
// JSON-NEXT: "reason": "{{.+}}"
// JSON-NEXT: "reason_location": {
// JSON-NEXT: "file": "{{.*}}unknown.cu",
// JSON-NEXT: "line": 11,
// JSON: "requests": null,
// JSON-NEXT: "wavefronts": null,
// JSON-NEXT: "ideal_wavefronts": null,
// JSON-NEXT: "conflict_degree": null,
