// Of a launch that host code does not come to with the values that it was followed with, nothing is said that would be wrong of the others.
// RUN: %lint-short --fail-on=never %s | FileCheck %s --implicit-check-not=smem-race --implicit-check-not=outside
// RUN: %races %s | FileCheck %s --check-prefix=RACES
// CHECK: 32-way bank conflict
// RACES: by_width<16> {{.*}}: unknown {{.*}}host code does not come to the launch with the values that it was followed with
// RACES: by_width<32> {{.*}}: free
// RACES: by_stride {{.*}}block (16,1,1): unknown
// RACES: by_stride {{.*}}block (32,1,1): free

// 32 by 32 threads would leave the array of 16 by 16.
template <int W> __global__ void by_width(float *o) {
  __shared__ float s[W][W];
  s[threadIdx.y][threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.y] = s[threadIdx.x][threadIdx.y];
}
void of_width(float *o) {
  const int width = 32;
  if (width == 16)
    by_width<16><<<1, dim3(width, width)>>>(o);
  else
    by_width<32><<<1, dim3(width, width)>>>(o);
}

// 16 threads would take two rounds, and race across them.
__global__ void by_stride(float *o, int log) {
  extern __shared__ float x[];
  for (int t = threadIdx.x; t < (1 << log); t += blockDim.x) {
    x[threadIdx.x] = o[t];
    __syncwarp();
    o[t] = x[threadIdx.x ^ 1];
  }
}
void host(float *o, int log) {
  if (log <= 32)
    by_stride<<<1, 1 << log, 4 << log>>>(o, log);
  else
    by_stride<<<1, 16, 64>>>(o, log);
}
int main() {
  float *o;
  cudaMalloc(&o, 4096);
  of_width(o);
  host(o, 5);
}
