// Layers and tiles as people write them every day: convolution, attention,
// softmax, normalisation, products, cooperative groups, packed bytes. Their
// counters are in ../recorded/everyday, by line.

#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__constant__ float coef[64];
__constant__ int perm[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                             2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
__global__ void conv1(float *o, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int k = -3; k <= 3; ++k) {
      int j = i + k;
      if (j >= 0 && j < n)
        s += a[j] * coef[k + 3];
    }
    o[i] = s;
  }
}
__global__ void use_perm(float *o, const float *a) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  o[t] = s[perm[t % 32] + 32 * (t / 32)];
}
__global__ void cg_reduce(float *o, const float *a) {
  auto b = cg::this_thread_block();
  auto w = cg::tiled_partition<32>(b);
  __shared__ float s[32];
  float x = a[b.thread_rank()];
  for (int d = w.size() / 2; d > 0; d /= 2)
    x += w.shfl_down(x, d);
  if (w.thread_rank() == 0)
    s[w.meta_group_rank()] = x;
  b.sync();
  if (b.thread_rank() < 8) {
    x = s[b.thread_rank()];
    auto m = cg::coalesced_threads();
    for (int d = 4; d > 0; d /= 2)
      x += m.shfl_down(x, d);
    if (b.thread_rank() == 0)
      o[0] = x;
  }
}
__global__ void warp_scan(int *o, const int *a) {
  int t = threadIdx.x, l = t & 31;
  int x = a[t];
  for (int d = 1; d < 32; d <<= 1) {
    int y = __shfl_up_sync(~0u, x, d);
    if (l >= d)
      x += y;
  }
  __shared__ int w[8];
  if (l == 31)
    w[t / 32] = x;
  __syncthreads();
  int base = 0;
  for (int i = 0; i < t / 32; ++i)
    base += w[i];
  o[t] = x + base;
}
__global__ void vol(volatile float *o, float *a) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = a[t] + a[t + 32];
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
  }
  if (t == 0)
    o[0] = s[0];
}
__global__ void three_d(float *o, const float *a, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz)
    return;
  int i = (z * ny + y) * nx + x;
  float s = a[i] * 6;
  if (x > 0)
    s -= a[i - 1];
  if (x < nx - 1)
    s -= a[i + 1];
  if (y > 0)
    s -= a[i - nx];
  if (y < ny - 1)
    s -= a[i + nx];
  o[i] = s;
}
__global__ void heat_col(float *o, const float *a, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny) {
    float below = 0, here = a[y * nx + x];
    for (int z = 0; z < nz; ++z) {
      float above = z + 1 < nz ? a[((z + 1) * ny + y) * nx + x] : 0;
      o[(z * ny + y) * nx + x] = here * 2 - below - above;
      below = here;
      here = above;
    }
  }
}
__global__ void ldg_k(float *o, const float *__restrict__ a,
                      const int *__restrict__ idx) {
  int t = threadIdx.x;
  o[t] = __ldg(&a[t]) + a[t ^ 1] + __ldg(a + t * 4);
}
__global__ void local_arr(float *o, const float *a, int k) {
  float v[8];
  int t = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    v[i] = a[i * 64 + t];
  float m = v[0];
  for (int i = 1; i < 8; ++i)
    m = fmaxf(m, v[i]);
  o[t] = m;
}
struct alignas(16) Q {
  float x, y, z, w;
};
__global__ void quad(Q *o, const Q *a, int n) {
  __shared__ Q s[64];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 64 + t];
  __syncthreads();
  Q q = s[63 - t];
  q.x += s[t].y;
  o[blockIdx.x * 64 + t] = q;
}
struct Mat {
  int w, h, stride;
  float *e;
};
__device__ float get(const Mat m, int r, int c) {
  return m.e[r * m.stride + c];
}
__device__ void set(Mat m, int r, int c, float v) { m.e[r * m.stride + c] = v; }
__device__ Mat sub(Mat m, int r, int c) {
  Mat s;
  s.w = 16;
  s.h = 16;
  s.stride = m.stride;
  s.e = &m.e[m.stride * 16 * r + 16 * c];
  return s;
}
__global__ void mat_mul(Mat A, Mat B, Mat C) {
  int br = blockIdx.y, bc = blockIdx.x;
  Mat Cs = sub(C, br, bc);
  float v = 0;
  int r = threadIdx.y, c = threadIdx.x;
  for (int m = 0; m < A.w / 16; ++m) {
    Mat As = sub(A, br, m), Bs = sub(B, m, bc);
    __shared__ float a[16][16], b[16][16];
    a[r][c] = get(As, r, c);
    b[r][c] = get(Bs, r, c);
    __syncthreads();
    for (int e = 0; e < 16; ++e)
      v += a[r][e] * b[e][c];
    __syncthreads();
  }
  set(Cs, r, c, v);
}
__global__ void gemm_reg(float *C, const float *A, const float *B, int N,
                         int K) {
  __shared__ float As[8][64], Bs[8][64];
  float acc[4][4] = {};
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const float *a = A + blockIdx.y * 64 * K, *b = B + blockIdx.x * 64;
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int i = threadIdx.x; i < 512; i += 256) {
      As[i % 8][i / 8] = a[(i / 8) * K + i % 8];
      Bs[i / 64][i % 64] = b[(i / 64) * N + i % 64];
    }
    __syncthreads();
    a += 8;
    b += 8 * N;
    for (int k = 0; k < 8; ++k) {
      float ra[4], rb[4];
      for (int i = 0; i < 4; ++i)
        ra[i] = As[k][ty * 4 + i];
      for (int j = 0; j < 4; ++j)
        rb[j] = Bs[k][tx * 4 + j];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockIdx.y * 64 + ty * 4 + i) * N + blockIdx.x * 64 + tx * 4 + j] =
          acc[i][j];
}
__global__ void softmax(float *o, const float *a, int n) {
  __shared__ float s[32];
  int r = blockIdx.x;
  const float *x = a + r * n;
  float m = -1e30f;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    m = fmaxf(m, x[i]);
  for (int d = 16; d > 0; d >>= 1)
    m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = m;
  __syncthreads();
  m = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x] : -1e30f;
  for (int d = 16; d > 0; d >>= 1)
    m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += __expf(x[i] - m);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    o[r * n + i] = __expf(x[i] - m) / sum;
}
__global__ void layernorm(float *o, const float *a, const float *g,
                          const float *b, int C) {
  int w = threadIdx.x / 32, l = threadIdx.x % 32,
      r = blockIdx.x * (blockDim.x / 32) + w;
  const float *x = a + r * C;
  float s = 0, q = 0;
  for (int i = l; i < C; i += 32) {
    float v = x[i];
    s += v;
    q += v * v;
  }
  for (int d = 16; d; d >>= 1) {
    s += __shfl_xor_sync(~0u, s, d);
    q += __shfl_xor_sync(~0u, q, d);
  }
  float m = s / C, v = rsqrtf(q / C - m * m + 1e-5f);
  for (int c = l; c < C; c += 32)
    o[r * C + c] = (x[c] - m) * v * g[c] + b[c];
}
__global__ void embed(float4 *o, const float4 *t, const int *ids, int C4) {
  int p = blockIdx.x;
  for (int c = threadIdx.x; c < C4; c += blockDim.x)
    o[p * C4 + c] = t[p % 7 * C4 + c];
}
__global__ void attn_qk(float *o, const float *q, const float *k, int T,
                        int D) {
  __shared__ float Q[16][33], K[16][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  float s = 0;
  for (int d0 = 0; d0 < D; d0 += 32) {
    for (int i = tx; i < 32; i += 16) {
      Q[ty][i] = q[(blockIdx.y * 16 + ty) * D + d0 + i];
      K[ty][i] = k[(blockIdx.x * 16 + ty) * D + d0 + i];
    }
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      s += Q[ty][i] * K[tx][i];
    __syncthreads();
  }
  int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  if (c <= r)
    o[r * T + c] = s;
  else
    o[r * T + c] = -1e9f;
}
__global__ void csr_like(float *y, const float *v, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n) {
    float s = 0;
    int b = r * 5, e = b + r % 6;
    for (int i = b; i < e; ++i)
      s += v[i];
    y[r] = s;
  }
}
__global__ void pack(unsigned *o, const unsigned char *a) {
  int t = threadIdx.x;
  unsigned x = 0;
  for (int i = 0; i < 4; ++i)
    x |= a[t * 4 + i] << (8 * i);
  o[t] = x;
}
__global__ void unpack(unsigned char *o, const unsigned *a) {
  int t = threadIdx.x;
  unsigned x = a[t];
  for (int i = 0; i < 4; ++i)
    o[t * 4 + i] = x >> (8 * i);
}
__global__ void ring(float *o, const float *a, int steps) {
  __shared__ float s[3][64];
  int t = threadIdx.x;
  s[0][t] = a[t];
  s[1][t] = a[t + 64];
  __syncthreads();
  for (int k = 2; k < steps; ++k) {
    s[k % 3][t] = s[(k - 1) % 3][(t + 1) % 64] + s[(k - 2) % 3][t];
    __syncthreads();
  }
  o[t] = s[(steps - 1) % 3][t];
}
__global__ void dbuf(float *o, const float *a, int n) {
  __shared__ float s[2][128];
  int t = threadIdx.x;
  float acc = 0;
  s[0][t] = a[t];
  __syncthreads();
  for (int i = 1; i < n; ++i) {
    s[i & 1][t] = a[i * 128 + t];
    acc += s[(i - 1) & 1][127 - t];
    __syncthreads();
  }
  o[t] = acc + s[(n - 1) & 1][t];
}
__global__ void two_d_arr(float *o, const float *a) {
  __shared__ float s[8][8][9];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  s[z][y][x] = a[(z * 8 + y) * 8 + x];
  __syncthreads();
  o[(z * 8 + y) * 8 + x] = s[x][y][z] + s[y][z][x];
}
__global__ void cond_sync(float *o, const float *a, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  for (int b = 0; b < n; b += 128) {
    if (b + t < n)
      s[t] = a[b + t];
    __syncthreads();
    int m = min(128, n - b);
    if (t < m)
      o[b + t] = s[m - 1 - t];
    __syncthreads();
  }
}
__global__ void minmax_idx(float *o, const float *a, int n) {
  int t = threadIdx.x;
  int lo = max(0, t - 2), hi = min(n - 1, t + 2);
  float s = 0;
  for (int i = lo; i <= hi; ++i)
    s += a[i];
  o[t] = s / (hi - lo + 1);
}

