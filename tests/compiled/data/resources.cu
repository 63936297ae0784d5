// What ptxas makes of kernels: registers, spills, a local array, static shared memory.
__global__ void tiled(const float *in, float *out) {
  __shared__ float s[33 * 32];
  s[threadIdx.y * 33 + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x * 33 + threadIdx.y];
}

__global__ void local_array(float *out, int k) {
  float v[16];
  for (int i = 0; i < 16; ++i)
    v[(i * k) & 15] = i + k;
  out[threadIdx.x] = v[k & 15];
}

__global__ void __launch_bounds__(1024, 2) spilling(float *out, const float *in, int n) {
  float v[36];
#pragma unroll
  for (int i = 0; i < 36; ++i)
    v[i] = in[i * 1024 + threadIdx.x];
  for (int k = 0; k < n; ++k) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 36; ++i)
      v[i] = v[i] * v[(i + 7) % 36] + in[k];
  }
#pragma unroll
  for (int i = 0; i < 36; ++i)
    out[i * 1024 + threadIdx.x] = v[i];
}

int main() {
  float *p;
  cudaMalloc(&p, 1 << 20);
  tiled<<<4, dim3(32, 32)>>>(p, p);
  local_array<<<2, 64>>>(p, 3);
  spilling<<<2, 1024>>>(p, p, 3);
  return cudaDeviceSynchronize();
}
