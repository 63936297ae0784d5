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
int main() {
  int *in, *out, *also;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMalloc(&also, 4096);
  again<<<1, 64>>>(in, out);
  both_written<<<1, 64>>>(in, out, also);
}
