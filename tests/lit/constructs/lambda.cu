// The body of a device lambda counts for the kernel that it is inlined into, at the lambda's own line.
// RUN: not %lint %s -- --extended-lambda -std=c++17 | FileCheck %s
template <typename Body> __global__ void apply(float *out, Body body) {
  __shared__ float tile[32 * 32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = body(tile, static_cast<int>(threadIdx.x));
}

void run(float *out) {
  apply<<<2, 32>>>(out, [] __device__(const float *tile, int i) {
    return tile[i * 32];
  });
}
// CHECK: lambda.cu:12:12: warning: 32-way bank conflict: load of tile[i * 32] takes 32 wavefronts instead of 1 [smem-bank-conflict]
// CHECK: apply{{.*}}  grid=(2) block=(32)
// CHECK: 5:21  tile[threadIdx.x] {{ *}}store 32 {{ *}}2 {{ *}}2 {{.*}}exact
// CHECK: 12:12  tile[i * 32] {{ *}}load 32 {{ *}}2 {{ *}}64 {{.*}}exact
