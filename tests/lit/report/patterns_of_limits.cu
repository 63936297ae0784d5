// An index that is cut off at what all lanes have in common: its cost is that of the index itself as long as no lane is beyond the limit, that of the limit where all are, else a bound.
// RUN: %lint %s --fail-on=never --verbose | FileCheck %s
// CHECK-LABEL: above  grid=
// CHECK: t[i * 33 + threadIdx.x % 8]{{ +}}store 32 {{.*}}assumed
// CHECK: in all launches
// CHECK: t[i * 33 + ...Idx.x % 8]{{ +}}store 32 {{ *}}at most 32 wavefronts blockDim.x % 32 == 0 and (lanes above last) is none of 0, 32
// CHECK-NEXT: 4 wavefronts blockDim.x % 32 == 0 and (lanes above last) == 0
// CHECK-NEXT: 1 wavefront blockDim.x % 32 == 0 and (lanes above last) == 32
__global__ void above(const float *in, float *out, int ld, int last) {
  __shared__ float t[64 * 33];
  int i = threadIdx.y * 4 + threadIdx.x / 8;
  i = min(i, last);
  t[i * 33 + threadIdx.x % 8] = in[i * ld + threadIdx.x % 8];
  __syncthreads();
  out[threadIdx.x] = t[threadIdx.x];
}
// CHECK-LABEL: below  grid=
// CHECK: in all launches
// CHECK: in[max(i, first)]{{ +}}load 32 {{ *}}at most 32 sectors blockDim.x % 32 == 0 and (lanes below first) is none of 0, 32
// CHECK-NEXT: 5 sectors blockDim.x % 32 == 0 and (lanes below first) == 0 and address % 32 != 0
// CHECK-NEXT: 4 sectors blockDim.x % 32 == 0 and (lanes below first) == 0 and address % 32 == 0
__global__ void below(const float *in, float *out, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x - 1;
  out[threadIdx.x] = in[max(i, first)];
}
// Limits that lanes differ in are not known.
// CHECK-LABEL: either  grid=
// CHECK: in all launches
// CHECK: in[min(i, j)]{{ +}}load 32 {{ *}}not known
__global__ void either(const float *in, float *out, int a, int b) {
  int i = threadIdx.x * 2 + a, j = threadIdx.x * 3 + b;
  out[threadIdx.x] = in[min(i, j)];
}
