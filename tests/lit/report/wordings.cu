// What texts name: arrays below casts, blocks of which some axes are known, what `dynamic` is the size of; and notes that are counted where they are shown.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not='block=?' %s
// RUN: %lint-short --fail-on=never %s 2>&1 | FileCheck --check-prefix=SHORT %s
// RUN: %lint-short --fail-on=never --kernel=shared_by_launch %s 2>&1 | FileCheck --check-prefix=NOTES --implicit-check-not=finding %s

// CHECK-DAG: :[[#@LINE+4]]:{{.*}} bank conflict: store of *(float4 *)&rows[threadIdx.y][4 * threadIdx.x] takes
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}} {{ *}}*(const float4 *)(in + 4 * threadIdx.x) {{ *}}load 128 {{.*}}assumed
__global__ void casts(const float *in, float *out) {
  __shared__ __align__(16) float rows[16][24];
  *(float4 *)&rows[threadIdx.y][4 * threadIdx.x] = *(const float4 *)(in + 4 * threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = rows[threadIdx.y][threadIdx.x];
}

// CHECK-DAG: :[[#@LINE+9]]:{{.*}} load of s[lane * 32 + i] takes {{.*}} in all launches with blockDim.y == 1 and blockDim.z == 1
__global__ void few(float *p) {
  __shared__ float s[1024];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  const unsigned lane = threadIdx.x;
  float sum = 0;
  if (lane < 32 && lane < blockDim.x / 32) {
#pragma unroll
    for (int i = 0; i < 32; i++) sum += s[lane * 32 + i];
    p[lane] = sum;
  }
}

// CHECK-DAG: dynamic=4096 (bytes of dynamic shared memory) follow from the host code
// NOTES: no findings, 1 note about the analysis, in 1 file, 1 kernel, 1 launch
__global__ void shared_by_launch(float *p) {
  extern __shared__ float s[];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1];
}

void run(float *p, const float *q, int threads, int n) {
  casts<<<1, dim3(4, 16)>>>(q, p);
  few<<<n, threads>>>(p);
  shared_by_launch<<<n, threads, n * 4>>>(p);
}
// SHORT: 3 findings (3 warnings), 2 notes about the analysis, in 1 file
