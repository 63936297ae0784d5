// What lanes are apart by is one quantity where it is made of several, and is named as in the source.
// RUN: %lint-short --format=json --fail-on=never %s | FileCheck %s

extern __shared__ float s[];
__global__ void sums(float *out, int n, int m, bool f) {
  const int x = threadIdx.x;
  // CHECK: "expression": "s[x * (n + 8)]"
  // CHECK: "text": "when blockDim.x % 32 == 0, depends on n + 8: 32-way when (n + 8) % 32 == 0 and (n + 8) != 0,
  s[x * (n + 8)] = 1;
  // CHECK: "expression": "s[x * (n + 2 * m + 1)]"
  // CHECK: "text": "when blockDim.x % 32 == 0, depends on n + 2 * m + 1: 32-way when (n + 2 * m + 1) % 32 == 0 and (n + 2 * m + 1) != 0,
  s[x * (n + 2 * m + 1)] = 2;
  // CHECK: "expression": "s[x * (n - m)]"
  // CHECK: "text": "when blockDim.x % 32 == 0, depends on n - m: 32-way when (n - m) % 32 == 0 and (n - m) != 0,
  s[x * (n - m)] = 3;
  // CHECK: "expression": "s[x * ((n + 3) & ~3)]"
  // CHECK: "text": "when blockDim.x % 32 == 0, depends on (n + 3) & ~3: 32-way when ((n + 3) & ~3) % 32 == 0 and ((n + 3) & ~3) != 0,
  s[x * ((n + 3) & ~3)] = 4;
  // CHECK: "expression": "s[x * (f ? n : 33)]"
  // CHECK: "text": "when blockDim.x % 32 == 0, depends on f ? n : 33: 32-way when (f ? n : 33) % 32 == 0 and (f ? n : 33) != 0,
  s[x * (f ? n : 33)] = 5;
  // CHECK: "expression": "s[x << n]"
  // CHECK: "text": "when blockDim.x % 32 == 0, depends on 1 << n: 32-way when (1 << n) % 32 == 0 and (1 << n) != 0, 16-way when (1 << n) % 32 == 16, 8-way when (1 << n) % 32 == 8, else at most 4-way;
  s[x << n] = 6;
  __syncthreads();
  out[x] = s[x];
}

// A constant divisor, by the remainder of what all lanes have; a large one, and one that is not known, where no lane passes a multiple.
__global__ void quotients(const float *in, float *out, int n) {
  const int x = threadIdx.x;
  // CHECK: "expression": "s[x / 5 * 7 + x % 5]"
  // CHECK: "text": "when blockDim.x % 32 == 0, 2-way; in other blocks at most 32-way"
  // CHECK: "expression": "in[x / 3]"
  // CHECK: "text": "when blockDim.x % 32 == 0, coalesced; in other blocks at most 32 sectors"
  s[x / 5 * 7 + x % 5] = in[x / 3];
  // CHECK: "expression": "out[(x + n) / 100 * 128 + (x + n) % 100]"
  // CHECK: "verdict": "cases"
  // CHECK: "expression": "in[x / n * 1024 + x % n]"
  // CHECK: "text": "when blockDim.x % 32 == 0, depends on n: 
  out[(x + n) / 100 * 128 + (x + n) % 100] = in[x / n * 1024 + x % n];
}

// Powers of two that a loop doubles.
__global__ void doubling(float *out, int n) {
  const int t = threadIdx.x;
  for (int d = n, offset = 1; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d) {
      const int i = offset * (2 * t + 1) - 1;
      // CHECK: "expression": "s[i + (i >> 5)]"
      // CHECK: "verdict": "cases"
      s[i + (i >> 5)] = t;
    }
  }
  out[t] = s[t];
}

// A narrow index wraps around in all lanes alike.
__global__ void narrow(float *out) {
  const signed char t = threadIdx.x;
  // CHECK: "expression": "out[t + 128]"
  // CHECK: "text": "when blockDim.x % 32 == 0, 5 sectors instead of 4 when address % 32 != 0, else coalesced;
  // CHECK: "expression": "s[(t + 128) * 2]"
  // CHECK: "text": "when blockDim.x % 32 == 0, 2-way;
  out[t + 128] = s[(t + 128) * 2];
}

// A pointer that is loaded leads to global memory, unless the kernel stores one to its own.
__global__ void pointers(float **rows, int ld) {
  float *row = rows[blockIdx.x];
  // CHECK: "expression": "row[threadIdx.x * 8]"
  // CHECK: "text": "when blockDim.x % 32 == 0, 32 sectors instead of 4;
  row[threadIdx.x * 8] = ld;
}
__global__ void own_pointers(float *out, int n) {
  __shared__ float *table[4];
  __shared__ float buffer[256];
  if (threadIdx.x < 4)
    table[threadIdx.x] = threadIdx.x < 2 ? buffer : out;
  __syncthreads();
  // CHECK: "reason": "a pointer whose memory is not known"
  table[n & 3][threadIdx.x * 8] = 1;
}

// What is not defined on a path is not used after it.
__global__ void undefined(float *out, int n) {
  float *p;
  if (n > 3)
    p = out;
  __syncthreads();
  if (n > 3)
    // CHECK: "expression": "p[threadIdx.x * 8]"
    // CHECK: "text": "when blockDim.x % 32 == 0, 32 sectors instead of 4;
    p[threadIdx.x * 8] = 1;
}
