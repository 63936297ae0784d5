// What the compiler makes of habits: variables that only hold one value, fences, rounding, members taken one by one, stores in another order.
#include <cuda_runtime.h>

__managed__ int managed[64];

struct View { float *data; int stride; };
__global__ void one_value(float *in, float *out) {
  __shared__ View view;
  __shared__ int factor;
  const int t = threadIdx.x;
  if (t == 0) {
    view.data = in;
    view.stride = 2;
    factor = 3;
  }
  __syncthreads();
  out[t * view.stride] = factor;
  out[t + 256] = view.data != nullptr;
}
__global__ void own_places(float *out, int first) {
  __shared__ int limits[4];
  const int t = threadIdx.x;
  if (t == 0) {
    limits[0] = first;
    limits[1] = first + 1;
    limits[2] = first * 2;
    limits[3] = 7;
  }
  __syncthreads();
  out[t + limits[1] - limits[1]] = limits[3];
}
__global__ void fences(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  asm volatile("" ::: "memory");
  const int a = s[t];
  asm volatile("" ::: "memory");
  s[t] = a + 1;
  __threadfence_block();
  out[t] = s[t];
}
__global__ void rounded(int *out, float scale) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t;
  s[t + 128] = t;
  __syncthreads();
  const float x = t * scale - 7.5f;
  const int a = s[__float2int_rn(x) & 255];
  const int b = s[(int)rintf(x) & 255];
  const int c = s[(int)floorf(x) & 255];
  const int d = s[__float2int_rd(x) & 255];
  out[t] = a + b * 2 + c * 3 + d * 5;
}
__global__ void some_bytes(const uchar4 *in, int *out) {
  const int t = threadIdx.x;
  out[t] = in[t].x + in[t].z;
  out[t + 64] = in[t + 64].y + in[t + 64].w;
  out[t + 128] = in[t + 128].x * in[t + 128].y + in[t + 128].w;
}
__global__ void some_halves(const short4 *in, int *out) {
  const int t = threadIdx.x;
  out[t] = in[t].x + in[t].z;
  out[t + 64] = in[t + 64].x + in[t + 64].w;
  out[t + 128] = in[t + 128].y + in[t + 128].w;
}
__global__ void some_words(const float4 *in, float *out) {
  const int t = threadIdx.x;
  out[t] = in[t].x + in[t].z;
  out[t + 64] = in[t + 64].x * in[t + 64].y + in[t + 64].w;
  out[t + 128] = in[t + 128].y * in[t + 128].z + in[t + 128].w;
}
struct alignas(16) Padded { float x, y, z; };
__global__ void padded(const Padded *in, Padded *out) {
  const int t = threadIdx.x;
  const Padded q = in[t];
  Padded r;
  r.x = q.z;
  r.y = q.x;
  r.z = q.y;
  out[t] = r;
  out[t + 64] = in[t + 64];
}
__global__ void other_order(const float *in, float *out) {
  __shared__ alignas(16) float s[512];
  const int t = threadIdx.x;
  s[t * 4] = in[t];
  s[t * 4 + 1] = in[t + 128];
  s[t * 4 + 3] = in[t + 384];
  s[t * 4 + 2] = in[t + 256];
  __syncthreads();
  const float a = s[(127 - t) * 4 + 3];
  const float b = s[(127 - t) * 4 + 2];
  out[t] = a - b;
}
__global__ void needed_sometimes(const int *in, int *out, int k) {
  const int t = threadIdx.x;
  int a = 0;
  if (t < k)
    a = in[t] + 1;
  const int c = in[t];
  out[t] = a + c * 2;
}
__global__ void rows_and_steps(int *out) {
  __shared__ int t[16][16];
  t[threadIdx.y][threadIdx.x] = threadIdx.x * threadIdx.y;
  __syncthreads();
  for (int k = 0; k < 16; ++k) {
    const int v = min(t[threadIdx.y][threadIdx.x], t[threadIdx.y][k] + t[k][threadIdx.x]);
    __syncthreads();
    t[threadIdx.y][threadIdx.x] = v;
    __syncthreads();
  }
  out[threadIdx.y * 16 + threadIdx.x] = t[threadIdx.y][threadIdx.x];
}
__global__ void dot_products(const int *in, int *out) {
  __shared__ int a[16][16], b[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  a[y][x] = in[y * 16 + x];
  b[y][x] = in[y * 16 + x + 256];
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) asm volatile("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a[y][k]), "r"(b[x][k]));
  out[y * 16 + x] = sum;
}
__global__ void first_step(const float *in, float *out) {
  __shared__ float s[2][65];
  const int t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  for (int step = 0; step < 13; step++) {
    float m = s[step & 1][t ^ 1];
    if (step == 0) m = 0;
    s[~step & 1][t] = m + 1;
    __syncthreads();
  }
  out[t] = s[1][t];
}
__global__ void from_managed(int *out) { out[threadIdx.x] = managed[0] + managed[1]; }

int main() {
  char *a, *b;
  cudaMalloc(&a, 1 << 16); cudaMalloc(&b, 1 << 16);
  cudaMemset(a, 1, 1 << 16);
  one_value<<<2, 64>>>((float *)a, (float *)b);
  own_places<<<2, 64>>>((float *)b, 5);
  fences<<<2, 64>>>((int *)a, (int *)b);
  rounded<<<2, 128>>>((int *)b, 1.375f);
  some_bytes<<<2, 64>>>((uchar4 *)a, (int *)b);
  some_halves<<<2, 64>>>((short4 *)a, (int *)b);
  some_words<<<2, 64>>>((float4 *)a, (float *)b);
  padded<<<2, 64>>>((Padded *)a, (Padded *)b);
  other_order<<<2, 128>>>((float *)a, (float *)b);
  needed_sometimes<<<2, 64>>>((int *)a, (int *)b, 20);
  rows_and_steps<<<2, dim3(16, 16)>>>((int *)b);
  dot_products<<<2, dim3(16, 16)>>>((int *)a, (int *)b);
  first_step<<<2, 64>>>((float *)a, (float *)b);
  managed[0] = 1;
  from_managed<<<2, 64>>>((int *)b);
  return cudaDeviceSynchronize();
}
