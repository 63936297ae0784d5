// Kernels as people write them every day: loops of every shape, reductions,
// scans, sorts, stencils, transposes, structures, conditions of lanes and of
// blocks. Their counters are in ../recorded/everyday, by line.

#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#define CHECK(x)                                                               \
  do {                                                                         \
    cudaError_t e = (x);                                                       \
    if (e) {                                                                   \
      printf("%s\n", cudaGetErrorString(e));                                   \
      return 1;                                                                \
    }                                                                          \
  } while (0)
__global__ void incl_stride(float *o, const float *a, int n) {
  float s = 0;
  for (int i = threadIdx.x; i <= n; i += blockDim.x)
    s += a[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void while_down(float *o, const float *a, int n) {
  int i = n - 1 - threadIdx.x;
  float s = 0;
  while (i >= 0) {
    s += a[i];
    i -= 128;
  }
  o[threadIdx.x] = s;
}
__global__ void do_while(float *o, const float *a, int n) {
  int i = threadIdx.x;
  float s = 0;
  do {
    s += a[i];
    i += 32;
  } while (i < n);
  o[threadIdx.x] = s;
}
__global__ void tri_lane(float *o, const float *a) {
  __shared__ float s[64 * 33];
  for (int i = threadIdx.x; i < 64 * 33; i += blockDim.x)
    s[i] = a[i];
  __syncthreads();
  float x = 0;
  for (int j = 0; j < (int)threadIdx.x; j++)
    x += s[j * 33 + threadIdx.x % 33];
  o[threadIdx.x] = x;
}
__global__ void halving(float *o, const float *a) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (t < h)
      s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}
__global__ void hillis(float *o, const float *a) {
  __shared__ float s[2][256];
  int t = threadIdx.x, p = 0;
  s[0][t] = a[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    s[1 - p][t] = t >= d ? s[p][t] + s[p][t - d] : s[p][t];
    p = 1 - p;
    __syncthreads();
  }
  o[t] = s[p][t];
}
__global__ void blelloch(float *o, const float *a) {
  __shared__ float s[512];
  int t = threadIdx.x, off = 1;
  s[2 * t] = a[2 * t];
  s[2 * t + 1] = a[2 * t + 1];
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int i = off * (2 * t + 1) - 1, j = off * (2 * t + 2) - 1;
      s[j] += s[i];
    }
    off *= 2;
  }
  if (t == 0)
    s[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    off >>= 1;
    __syncthreads();
    if (t < d) {
      int i = off * (2 * t + 1) - 1, j = off * (2 * t + 2) - 1;
      float x = s[i];
      s[i] = s[j];
      s[j] += x;
    }
  }
  __syncthreads();
  o[2 * t] = s[2 * t];
  o[2 * t + 1] = s[2 * t + 1];
}
__global__ void early_ret(float *o, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 3 == 0) {
    o[i] = a[i];
    return;
  }
  o[i] = a[n - 1 - i] * 2;
}
__global__ void sw(float *o, const float *a) {
  int t = threadIdx.x;
  float x;
  switch (t & 3) {
  case 0:
    x = a[t];
    break;
  case 1:
    x = a[t * 2];
    break;
  case 2:
    x = a[t * 3 + 1];
    break;
  default:
    x = 1;
  }
  o[t] = x;
}
__global__ void sw_store(float *o, const float *a) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float x = a[t];
  switch (t & 3) {
  case 0:
    s[t] = x;
    break;
  case 1:
    s[t] = x + 1;
    break;
  case 2:
    s[t ^ 64] = x * 2;
    break;
  default:
    s[t] = 0;
  }
  __syncthreads();
  o[t] = s[255 - t];
}
__global__ void tern(float *o, const float *a, int n) {
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  float l = i > 0 ? a[i - 1] : 0, r = i < n - 1 ? a[i + 1] : 0;
  o[i] = l + a[i] + r;
}
__global__ void clampst(float *o, const float *a, int n) {
  __shared__ float s[130];
  int t = threadIdx.x, g = blockIdx.x * 128 + t;
  s[t + 1] = a[g];
  if (t == 0)
    s[0] = a[max(g - 1, 0)];
  if (t == 127)
    s[129] = a[min(g + 1, n - 1)];
  __syncthreads();
  o[g] = s[t] + s[t + 1] * 2 + s[t + 2];
}
__global__ void stencil2d(float *o, const float *a, int w, int h) {
  __shared__ float s[18][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int j = threadIdx.y; j < 18; j += 16)
    for (int i = threadIdx.x; i < 34; i += 32) {
      int xx = blockIdx.x * 32 + i - 1, yy = blockIdx.y * 16 + j - 1;
      s[j][i] = (xx >= 0 && xx < w && yy >= 0 && yy < h) ? a[yy * w + xx] : 0.f;
    }
  __syncthreads();
  if (x < w && y < h)
    o[y * w + x] =
        s[threadIdx.y][threadIdx.x + 1] + s[threadIdx.y + 2][threadIdx.x + 1] +
        s[threadIdx.y + 1][threadIdx.x] + s[threadIdx.y + 1][threadIdx.x + 2];
}
__global__ void transp(float *o, const float *a, int n) {
  __shared__ float s[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8)
    s[j][threadIdx.x] = a[(blockIdx.y * 32 + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8)
    o[(blockIdx.x * 32 + j) * n + x] = s[threadIdx.x][j];
}
__global__ void mm(float *c, const float *a, const float *b, int n) {
  __shared__ float A[16][16], B[16][17];
  float s = 0;
  int r = blockIdx.y * 16 + threadIdx.y, q = blockIdx.x * 16 + threadIdx.x;
  for (int t = 0; t < n / 16; ++t) {
    A[threadIdx.y][threadIdx.x] = a[r * n + t * 16 + threadIdx.x];
    B[threadIdx.y][threadIdx.x] = b[(t * 16 + threadIdx.y) * n + q];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      s += A[threadIdx.y][k] * B[k][threadIdx.x];
    __syncthreads();
  }
  c[r * n + q] = s;
}
__global__ void mv_warp(float *y, const float *A, const float *x, int m,
                        int n) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  if (w < m) {
    float s = 0;
    for (int i = l; i < n; i += 32)
      s += A[w * n + i] * x[i];
    for (int d = 16; d; d /= 2)
      s += __shfl_down_sync(~0u, s, d);
    if (l == 0)
      y[w] = s;
  }
}
__global__ void aos(float *o, const float3 *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float3 v = p[i];
    o[i] = v.x + v.y * v.z;
  }
}
struct Particle {
  float x, y, z, w;
  int id;
};
__global__ void aos2(Particle *p, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].x += dt * p[i].w;
    p[i].y += dt;
    p[i].id = i;
  }
}
__global__ void bitonic(int *k) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = k[t];
  s[t + 256] = k[t + 256];
  for (int sz = 2; sz <= 512; sz <<= 1)
    for (int st = sz / 2; st > 0; st >>= 1) {
      __syncthreads();
      int pos = 2 * t - (t & (st - 1));
      int x = s[pos], y = s[pos + st];
      bool up = (pos & sz) == 0;
      s[pos] = up ? min(x, y) : max(x, y);
      s[pos + st] = up ? max(x, y) : min(x, y);
    }
  __syncthreads();
  k[t] = s[t];
  k[t + 256] = s[t + 256];
}
__global__ void gridstride(float *o, const float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    o[i] = a[i] * 2;
}
__global__ void gridstride4(float4 *o, const float4 *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float4 v = a[i];
    v.x *= 2;
    v.w += 1;
    o[i] = v;
  }
}
__global__ void uchar_img(unsigned char *o, const unsigned char *a, int w,
                          int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int i = (y * w + x) * 3;
    o[y * w + x] = (a[i] * 77 + a[i + 1] * 151 + a[i + 2] * 28) >> 8;
  }
}
__global__ void dbl(double *o, const double *a) {
  __shared__ double s[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = a[y * 32 + x];
  __syncthreads();
  o[y * 32 + x] = s[x][y];
}
__global__ void odd_block(float *o, const float *a, int n) {
  __shared__ float s[50];
  int i = blockIdx.x * 50 + threadIdx.x;
  s[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n)
    o[i] = s[49 - threadIdx.x];
}
__global__ void unif_if(float *o, const float *a, int mode, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mode == 1)
    o[i] = a[i];
  else if (mode == 2)
    o[i] = a[n - 1 - i];
  else
    o[i] = a[i / 2];
}
__global__ void unif_block(float *o, const float *a, int n) {
  __shared__ float s[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (blockIdx.x % 2 == 0)
    s[t] = a[i];
  else
    s[t] = a[i * 2];
  __syncthreads();
  o[i] = s[127 - t];
}
__global__ void lastrow(float *o, const float *a, int n) {
  __shared__ float s[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = a[y * n + x];
  if (y == 15)
    s[y][16] = 0;
  else if (x == 15)
    s[y][16] = a[y * n + 16];
  __syncthreads();
  o[y * 16 + x] = s[y][x + 1];
}
__global__ void outer(float *o, const float *a, const float *b, int n) {
  for (int i = threadIdx.y; i < n; i += blockDim.y)
    for (int j = threadIdx.x; j < n; j += blockDim.x)
      o[i * n + j] = a[i] * b[j];
}
__global__ void lower(float *o, const float *a, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n) {
    float s = 0;
    for (int c = 0; c <= r; ++c)
      s += a[r * n + c];
    o[r] = s;
  }
}
__global__ void lower_col(float *o, const float *a, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n) {
    float s = 0;
    for (int c = r; c < n; ++c)
      s += a[c * n + r];
    o[r] = s;
  }
}
__global__ void backward(float *o, const float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = n - 1; i >= t; --i)
    s += a[i * 64 + t];
  o[t] = s;
}
__global__ void brk(float *o, const float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; ++i) {
    if (i * 3 > t)
      break;
    s += a[i * 64 + t];
  }
  o[t] = s;
}
__global__ void cont(float *o, const float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; ++i) {
    if ((i + t) % 3 == 0)
      continue;
    s += a[i * 64 + t];
  }
  o[t] = s;
}
__global__ void nested_div(float *o, const float *a) {
  __shared__ float s[64][9];
  int t = threadIdx.x;
  for (int i = 0; i < 9; i++)
    s[t][i] = a[t * 9 + i];
  __syncthreads();
  float x = 0;
  for (int i = t % 4; i < 9; i += 2)
    for (int j = i; j < 9; ++j)
      x += s[(t + j) % 64][i];
  o[t] = x;
}
__global__ void two_cond(float *o, const float *a, int n) {
  int t = threadIdx.x;
  float x = 0;
  if (t < 20)
    x = a[t];
  if (t >= 12)
    x += a[t + n];
  if (t < 20 && t >= 12)
    x *= 2;
  o[t] = x;
}
__global__ void ptr_walk(float *o, const float *a, int n) {
  const float *p = a + threadIdx.x;
  float s = 0;
  for (const float *e = a + n; p < e; p += 96)
    s += *p;
  o[threadIdx.x] = s;
}
__global__ void u8hist(unsigned *o, const unsigned *a) {
  __shared__ unsigned h[256];
  int t = threadIdx.x;
  h[t] = 0;
  __syncthreads();
  atomicAdd(&h[(t * 7) & 255], 1u);
  atomicAdd(&h[t / 8], 1u);
  __syncthreads();
  o[t] = h[t] + a[t];
}
__global__ void lambda_k(float *o, const float *a, int n) {
  auto at = [&](int r, int c) { return a[r * n + c]; };
  int t = threadIdx.x;
  o[t] = at(t, 0) + at(0, t) + at(t / 4, t % 4);
}
template <int R> __global__ void reg_tile(float *o, const float *a, int n) {
  float v[R];
  int t = threadIdx.x;
#pragma unroll
  for (int i = 0; i < R; ++i)
    v[i] = a[(blockIdx.x * R + i) * n + t];
#pragma unroll
  for (int i = 0; i < R; ++i)
    o[(blockIdx.x * R + i) * n + t] = v[R - 1 - i];
}
template <typename T, int N> __global__ void smem_copy(T *o, const T *a) {
  __shared__ T s[N];
  for (int i = threadIdx.x; i < N; i += blockDim.x)
    s[i] = a[i];
  __syncthreads();
  for (int i = threadIdx.x; i < N; i += blockDim.x)
    o[i] = s[N - 1 - i];
}
extern __shared__ float dyn[];
__global__ void dynk(float *o, const float *a, int n) {
  float *u = dyn, *v = dyn + n;
  int t = threadIdx.x;
  u[t] = a[t];
  v[t] = a[t + n];
  __syncthreads();
  o[t] = u[n - 1 - t] * v[(t * 5) % n];
}
__global__ void vec_cast(float *o, const float *a) {
  __shared__ float s[512];
  int t = threadIdx.x;
  reinterpret_cast<float4 *>(s)[t] = reinterpret_cast<const float4 *>(a)[t];
  __syncthreads();
  float2 v = reinterpret_cast<float2 *>(s)[t * 2 % 256];
  o[t] = v.x + v.y + s[t * 4 + 1];
}
__global__ void warp_spec(float *o, const float *a) {
  __shared__ float s[128];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  if (w == 0) {
    for (int i = l; i < 128; i += 32)
      s[i] = a[i];
  }
  __syncthreads();
  if (w != 0)
    o[threadIdx.x] = s[threadIdx.x] + s[l * 4];
  else
    o[l] = s[l];
}
__global__ void half_warp(float *o, const float *a) {
  __shared__ float s[4][32];
  int t = threadIdx.x;
  if (t % 32 < 16)
    s[t / 32][t % 32] = a[t];
  else
    s[t / 32][t % 32] = -a[t];
  __syncwarp();
  o[t] = s[t / 32][31 - t % 32];
}
int main() {
  float *o, *a;
  CHECK(cudaMalloc(&o, 64 << 20));
  CHECK(cudaMalloc(&a, 64 << 20));
  CHECK(cudaMemset(a, 0, 64 << 20));
  CHECK(cudaMemset(o, 0, 64 << 20));
  incl_stride<<<3, 128>>>(o, a, 1000);
  incl_stride<<<2, 96>>>(o, a, 411);
  while_down<<<1, 128>>>(o, a, 1000);
  do_while<<<1, 32>>>(o, a, 501);
  tri_lane<<<1, 64>>>(o, a);
  halving<<<3, 256>>>(o, a);
  hillis<<<1, 256>>>(o, a);
  blelloch<<<1, 256>>>(o, a);
  early_ret<<<5, 100>>>(o, a, 450);
  sw<<<1, 64>>>(o, a);
  sw_store<<<1, 256>>>(o, a);
  tern<<<4, 128>>>(o, a, 512);
  clampst<<<4, 128>>>(o, a, 512);
  stencil2d<<<dim3(4, 6), dim3(32, 16)>>>(o, a, 120, 90);
  transp<<<dim3(4, 4), dim3(32, 8)>>>(o, a, 128);
  mm<<<dim3(6, 6), dim3(16, 16)>>>(o, a, a + (1 << 20), 96);
  mv_warp<<<13, 96>>>(o, a, a + (1 << 20), 37, 200);
  aos<<<4, 128>>>(o, (float3 *)a, 500);
  aos2<<<4, 128>>>((Particle *)o, 1.f, 500);
  bitonic<<<1, 256>>>((int *)o);
  gridstride<<<7, 160>>>(o, a, 10007);
  gridstride4<<<7, 160>>>((float4 *)o, (float4 *)a, 5003);
  uchar_img<<<dim3(5, 9), dim3(32, 8)>>>((unsigned char *)o, (unsigned char *)a,
                                         150, 70);
  dbl<<<1, dim3(32, 32)>>>((double *)o, (double *)a);
  odd_block<<<7, 50>>>(o, a, 333);
  unif_if<<<4, 128>>>(o, a, 1, 512);
  unif_if<<<4, 128>>>(o, a, 2, 512);
  unif_if<<<4, 128>>>(o, a, 0, 512);
  unif_block<<<5, 128>>>(o, a, 512);
  lastrow<<<1, dim3(16, 16)>>>(o, a, 20);
  outer<<<1, dim3(24, 8)>>>(o, a, a + 4096, 50);
  lower<<<2, 64>>>(o, a, 100);
  lower_col<<<2, 64>>>(o, a, 100);
  backward<<<1, 64>>>(o, a, 90);
  brk<<<1, 64>>>(o, a, 15);
  cont<<<1, 64>>>(o, a, 20);
  nested_div<<<1, 64>>>(o, a);
  two_cond<<<2, 32>>>(o, a, 40);
  ptr_walk<<<1, 96>>>(o, a, 1000);
  u8hist<<<1, 256>>>((unsigned *)o, (unsigned *)a);
  lambda_k<<<1, 64>>>(o, a, 70);
  reg_tile<4><<<3, 64>>>(o, a, 64);
  reg_tile<7><<<3, 50>>>(o, a, 50);
  smem_copy<float, 1000><<<1, 128>>>(o, a);
  smem_copy<double, 300><<<1, 96>>>((double *)o, (double *)a);
  smem_copy<short, 500><<<1, 64>>>((short *)o, (short *)a);
  smem_copy<uchar4, 200><<<1, 64>>>((uchar4 *)o, (uchar4 *)a);
  dynk<<<1, 96, 2 * 96 * 4>>>(o, a, 96);
  vec_cast<<<1, 128>>>(o, a);
  warp_spec<<<1, 128>>>(o, a);
  half_warp<<<1, 128>>>(o, a);
  CHECK(cudaDeviceSynchronize());
  return 0;
}
