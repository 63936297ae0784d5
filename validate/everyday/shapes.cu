// More kernels as people write them every day: counters of every type, steps up
// and down, arms and guards, tiles, structures. Their counters are in
// ../recorded/everyday, by line.

#include <cstdio>
#include <cuda_runtime.h>
__global__ void incl_shared(float *o, const float *a, int n) {
  __shared__ float s[200];
  int t = threadIdx.x;
  for (int i = t; i <= n; i += blockDim.x)
    s[i] = a[i];
  __syncthreads();
  float x = 0;
  for (int i = t; i <= n; i += 64)
    x += s[i];
  o[t] = x;
}
__global__ void down_step(float *o, const float *a, int n) {
  float s = 0;
  for (int i = n - 1 - (int)threadIdx.x; i >= 0; i -= blockDim.x)
    s += a[i];
  o[threadIdx.x] = s;
}
__global__ void unsigned_loop(float *o, const float *a, unsigned n) {
  float s = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
    s += a[i];
  o[threadIdx.x] = s;
}
__global__ void size_loop(float *o, const float *a, size_t n) {
  float s = 0;
  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    s += a[i];
  o[threadIdx.x] = s;
}
__global__ void ll_loop(float *o, const float *a, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x)
    o[i] = a[i] + 1;
}
__global__ void ne_loop(float *o, const float *a, int n) {
  float s = 0;
  for (int i = threadIdx.x; i != n + (int)threadIdx.x; ++i)
    s += a[i];
  o[threadIdx.x] = s;
}
__global__ void per_lane_len(float *o, const float *a) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < t % 7; ++i)
    s += a[t * 8 + i];
  o[t] = s;
}
__global__ void per_lane_store(float *o, const float *a) {
  __shared__ float s[64 * 8];
  int t = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    s[t * 8 + i] = 0;
  for (int i = 0; i <= t % 5; ++i)
    s[t * 8 + i] = a[i];
  __syncthreads();
  float x = 0;
  for (int i = 0; i < 8; ++i)
    x += s[(63 - t) * 8 + i];
  o[t] = x;
}
__global__ void mixed_widths(float *o, const float *a, const double *d,
                             const short *h) {
  int t = threadIdx.x;
  o[t] = a[t] + (float)d[t] + h[t] + h[t + 1];
}
__global__ void row_major_col(float *o, const float *a, int n) {
  int c = threadIdx.x;
  float s = 0;
  for (int r = 0; r < n; ++r) {
    if (c < n)
      s += a[c * n + r];
  }
  o[c] = s;
}
__global__ void if_in_loop(float *o, const float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 2 == 0)
      s += a[i * 64 + t];
    else
      s -= a[i * 64 + 63 - t];
  }
  o[t] = s;
}
__global__ void div_if_in_loop(float *o, const float *a, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    if (t < 20)
      s[t] = a[i * 64 + t];
    else if (t < 40)
      s[t + 8] = a[i * 64 + t];
    __syncthreads();
    o[i * 64 + t] = s[t];
    __syncthreads();
  }
}
__global__ void swap_arms(float *o, float *b, const float *a) {
  int t = threadIdx.x;
  float x = a[t];
  if (t & 1) {
    o[t] = x;
    b[t] = -x;
  } else {
    b[t] = x;
    o[t] = -x;
  }
}
__global__ void arms_same(float *o, const float *a, int n) {
  int t = threadIdx.x;
  if (t < n)
    o[t] = a[t];
  else
    o[t] = 0;
}
__global__ void arms_same2(float *o, const float *a, int n) {
  int t = threadIdx.x;
  if (t >= n)
    o[t] = 0;
  else
    o[t] = a[t];
}
__global__ void arms_half(float *o, const float *a, int n) {
  __shared__ float s[96];
  int t = threadIdx.x;
  if (t < n) {
    s[t] = a[t];
    s[t + 32] = a[t + 32];
  } else {
    s[t] = 1;
    s[t + 32] = 2;
  }
  __syncthreads();
  o[t] = s[t] + s[95 - t];
}
__global__ void guard_all(float *o, const float *a, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = a[i];
  }
  __syncthreads();
  if (i < n && threadIdx.x > 0)
    o[i] = s[threadIdx.x] - s[threadIdx.x - 1];
}
__global__ void max_pool(float *o, const float *a, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w / 2 || y >= h / 2)
    return;
  float m = -1e30f;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      m = fmaxf(m, a[(y * 2 + j) * w + x * 2 + i]);
  o[y * (w / 2) + x] = m;
}
__global__ void conv2(float *o, const float *a, const float *k, int w, int h,
                      int r) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) {
    float s = 0;
    for (int j = -r; j <= r; ++j)
      for (int i = -r; i <= r; ++i) {
        int xx = min(max(x + i, 0), w - 1), yy = min(max(y + j, 0), h - 1);
        s += a[yy * w + xx] * k[(j + r) * (2 * r + 1) + i + r];
      }
    o[y * w + x] = s;
  }
}
__global__ void im2col(float *o, const float *a, int w, int h, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, ow = w - k + 1, oh = h - k + 1;
  if (i < ow * oh) {
    int x = i % ow, y = i / ow;
    for (int j = 0; j < k; ++j)
      for (int l = 0; l < k; ++l)
        o[(j * k + l) * ow * oh + i] = a[(y + j) * w + x + l];
  }
}
__global__ void rgb_split(unsigned char *r, const uchar3 *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uchar3 v = p[i];
    r[i] = v.x;
    r[n + i] = v.y;
    r[2 * n + i] = v.z;
  }
}
__global__ void nbody(float4 *o, const float4 *p, int n) {
  __shared__ float4 s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float4 me = p[i];
  float ax = 0, ay = 0;
  for (int t = 0; t < n / 64; ++t) {
    s[threadIdx.x] = p[t * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      float dx = s[j].x - me.x, dy = s[j].y - me.y;
      float d = dx * dx + dy * dy + 1e-6f;
      ax += dx / d * s[j].w;
      ay += dy / d * s[j].w;
    }
    __syncthreads();
  }
  o[i] = make_float4(ax, ay, 0, 0);
}
__global__ void fw(float *d, int n, int k) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i < n && j < n) {
    float x = d[i * n + k] + d[k * n + j];
    if (x < d[i * n + j])
      d[i * n + j] = x;
  }
}
__global__ void lu_step(float *a, int n, int k) {
  int i = k + 1 + threadIdx.y, j = k + 1 + blockIdx.x * 16 + threadIdx.x;
  if (i < n && j < n)
    a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
}
__global__ void trisolve(float *x, const float *l, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (t > k && t < n)
      s[t] -= l[t * n + k] * s[k];
  }
  __syncthreads();
  x[t] = s[t];
}
__global__ void fft_stage(float2 *o, const float2 *a, int m) {
  __shared__ float2 s[128];
  int t = threadIdx.x;
  s[t] = a[t];
  s[t + 64] = a[t + 64];
  __syncthreads();
  int k = t & (m - 1), j = ((t - k) << 1) + k;
  float2 u = s[j], v = s[j + m];
  __syncthreads();
  s[j] = make_float2(u.x + v.x, u.y + v.y);
  s[j + m] = make_float2(u.x - v.x, u.y - v.y);
  __syncthreads();
  o[t] = s[t];
  o[t + 64] = s[t + 64];
}
__global__ void unroll2(float *o, const float *a, int n) {
  float s = 0;
#pragma unroll 2
  for (int i = threadIdx.x; i < n; i += 64)
    s += a[i];
  o[threadIdx.x] = s;
}
__global__ void nounroll(float *o, const float *a, int n) {
  __shared__ float s[512];
  int t = threadIdx.x;
  for (int i = t; i < 512; i += 64)
    s[i] = a[i];
  __syncthreads();
  float x = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    x += s[i * 4] + s[(t + i) & 511];
  o[t] = x;
}
template <int TX, int TY>
__global__ void tile_gen(float *o, const float *a, int n) {
  __shared__ float s[TY][TX + 1];
  for (int i = threadIdx.y; i < TY; i += blockDim.y)
    for (int j = threadIdx.x; j < TX; j += blockDim.x)
      s[i][j] = a[i * n + j];
  __syncthreads();
  for (int i = threadIdx.y; i < TX; i += blockDim.y)
    for (int j = threadIdx.x; j < TY; j += blockDim.x)
      o[i * n + j] = s[j][i];
}
struct Acc {
  float v[4];
  __device__ float sum() const { return v[0] + v[1] + v[2] + v[3]; }
};
__global__ void methods(float *o, const Acc *a) {
  __shared__ Acc s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  o[t] = s[63 - t].sum() + s[t].v[t & 3];
}
__global__ void multi_out(float *o, const float *a, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) {
    float x = a[i * n + t];
    o[(i * 2) * n + t] = x;
    o[(i * 2 + 1) * n + t] = x * x;
  }
}
__global__ void bool_flags(bool *f, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f[i] = a[i] > 3;
}
__global__ void warp_tr(float *o, const float *a) {
  __shared__ float s[4][32][33];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  for (int i = 0; i < 32; ++i)
    s[w][i][l] = a[(w * 32 + i) * 32 + l];
  __syncwarp();
  for (int i = 0; i < 32; ++i)
    o[(w * 32 + i) * 32 + l] = s[w][l][i];
}
__global__ void part_block(float *o, const float *a, int n) {
  __shared__ float s[100];
  int t = threadIdx.x;
  if (t < n)
    s[t] = a[t];
  __syncthreads();
  if (t < n / 2)
    s[t] = s[t] + s[n - 1 - t];
  __syncthreads();
  if (t == 0) {
    float x = 0;
    for (int i = 0; i < n / 2; ++i)
      x += s[i];
    o[0] = x;
  }
}

