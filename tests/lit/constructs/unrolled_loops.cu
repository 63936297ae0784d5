// Lanes that leave a loop at different iterations meet as nvcc has unrolled it. The figures are an H200's counters of nvcc 13.0's code
// for sm_90.
// RUN: %lint --fail-on=never %s | FileCheck %s

// Counts from a constant: four at a time, what is left at the end; ptxas makes sixteen, eight and four of the fours.
__global__ void triangle(float *out, int n) {
  __shared__ float s[4096];
  const int t = threadIdx.x;
  float sum = 0;
  s[t] = n;
  __syncthreads();
  for (int k = 0; k <= t; ++k) sum += s[k * 32 + t];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[k * 32 + t] {{ *}}load 32 {{ *}}252 {{.*}}assumed
  out[t] = sum;
}

// Steps by a constant: what is left comes first.
__global__ void strided(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 128) sum += in[k];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[k] {{ *}}load 32 {{ *}}16 {{.*}}exact
  out[threadIdx.x] = sum;
}

// Steps by what only the machine knows: rolled.
__global__ void by_block(const float *in, float *out, int n) {
  float most = 0;
  for (int k = threadIdx.x; k < n; k += blockDim.x) most = fmaxf(most, in[k]);
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[k] {{ *}}load 32 {{ *}}32 {{.*}}exact
  out[threadIdx.x] = most;
}

// Unsigned arithmetic, which may wrap around for all nvcc knows, wherever the counter starts: rolled.
__global__ void by_warp(float *out, int n) {
  for (int k = threadIdx.x % 32; k < n; k += 32u) out[k] = n;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} out[k] {{ *}}store 32 {{ *}}72 {{ *}}276 {{ *}}276 {{ *}}72 {{.*}}assumed
}

// One thread sums up what the warps left, from the second on: nvcc makes four iterations one, ptxas sixteen, eight and four, in which it loads
// what lies in 16 bytes at once: 17 loads of 31 numbers.
__global__ void last_step(float *out) {
  __shared__ float sums[32];
  const int t = threadIdx.x;
  sums[t % 32] = t;
  __syncthreads();
  if (t == 0) {
    float sum = sums[0];
    const int warps = blockDim.x / 32;
    for (int i = 1; i < warps; ++i) sum += sums[i];
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} sums[i] {{ *}}load 128 {{ *}}7 {{.*}}assumed
    // CHECK: [[#@LINE-2]]:{{[0-9]+}} sums[i] {{ *}}load 32 {{ *}}6 {{.*}}assumed
    out[0] = sum;
  }
}

// From the first on nothing depends on how many iterations are one.
__global__ void all_steps(float *out) {
  __shared__ float sums[32];
  const int t = threadIdx.x;
  sums[t % 32] = t;
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (int i = 0; i < blockDim.x / 32; ++i) sum += sums[i];
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} sums[i] {{ *}}load 128 {{ *}}8 {{.*}}exact
    out[0] = sum;
  }
}

// To an inclusive bound nvcc unrolls nothing, as the counter may wrap; what ptxas does is left open.
__global__ void inclusive(float *a, const float *b, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i <= n; i += 64) sum += b[i];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} b[i] {{ *}}load 32 {{ *}}3 {{.*}}assumed
  a[threadIdx.x] = sum;
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  triangle<<<2, 64>>>(b, 500);
  strided<<<2, 64>>>(a, b, 500);
  by_block<<<2, 64>>>(a, b, 500);
  by_warp<<<2, 64>>>(b, 545);
  last_step<<<1, 1024>>>(b);
  all_steps<<<1, 1024>>>(b);
  inclusive<<<1, 64>>>(a, b, 90);
}

// The iterations that are left over of a loop that is to be unrolled are straight code here, and one LDS.128, as are four in the loop.
// smem-lint: launch block=4,16 grid=1 n=15
__global__ void left_over_of_told(float *out, int n) {
  __shared__ float a[4][16][24], b[16][24];
  const int x = threadIdx.x, y = threadIdx.y;
  float c[4] = {};
  for (int j = 0; j < 4; ++j) a[j][y][x * 4] = a[j][y][x * 4 + 1] = a[j][y][x * 4 + 2] = a[j][y][x * 4 + 3] = j;
  b[y][x] = b[y][x + 4] = b[y][x + 8] = b[y][x + 12] = x;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; ++j)
#pragma unroll
    for (int k = 0; k < n; ++k)
      c[j] += a[j][y][k] * b[k][x * 4];
  // CHECK: {{ +}}[[#@LINE-1]]:{{[0-9]+}} a[j][y][k] {{ *}}load 32 {{.*}} assumed
  out[y * 4 + x] = c[0] + c[1] + c[2] + c[3];
}

// Sixteen loads of global memory, four iterations' each of which is stored at once: ptxas makes four of these one. By machine code it does not with eighteen.
// smem-lint: launch block=(128) grid=(2) n=37
__global__ void sixteen_loads(const int *in, int *out, int n) {
  __shared__ __align__(16) int s[1024];
  const int t = threadIdx.x;
  for (int i = t & 7; i < n; ++i) {
    s[4 * (i + t)] = in[4 * (i + t)];
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[4 * (i + t)] {{ *}}load 32 {{.*}}assumed
    s[4 * (i + t) + 1] = in[4 * (i + t) + 1];
    s[4 * (i + t) + 2] = in[4 * (i + t) + 2];
    s[4 * (i + t) + 3] = in[4 * (i + t) + 3];
  }
  __syncthreads();
  out[t] = s[t];
}
