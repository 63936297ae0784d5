// A hint keeps rows aligned for what the source accesses at once, in any kernel that the array is in; what the compiler merges is no obstacle.
// RUN: %lint --fail-on=never %s | FileCheck %s

__global__ void of_vectors(float *out, const float *in, int n) {
  __shared__ float s[32][32];
  const int x = threadIdx.x;
  for (int r = x / 8; r < 32; r += 4)
    *(float4 *)&s[r][x % 8 * 4] = *(const float4 *)(in + r * 32 + x % 8 * 4);
  __syncthreads();
  out[x] = s[x][n];
  // CHECK: [[#@LINE-1]]:{{.*}}32-way bank conflict: load of s[x][n]
  // CHECK: hint: pad the rows: `float s[32][36]` makes it 4 wavefronts; they stay multiples of the 16 bytes that the source accesses at once elsewhere
}

// The condition on what is loaded leaves the store unknown, and it is in the array all the same.
__global__ void of_an_unknown(float *out, const float *in, int n) {
  __shared__ float q[32][32];
  const int x = threadIdx.x;
  for (int r = 0; r < 32; r++)
    q[r][x] = in[r * 32 + x];
  if (in[0] > 0)
    *(float2 *)&q[x / 16][x % 16 * 2] = *(const float2 *)(in + x * 2);
  __syncthreads();
  out[x] = q[x][n];
  // CHECK: [[#@LINE-1]]:{{.*}}32-way bank conflict: load of q[x][n]
  // CHECK: hint: pad the rows: `float q[32][34]` makes it 2 wavefronts; they stay multiples of the 8 bytes that the source accesses at once elsewhere
}

__global__ void of_merged_loads(float *out, const float *in, int n) {
  __shared__ float t[32][32];
  const int x = threadIdx.x;
  for (int r = 0; r < 32; r++)
    t[r][x] = in[r * 32 + x];
  __syncthreads();
  out[x] = t[x][n] + t[n][0] + t[n][1] + t[n][2] + t[n][3];
  // CHECK: [[#@LINE-1]]:{{.*}}32-way bank conflict: load of t[x][n]
  // CHECK: hint: pad the rows: `float t[32][33]` makes it 1 wavefront
}

// One padding for both findings, whatever suits one of them alone: with 4 more, t's rows would keep the wide stores.
// smem-lint: launch block=(256)
__global__ void of_two_findings(int *out, const int *in, int n) {
  __shared__ int t[256][8];
#pragma unroll
  for (int i = 0; i < 8; i++)
    t[threadIdx.x][i] = 0;
  // CHECK: [[#@LINE-1]]:{{.*}}2-way bank conflict: store of t[threadIdx.x][i]
  // CHECK: hint: pad the rows: `int t[256][9]` makes it 4 wavefronts
  for (int j = 0; j < n; j++)
    t[threadIdx.x][j & 7] += in[j];
  // CHECK: [[#@LINE-1]]:{{.*}}8-way bank conflict: load and store of t[threadIdx.x][j & 7]
  // CHECK: hint: pad the rows: `int t[256][9]` makes it 1 wavefront
  __syncthreads();
  out[threadIdx.x] = t[threadIdx.x][n & 7];
}

void run(float *out, const float *in) {
  of_vectors<<<1, 32>>>(out, in, 7);
  of_an_unknown<<<1, 32>>>(out, in, 7);
  of_merged_loads<<<1, 32>>>(out, in, 7);
}
