// Where all that a kernel writes is __restrict__, what it reads through other pointers is read-only memory to nvcc: ptxas loads it once, barriers or not. With a pointer of another kind that is
// written through it does not. nvcc 13.0 for sm_90, machine code read: one load in `again`, two in `both_written`.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
// CHECK-LABEL: {{^}}again
// CHECK: [[#@LINE+6]]:{{.*}} in[t] load 32 {{.*}} assumed (1)
// CHECK: [[#@LINE+8]]:{{.*}} in[t] load 32 {{.*}} assumed (1)
// CHECK: (1) assumed: nvcc neither eliminates nor repeats this access
__global__ void again(const int *in, int *__restrict__ out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t] //
           + in[t];
}
// CHECK-LABEL: {{^}}both_written
// CHECK: [[#@LINE+5]]:{{.*}} in[t] load 32 {{.*}} exact
// CHECK: [[#@LINE+7]]:{{.*}} in[t] load 32 {{.*}} exact
__global__ void both_written(const int *in, int *__restrict__ out, int *also) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t] //
           + in[t];
  also[t] = t;
}
// Atomics and loads that are volatile are no other writes.
// CHECK-LABEL: {{^}}exchanged
// CHECK: [[#@LINE+8]]:{{.*}} in[t] load 32 {{.*}} assumed (3)
// CHECK: [[#@LINE+12]]:{{.*}} in[t] load 32 {{.*}} assumed (3)
// CHECK: (3) assumed: nvcc neither eliminates nor repeats this access
__global__ void exchanged(const int *in, int *__restrict__ out, volatile int *seen) {
  __shared__ int tile[64], other[64];
  const int t = threadIdx.x;
  const int last = *seen;
  int *either = last > 3 ? tile : other;
  tile[t] = in[t];
  either[t] = last;
  atomicCAS(&tile[t % 4], 1, 2);
  __syncthreads();
  atomicCAS(out + t, tile[63 - t] + other[t], //
            in[t]);
}
// A pointer that a structure has leads to such memory as well.
// CHECK-LABEL: {{^}}in_loop
// CHECK: [[#@LINE+12]]:{{.*}} in.values[t] load 32 {{.*}} assumed (1)
struct Input {
  const int *values;
};
__global__ void in_loop(Input in, int *__restrict__ out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    tile[t] = i;
    __syncthreads();
    sum += tile[63 - t] * in.values[t];
    __syncthreads();
  }
  out[t] = sum;
}
// CHECK-LABEL: {{^}}sunk
// CHECK: [[#@LINE+4]]:{{.*}} in[t] load 32 {{.*}} assumed (1)
__global__ void sunk(const int *in, int *__restrict__ out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  const int loaded = in[t];
  tile[t] = n;
  __syncthreads();
  int sum = tile[63 - t];
  if (sum > 7) {
    for (int i = 0; i < n; ++i)
      sum += tile[(sum + i) & 63];
    out[t] = loaded + sum;
  }
}
// CHECK: (1) assumed: {{.*}} [assumed-load-sinking]
// CHECK-LABEL: {{^}}fenced
// CHECK: [[#@LINE+5]]:{{.*}} in[t] load 32 {{.*}} exact
// CHECK: [[#@LINE+8]]:{{.*}} in[t] load 32 {{.*}} exact
__global__ void fenced(const int *in, int *__restrict__ out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __threadfence();
  __syncthreads();
  out[t] = tile[63 - t] //
           + in[t];
}
// What is written has another type, which says nothing to nvcc.
// CHECK-LABEL: {{^}}of_another_type
// CHECK: [[#@LINE+5]]:{{.*}} in[t] load 32 {{.*}} exact
// CHECK: [[#@LINE+7]]:{{.*}} in[t] load 32 {{.*}} exact
__global__ void of_another_type(const int *in, float *out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t] //
           + in[t];
}
int main() {
  int *in, *out, *also;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMalloc(&also, 4096);
  again<<<1, 64>>>(in, out);
  both_written<<<1, 64>>>(in, out, also);
  exchanged<<<1, 64>>>(in, out, also);
  in_loop<<<1, 64>>>(Input{in}, out, 6);
  sunk<<<1, 64>>>(in, out, 6);
  fenced<<<1, 64>>>(in, out);
  of_another_type<<<1, 64>>>(in, reinterpret_cast<float *>(out));
}
