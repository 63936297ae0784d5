// What only blocks of several rows would cost is not said of a kernel that reads threadIdx.x alone; of one that reads rows it is.
// RUN: %lint-short --fail-on=never --format=oneline --checks='-*,smem-bank-conflict' %s | FileCheck %s --implicit-check-not=conflict: --implicit-check-not=lanes:

struct Pair {
  double first, second;
};

__global__ void of_one_row(const double *in, double *out) {
  __shared__ Pair sum;
  if (blockDim.x < 32 && threadIdx.x == 0)
    sum = {in[0], in[1]};
  __syncthreads();
  out[threadIdx.x] = sum.first + sum.second;
}

// CHECK: [[#@LINE+4]]:{{[0-9]+}}: {{warning|note}}: 8-way bank conflict: store of s[threadIdx.x][threadIdx.y] {{.*}}blockDim.x == 16 in full warps
__global__ void of_rows(const float *in, float *out) {
  __shared__ float s[16][16];
  if (blockDim.x == 16)
    s[threadIdx.x][threadIdx.y] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[0][threadIdx.x % 16];
}
