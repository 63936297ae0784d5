// Parts of what is loaded: bytes of words, halves of pairs, elements of vectors, bit fields; and what is loaded again behind an atomic.
#include <cuda_runtime.h>

__global__ void bytes_of_words(const unsigned *in, unsigned *out) {
  const int x = threadIdx.x;
  out[x] = in[x] & 0xff;
  out[x + 64] = in[x + 64] >> 24;
  out[x + 128] = in[x + 128] >> 16;
  out[x + 192] = (in[x + 192] >> 8) & 0xff;
  out[x + 256] = in[x + 256] & 0xff00;
}
__global__ void read_only(const unsigned *__restrict__ in, unsigned *__restrict__ out) {
  const int x = threadIdx.x;
  out[x] = in[x] & 0xff;
  out[x + 64] = in[x + 64] >> 24;
}
__global__ void halves_of_pairs(const unsigned long long *in, unsigned long long *out, unsigned *word) {
  const int x = threadIdx.x;
  out[x] = in[x] >> 32;
  out[x + 64] = in[x + 64] >> 48;
  word[x] = unsigned(in[x + 128]);
  word[x + 64] = unsigned(in[x + 192] >> 40) & 0xff;
  out[x + 128] = in[x + 256] >> 24 & 63;
  out[x + 192] = in[x + 320] >> 20;
}
__global__ void shared_parts(const unsigned *in, unsigned *out) {
  __shared__ unsigned words[64];
  __shared__ unsigned long long pairs[64];
  const int x = threadIdx.x;
  words[x] = in[x];
  pairs[x] = in[x + 64];
  __syncthreads();
  out[x] = words[x ^ 1] >> 16;
  out[x + 64] = words[63 - x] & 0xffff;
  out[x + 128] = unsigned(pairs[x ^ 1] >> 48);
  out[x + 192] = unsigned(pairs[63 - x] >> 24) & 63;
}
__global__ void elements(const float4 *in, float *out) {
  const int x = threadIdx.x;
  const float4 a = __ldg(in + x), b = __ldg(in + x + 64), c = __ldcs(in + x + 128), d = __ldcg(in + x + 192);
  out[x] = a.x + a.w;
  out[x + 64] = b.z;
  out[x + 128] = c.x + c.y;
  out[x + 192] = d.x + d.y + d.z + d.w;
}
__global__ void sums_of_shorts(const short *in, short *out, int *wide) {
  __shared__ short s[256];
  const int x = threadIdx.x;
  s[x] = in[x]; s[x + 128] = in[x + 128];
  __syncthreads();
  out[x] = s[2 * x] + s[2 * x + 1];
  __syncthreads();
  wide[x] = s[255 - 2 * x] + s[254 - 2 * x];
}
struct Packed { unsigned low : 5, middle : 11, high : 16; };
__global__ void fields(Packed *data, int *out) {
  __shared__ Packed s[64];
  const int x = threadIdx.x;
  s[x] = data[x];
  __syncthreads();
  out[x] = s[63 - x].low + s[x ^ 1].high;
  data[x + 64].high = x;
}
__global__ void behind_atomics(const float *in, float *out, int *count) {
  __shared__ float s[64];
  __shared__ int hits;
  const int x = threadIdx.x;
  if (x == 0) hits = 0;
  s[x] = in[x];
  __syncthreads();
  const float before = s[63 - x];
  atomicAdd(&hits, 1);
  const float after = s[63 - x];
  atomicAdd(count, 1);
  const float later = s[63 - x];
  out[x] = before * 2 + after * 3 + later;
}
int main() {
  char *a, *b, *c;
  cudaMalloc(&a, 1 << 16); cudaMalloc(&b, 1 << 16); cudaMalloc(&c, 1 << 16);
  cudaMemset(a, 1, 1 << 16); cudaMemset(c, 0, 1 << 16);
  bytes_of_words<<<2, 64>>>((unsigned *)a, (unsigned *)b);
  read_only<<<2, 64>>>((unsigned *)a, (unsigned *)b);
  halves_of_pairs<<<2, 64>>>((unsigned long long *)a, (unsigned long long *)b, (unsigned *)c);
  shared_parts<<<2, 64>>>((unsigned *)a, (unsigned *)b);
  elements<<<2, 64>>>((float4 *)a, (float *)b);
  sums_of_shorts<<<2, 128>>>((short *)a, (short *)b, (int *)c);
  fields<<<2, 64>>>((Packed *)a, (int *)b);
  behind_atomics<<<2, 64>>>((float *)a, (float *)b, (int *)c);
  return cudaDeviceSynchronize();
}
