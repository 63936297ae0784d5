// Where nvcc's choice was read both ways, or a rule of it is not known: no row is exact.
// RUN: %lint --fail-on=never %s | FileCheck %s

// Two branches with one condition, and a little arithmetic between them: LDS.64, as it moves into the first, or LDS, LDS.
// smem-lint: launch block=64 grid=1 n=40
__global__ void equal_guards(float *out, const float *in, int n) {
  __shared__ alignas(8) float s[128];
  const int t = threadIdx.x;
  s[t] = in[t], s[t + 64] = in[t + 64];
  __syncthreads();
  float a = t < n ? s[2 * t] : 0;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} s[2 * t] {{.*}}load 32 {{.*}}assumed
  a *= 3;
  const float b = t < n ? s[2 * t + 1] : 0;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} s[2 * t + 1] {{.*}}load 32 {{.*}}assumed
  out[t] = a * b;
}

// A bit that is tested: LDS.U8 of the byte that has it, LDG.32 where it becomes a flag.
// smem-lint: launch block=64 grid=1
__global__ void bits(bool *out, const int *in) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (s[t ^ 1] & 256) out[0] = true;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} s[t ^ 1] {{.*}}load {{.*}}assumed
  out[t + 1] = in[t] & 1;
}

// The half of 64 bits that is used: LDS.32. A whole word is what it is.
// smem-lint: launch block=64 grid=1
__global__ void half(long long *out, const long long *in) {
  __shared__ long long s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = static_cast<int>(s[t ^ 1]);
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} s[t ^ 1] {{.*}}load {{.*}}assumed
  out[t + 64] = s[t ^ 2];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} s[t ^ 2] {{.*}}load 64 {{.*}}exact
}

// fmaxf() is still a call where nvcc if-converts: the load stays in its branch, one for each i. LDS.32 x4.
// smem-lint: launch block=64 grid=1
__global__ void called_in_a_branch(float *out, const float *in) {
  __shared__ alignas(16) float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float most = -1e30f;
  for (int i = 0; i < 4; ++i)
    if (i != t) most = fmaxf(most, s[i]);
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} s[i] {{.*}}load 32 {{ *}}8 {{.*}}exact
  out[t] = most;
}

// 127 iterations by four leave in the midst: ptxas unrolls them once more, and merges across the exit. LDS.128 x32.
// smem-lint: launch block=64 grid=1
__global__ void leaves_in_the_midst(float *out, const float *in) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t], s[t + 64] = 2;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 127; ++i)
    sum += s[i];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} s[i] {{.*}}load 128 {{.*}}assumed
  // CHECK-DAG: {{ +}}[[#@LINE-2]]:{{[0-9]+}} s[i] {{.*}}load 32 {{.*}}assumed
  out[t] = sum;
}

// Iterations that are left over have a pointer of their own, to the third of four words: LDS.128 in the loop, two LDS.64 in the rest.
// smem-lint: launch block=64 grid=1 n=20
__global__ void left_over(float *out, const float *in, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += 4)
    sum += s[i] + s[i + 1] + s[i + 2] + s[i + 3];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} s[i] {{.*}}load 128 {{.*}}assumed
  out[t] = sum;
}

// The same with members, whose index is extended where the first is loaded and, for the store, on the other side: LDG.64.
// smem-lint: launch block=(64) grid=(1) n=20
__global__ void equal_guards_of_members(float2 *__restrict__ out, const float2 *__restrict__ in, int n) {
  const int t = threadIdx.x;
  float2 v;
  v.x = t < n ? in[t].x : 0; v.y = t < n ? in[t].y : 0;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[t].x {{ *}}load {{.*}} assumed
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} in[t].y {{ *}}load {{.*}} assumed
  out[t] = v;
}

// Stores in two branches with one condition, the same for all lanes, around an atomic on global memory: STS.64; with one that lanes differ in STS, STS.
// smem-lint: launch block=(64) grid=(1) n=20
__global__ void around_atomic(int *__restrict__ out, int *__restrict__ count, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  if (n > 3) s[2 * t] = n;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[2 * t] {{ *}}store {{.*}} assumed
  atomicAdd(count, 1);
  if (n > 3) s[2 * t + 1] = t;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[2 * t + 1] {{ *}}store {{.*}} assumed
  __syncthreads();
  out[t] = s[t];
}