int main() {
  float *o, *a;
  cudaMalloc(&o, 64 << 20);
  cudaMalloc(&a, 64 << 20);
  cudaMemset(a, 0, 64 << 20);
  cudaMemset(o, 0, 64 << 20);
  incl_shared<<<1, 64>>>(o, a, 150);
  down_step<<<1, 96>>>(o, a, 500);
  unsigned_loop<<<1, 96>>>(o, a, 500);
  size_loop<<<1, 96>>>(o, a, 500);
  ll_loop<<<3, 96>>>(o, a, 1000);
  ne_loop<<<1, 64>>>(o, a, 10);
  per_lane_len<<<1, 64>>>(o, a);
  per_lane_store<<<1, 64>>>(o, a);
  mixed_widths<<<1, 64>>>(o, a, (double *)a, (short *)a);
  row_major_col<<<1, 64>>>(o, a, 50);
  if_in_loop<<<1, 64>>>(o, a, 9);
  div_if_in_loop<<<1, 64>>>(o, a, 5);
  swap_arms<<<1, 64>>>(o, o + 4096, a);
  arms_same<<<1, 64>>>(o, a, 40);
  arms_same2<<<1, 64>>>(o, a, 40);
  arms_half<<<1, 32>>>(o, a, 20);
  guard_all<<<4, 64>>>(o, a, 230);
  max_pool<<<dim3(3, 2), dim3(16, 16)>>>(o, a, 80, 50);
  conv2<<<dim3(3, 2), dim3(16, 16)>>>(o, a, a + 65536, 40, 30, 2);
  im2col<<<6, 128>>>(o, a, 30, 28, 3);
  rgb_split<<<4, 128>>>((unsigned char *)o, (uchar3 *)a, 500);
  nbody<<<3, 64>>>((float4 *)o, (float4 *)a, 192);
  fw<<<dim3(4, 4), dim3(16, 16)>>>(o, 60, 7);
  lu_step<<<4, dim3(16, 16)>>>(o, 50, 11);
  trisolve<<<1, 64>>>(o, a, 50);
  fft_stage<<<1, 64>>>((float2 *)o, (float2 *)a, 4);
  unroll2<<<1, 64>>>(o, a, 500);
  nounroll<<<1, 64>>>(o, a, 50);
  tile_gen<32, 16><<<1, dim3(32, 8)>>>(o, a, 64);
  tile_gen<20, 12><<<1, dim3(16, 4)>>>(o, a, 40);
  methods<<<1, 64>>>(o, (Acc *)a);
  multi_out<<<1, 64>>>(o, a, 64);
  bool_flags<<<3, 96>>>((bool *)o, (int *)a, 250);
  warp_tr<<<1, 128>>>(o, a);
  part_block<<<1, 96>>>(o, a, 90);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
