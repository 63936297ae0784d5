// Kernels whose sizes nobody knows: loops of one, two and alternating buffers, conditions on a size, grids that do or do not cover
// the data, strides, unrolled loops with what is left over.

__global__ void tiles(const float *a, float *out, int n, int m) {
  __shared__ float rows[32][32];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    rows[x][y] = a[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += rows[i][x] * rows[x][i];
    __syncthreads();
  }
  if (m > 5) rows[0][x] = sum;
  out[threadIdx.x] = sum;
}

__global__ void nested(float *out, int n, int m) {
  __shared__ float line[512];
  float sum = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < m; j += 8) {
      sum += line[threadIdx.x * 2];
      line[threadIdx.x] = sum;
      __syncthreads();
    }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void alternating(const float *a, float *out, int n, int m) {
  __shared__ float buffers[2][256];
  float sum = 0;
  int buffer = 0;
  const int steps = (n + 255) / 256;
  for (int k = 0; k < steps; ++k) {
    buffers[buffer][threadIdx.x] = a[k * 256 + threadIdx.x];
    __syncthreads();
    sum += buffers[buffer][255 - threadIdx.x];
    buffer ^= 1;
  }
  out[threadIdx.x + 8 * m] = sum;
}

__global__ void unrolled(float *out, int n, int m) {
  __shared__ float line[256];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += line[threadIdx.x];
    line[threadIdx.x * 2 & 255] = sum;
  }
  for (int k = n; k > m; k -= 3) {
    line[threadIdx.x / 2] = sum;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void periodic(const float *a, float *out, int n, int m) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += a[threadIdx.x + 3 * k];
  out[threadIdx.x] = sum;
}

__global__ void covered(float *a, int n, int m) {
  __shared__ float line[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) line[threadIdx.x * 2 % 256] = a[i];
  __syncthreads();
  if (m > n) a[threadIdx.x] = line[threadIdx.x];
}

__global__ void either(const float *a, float *out, int n, int m) {
  __shared__ float line[1024];
  const int stride = n > 40 ? 2 : 4;
  line[threadIdx.x * 3] = m == 7 ? 1 : 2;
  __syncthreads();
  if (m < 3) return;
  out[threadIdx.x] = line[threadIdx.x] * stride;
}
