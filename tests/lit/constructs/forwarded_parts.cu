// A part of what a thread has stored itself is forwarded to its load, through all the stores that follow in the block. nvcc 13.0 for sm_90, machine code read:
// no load in `forwarded`, one in `read_back`.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
// CHECK-LABEL: {{^}}forwarded
// CHECK: rows[34 * thread + i] {{.*}}store {{.*}} exact
// CHECK-NOT: load 16
// CHECK: global memory
__global__ void forwarded(const unsigned *in, int *out) {
  __shared__ unsigned rows[34 * 32];
  const int thread = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 32; ++i)
    rows[34 * thread + i] = in[34 * thread + i];
  out[thread] = reinterpret_cast<short *>(rows)[68 * thread];
}
// An unsigned product may wrap around before it is extended to an address of 64 bits; nvcc has 32.
// CHECK-LABEL: {{^}}unsigned_index
// CHECK: load 16 {{.*}} assumed (1)
// CHECK: (1) assumed: nvcc neither eliminates nor repeats this access
__global__ void unsigned_index(const unsigned *in, int *out) {
  __shared__ unsigned words[32];
  words[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = reinterpret_cast<short *>(words)[2 * threadIdx.x];
}
// CHECK-LABEL: {{^}}read_back
// CHECK: load 16 {{.*}} exact
__global__ void read_back(const unsigned *in, int *out) {
  __shared__ unsigned rows[34 * 32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    rows[34 * threadIdx.x + i] = in[34 * threadIdx.x + i];
  __syncwarp();
  out[threadIdx.x] = reinterpret_cast<short *>(rows)[68 * (31 - threadIdx.x)];
}
int main() {
  unsigned *in;
  int *out;
  cudaMalloc(&in, 1 << 16);
  cudaMalloc(&out, 1 << 12);
  forwarded<<<1, 32>>>(in, out);
  unsigned_index<<<1, 32>>>(in, out);
  read_back<<<1, 32>>>(in, out);
}
