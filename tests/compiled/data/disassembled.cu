// What a cubin can have beside plain code: tables of a switch, calls, attributes of launches, constants, several kernels, lines of inlined functions.
#include <cstdio>

__constant__ float weights[64];
__device__ int seen;

__device__ __noinline__ float called(float x, int n) {
  for (int i = 0; i < n; ++i)
    x = x * 0.75f + sqrtf(x);
  return x;
}

__device__ __forceinline__ int inlined(const int *in, int i) { return in[i] / 7; }

__global__ void __launch_bounds__(256) chosen(const int *in, float *out, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = static_cast<float>(inlined(in, i));
  switch (what) {
  case 0: x = sinf(x); break;
  case 1: x = expf(x) + 1; break;
  case 2: x = called(x, what); break;
  case 3: x = x / 3.0f; break;
  case 4: x = __fdividef(x, 5.0f); break;
  case 5: x = logf(x) * weights[i & 63]; break;
  case 6: x = powf(x, 1.5f); break;
  default: x = -x;
  }
  out[i] = x;
}

template <int Rows> __global__ void staged(const double *in, double *out, int pitch) {
  __shared__ double tile[Rows][33];
  for (int r = threadIdx.y; r < Rows; r += blockDim.y)
    tile[r][threadIdx.x] = in[r * pitch + threadIdx.x];
  __syncthreads();
  if (threadIdx.y < Rows)
    out[threadIdx.x * pitch + threadIdx.y] = tile[threadIdx.y][threadIdx.x];
}
template __global__ void staged<16>(const double *, double *, int);
template __global__ void staged<32>(const double *, double *, int);

__global__ void told(const int *in, int *count) {
  extern __shared__ int bins[];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] & 31], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&seen, bins[0]);
    printf("%d\n", bins[0]);
  }
  count[threadIdx.x] = bins[threadIdx.x] + __shfl_xor_sync(0xffffffffu, bins[threadIdx.x], 1);
}
