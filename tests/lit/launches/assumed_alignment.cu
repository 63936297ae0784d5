// __device__ arrays are only aligned as their types are, so that counts that depend on more are assumed; and so are formulas where a
// pointer comes through a parameter of a host function.
// RUN: %lint --verbose %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

__device__ int slack[1024 * 1024];
__device__ int cover[1024];
__device__ float4 wide[64];
__device__ __align__(256) int aligned[1024];

__global__ void narrow() { cover[threadIdx.x] = slack[threadIdx.x + 1024 * blockIdx.x]; }
// CHECK-LABEL: narrow  grid=(16) block=(256)
// CHECK: store 32 {{ *}}128 {{ *}}512 {{.*}}assumed (1)
// CHECK: load 32 {{ *}}128 {{ *}}512 {{.*}}assumed (1)
// CHECK: (1) assumed: slack, cover start at multiples of 256 bytes: __device__ variables are only aligned as their types are
__global__ void enough() { aligned[threadIdx.x] = 1; }
// CHECK-LABEL: enough  grid=(16) block=(256)
// CHECK: store 32 {{ *}}128 {{ *}}512 {{.*}}exact
__global__ void pitched(const float *in, float *out, int pitch) { out[threadIdx.x] = in[blockIdx.x * pitch * 32 + threadIdx.x]; }
// CHECK-LABEL: pitched  grid=(16) block=(256)
// CHECK: for any value
// CHECK-NEXT: store 32 {{ *}}4  sectors  512
// CHECK-NEXT: load 32 {{ *}}4  sectors  512

int main() {
  narrow<<<16, 256>>>();
  enough<<<16, 256>>>();
}
void run(const float *in, float *out, int pitch) { pitched<<<16, 256>>>(in, out, pitch); }
