// Conditions of several loads, and branches out of the middle: where the lanes meet that come to a place by several branches.
#include <cuda_runtime.h>

constexpr int kLanes = 128;
__device__ void fill(int *s) {
  const int t = threadIdx.x;
  s[t] = (t * 7 + t / 5) % 8;
  __syncthreads();
}
__global__ void either(int *out) {
  __shared__ int s[kLanes];
  const int t = threadIdx.x;
  fill(s);
  if (s[t] == 1 || s[t ^ 1] == 2)
    out[t] = 5;
  out[t + 128] = s[t ^ 3];
}
__global__ void one_of_three(int *out) {
  __shared__ int s[kLanes];
  const int t = threadIdx.x;
  fill(s);
  if (s[(t + 3) & 127] == 0 || s[t / 2] == 1 || s[t / 4] == 2)
    out[t + 64] = s[t ^ 7];
}
__global__ void both_or_another(int *out) {
  __shared__ int s[kLanes];
  const int t = threadIdx.x;
  fill(s);
  if ((s[t] > 2 && s[t ^ 1] < 5) || s[t ^ 2] == 7)
    out[t] = s[t ^ 7];
  out[t + 256] = s[t ^ 3];
}
__global__ void both_or_else(int *out) {
  __shared__ int s[kLanes];
  const int t = threadIdx.x;
  fill(s);
  if (s[t] > 1 && s[t ^ 1] < 5)
    out[t] = 1;
  else
    out[t * 2 + 128] = s[t ^ 9];
}
__global__ void return_inside(int *out) {
  __shared__ int s[kLanes];
  const int t = threadIdx.x;
  fill(s);
  if (s[t] < 3) {
    out[t] = s[t ^ 5];
    if (s[t ^ 1] == 4) return;
    out[t + 128] = s[t ^ 6];
  }
  out[t + 256] = s[t ^ 3];
}
__global__ void break_inside(int *out, int n) {
  __shared__ int s[kLanes];
  const int t = threadIdx.x;
  fill(s);
  int i = 0;
  for (; i < n; i++) {
    if (s[(t + i) & 127] < 3) {
      out[t + 128] = s[t ^ 5];
      if (s[(t * 3 + i) & 127] == 4) break;
    }
    out[i * 128 + t + 256] = s[t ^ i];
  }
  out[t] = i;
}
__global__ void continue_early(int *out, int n) {
  __shared__ int s[kLanes];
  const int t = threadIdx.x;
  fill(s);
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (s[(t + i) & 127] == 3) continue;
    if (s[(t * 3 + i) & 127] == 4) continue;
    out[i * 128 + t] = s[t ^ i];
    sum += i;
  }
  out[t] = sum;
}
__global__ void probe(int *out) {
  __shared__ int table[128];
  const int t = threadIdx.x;
  for (int i = t; i < 128; i += 32) table[i] = -1;
  __syncthreads();
  if (t == 0)
    for (int k = 0; k < 40; k++) {
      int h = (k * 36) & 31;
      while (table[h] != -1) h = (h + 1) & 127;
      table[h] = k;
    }
  __syncthreads();
  const int key = t * 2;
  int h = (key * 36) & 31, probes = 0;
  while (table[h] != key && table[h] != -1) {
    h = (h + 1) & 127;
    probes++;
  }
  out[t] = probes;
}
int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  either<<<1, kLanes>>>(out);
  one_of_three<<<1, kLanes>>>(out);
  both_or_another<<<1, kLanes>>>(out);
  both_or_else<<<1, kLanes>>>(out);
  return_inside<<<1, kLanes>>>(out);
  break_inside<<<1, kLanes>>>(out, 16);
  continue_early<<<1, kLanes>>>(out, 16);
  probe<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
