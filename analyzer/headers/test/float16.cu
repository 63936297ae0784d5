// __half, __nv_bfloat16 and the 8-bit types.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void halves(half2 *a, const half2 *b, half *c) {
  __shared__ half2 pairs[64];
  __shared__ half tile[64][72];
  const int t = threadIdx.x;
  pairs[t] = b[t];
  tile[t & 7][t] = c[t];
  __syncthreads();
  const half2 v = pairs[t ^ 1];
  const half q = tile[t][3];
  a[t] = __hfma2(v, b[t], __hadd2(v, v)) * v - v;
  c[t] = q * __float2half(2.0f) + q;
  const float2 f = __half22float2(b[t + 5]);
  a[t + 7] = __floats2half2_rn(f.x, f.y);
  const float4 wide = ((const float4 *)b)[t];
  const half2 *parts = (const half2 *)&wide;
  float sum = 0;
  for (int i = 0; i < 4; ++i) sum += __low2float(parts[i]) + __high2float(parts[i]);
  c[t + 1] = (half)sum;
  if (__hgt(c[t], c[t + 9])) c[t + 11] = hexp(c[3]);
  atomicAdd(a + 5, v);
  a[4] = __ldg(b + 4);
  c[7] = __shfl_xor_sync(0xffffffffu, c[7], 3);
}

__global__ void brain(__nv_bfloat16 *a, const __nv_bfloat162 *b, __nv_fp8_e4m3 *e) {
  const __nv_bfloat162 v = b[threadIdx.x];
  a[threadIdx.x] = __float2bfloat16(__low2float(v) + __bfloat162float(v.y));
  a[1] = __hmul(a[3], a[4]) + static_cast<__nv_bfloat16>(__half(1.0f));
  e[threadIdx.x] = __nv_fp8_e4m3(float(e[1]) + 1);
}

int main() {
  half h = __float2half(1.0f), z = (half)3;
  return (int)__half2float(h + z);
}