int main() {
  float *o, *a;
  cudaMalloc(&o, 64 << 20);
  cudaMalloc(&a, 64 << 20);
  cudaMemset(a, 0, 64 << 20);
  cudaMemset(o, 0, 64 << 20);
  conv1<<<4, 128>>>(o, a, 500);
  use_perm<<<1, 64>>>(o, a);
  cg_reduce<<<1, 256>>>(o, a);
  warp_scan<<<1, 256>>>((int *)o, (int *)a);
  vol<<<1, 64>>>(o, a);
  three_d<<<dim3(2, 5, 3), dim3(32, 4, 2)>>>(o, a, 50, 18, 5);
  heat_col<<<dim3(2, 5), dim3(32, 4)>>>(o, a, 50, 18, 5);
  ldg_k<<<1, 64>>>(o, a, (int *)a);
  local_arr<<<1, 64>>>(o, a, 3);
  quad<<<3, 64>>>((Q *)o, (Q *)a, 192);
  Mat A{64, 48, 64, a}, B{80, 64, 80, a + 4096}, C{80, 48, 80, o};
  mat_mul<<<dim3(5, 3), dim3(16, 16)>>>(A, B, C);
  gemm_reg<<<dim3(2, 3), 256>>>(o, a, a + 65536, 128, 40);
  softmax<<<5, 128>>>(o, a, 300);
  layernorm<<<4, 128>>>(o, a, a + 65536, a + 70000, 200);
  embed<<<9, 64>>>((float4 *)o, (float4 *)a, (int *)a, 96);
  attn_qk<<<dim3(3, 3), dim3(16, 16)>>>(o, a, a + 65536, 48, 64);
  csr_like<<<2, 64>>>(o, a, 100);
  pack<<<1, 64>>>((unsigned *)o, (unsigned char *)a);
  unpack<<<1, 64>>>((unsigned char *)o, (unsigned *)a);
  ring<<<1, 64>>>(o, a, 9);
  dbuf<<<1, 128>>>(o, a, 6);
  two_d_arr<<<1, dim3(8, 8, 8)>>>(o, a);
  cond_sync<<<1, 128>>>(o, a, 300);
  minmax_idx<<<1, 64>>>(o, a, 64);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
