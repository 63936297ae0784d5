// Loads that one arm of a branch uses, structures copied through variables, loops of unknown length around barriers, and vectors added at once.
#include <cuda_runtime.h>

struct Sigmoid {
  __device__ float operator()(float v) const { return v / (1.0f + v * v); }
};
template <typename Act>
__global__ void masked(const float *x, const float *bias, float *y, const int *keep, int columns, float by, Act act) {
  const int t = threadIdx.x;
  const float v = act(x[t] + bias[t % columns]);
  const bool kept = keep[t] > 3;
  y[t] = kept ? v / by : 0.0f;
}
__global__ void clamped(const int *x, int *y, int bound) {
  const int t = threadIdx.x;
  const int v = x[t];
  const int w = x[t + 64];
  y[t] = t % 32 < 8 ? min(v, bound) : 0;
  y[t + 64] = t % 32 < 8 ? w * 3 + bound : 0;
}
__global__ void scaled(const float *x, int *y, float scale) {
  const int t = threadIdx.x;
  const float v = x[t];
  const float w = x[t + 64];
  y[t] = t % 32 < 5 ? (int)(v * scale) : -1;
  y[t + 64] = t % 32 < 5 ? w > scale : -1;
}
__global__ void eighths(const unsigned *x, unsigned *y) {
  const unsigned t = threadIdx.x;
  const unsigned v = x[t];
  const unsigned w = x[t + 64];
  y[t] = t % 32 < 9 ? v / 8 : 0;
  y[t + 64] = t % 32 < 9 ? w >> 3 : 0;
}
__global__ void roots(const float *x, float *y) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  const float v = s[t * 2 % 64];
  y[t] = (t & 3) == 0 ? sqrtf(v) : 1.0f;
}

struct Particle {
  int id;
  float at[3];
};
struct Tensor {
  float m[3][3];
};
__global__ void particles(const Particle *in, Particle *out) {
  __shared__ Particle s[64];
  const int t = threadIdx.x;
  const Particle p = in[t];
  s[t] = p;
  __syncthreads();
  const Particle q = s[t ^ 1];
  out[t] = q;
}
__global__ void tensors(const Tensor *in, Tensor *out) {
  const int t = threadIdx.x;
  const Tensor a = in[t];
  out[63 - t] = a;
}
__global__ void points(const float3 *in, float3 *out) {
  __shared__ float3 s[64];
  const int t = threadIdx.x;
  const float3 p = in[t];
  s[t] = p;
  __syncthreads();
  const float3 q = s[63 - t];
  out[t] = q;
}
__global__ void exchanged(Particle *all) {
  const int t = threadIdx.x;
  const Particle p = all[t];
  const Particle q = all[t + 64];
  all[t] = q;
  all[t + 64] = p;
}

__global__ void odd_even(int *data, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = data[t];
  s[t + 64] = data[t + 64];
  __syncthreads();
  for (int phase = 0; phase < n; phase++) {
    const int i = 2 * t + (phase & 1);
    if (i + 1 < n) {
      const int a = s[i];
      const int b = s[i + 1];
      if (a > b) {
        s[i] = b;
        s[i + 1] = a;
      }
    }
    __syncthreads();
  }
  data[t] = s[t];
  data[t + 64] = s[t + 64];
}
__global__ void waves(float *data, int steps) {
  __shared__ float s[66];
  const int t = threadIdx.x;
  s[t + 1] = data[t];
  if (t < 2)
    s[t * 65] = 0;
  __syncthreads();
  for (int step = 0; step < steps; step++) {
    const float left = s[t];
    const float right = s[t + 2];
    __syncthreads();
    s[t + 1] = (left + right) * 0.5f;
    __syncthreads();
  }
  data[t] = s[t + 1];
}
__global__ void sums(const float *data, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    const float v = data[i * 32 + threadIdx.x];
    sum += __shfl_xor_sync(0xffffffffu, v, 1);
  }
  out[threadIdx.x] = sum;
}

__global__ void vectors(const float *x, float2 *pairs, float4 *quads, float4 *old) {
  const int t = threadIdx.x;
  const float v = x[t];
  atomicAdd(&pairs[t], make_float2(v, v));
  atomicAdd(&quads[t], make_float4(v, v, v, v));
  old[t] = atomicAdd(&quads[t + 64], make_float4(v, v, v, v));
}

int main() {
  float *x, *y;
  cudaMalloc(&x, 65536);
  cudaMalloc(&y, 65536);
  cudaMemset(x, 0, 65536);
  cudaMemset(y, 0, 65536);
  int host[256];
  for (int i = 0; i < 256; ++i)
    host[i] = (i * 37 + 11) % 101 % 8;
  int *keep;
  cudaMalloc(&keep, sizeof host);
  cudaMemcpy(keep, host, sizeof host, cudaMemcpyHostToDevice);
  masked<<<1, 128>>>(x, x + 1024, y, keep, 48, 0.5f, Sigmoid());
  clamped<<<1, 64>>>((int *)x, (int *)y, 7);
  scaled<<<1, 64>>>(x, (int *)y, 3.0f);
  eighths<<<1, 64>>>((unsigned *)x, (unsigned *)y);
  roots<<<1, 64>>>(x, y);
  particles<<<1, 64>>>((Particle *)x, (Particle *)y);
  tensors<<<1, 64>>>((Tensor *)x, (Tensor *)y);
  points<<<1, 64>>>((float3 *)x, (float3 *)y);
  exchanged<<<1, 64>>>((Particle *)x);
  odd_even<<<1, 64, 512>>>(keep, 128);
  waves<<<1, 64>>>(x, 10);
  sums<<<1, 32>>>(x, y, 22);
  vectors<<<1, 40>>>(x, (float2 *)y, (float4 *)(y + 1024), (float4 *)(y + 4096));
  return cudaDeviceSynchronize() != cudaSuccess;
}
