// An access outside its array is reported of a launch that is not known where the values that it leaves open do not matter; nothing is, where they may.
// RUN: not %lint %s 2>&1 | FileCheck %s

// CHECK-NOT: smem-out-of-bounds
// CHECK: [[#@LINE+5]]:{{.*}}: error: byte 252 is outside `tail`, which has 128 bytes [smem-out-of-bounds]
// CHECK: in all launches of always with block=(64,1,1){{$}}
// CHECK-NOT: smem-out-of-bounds
__global__ void always(int *out, int n) {
  __shared__ int tail[32];
  tail[threadIdx.x] = n;
  __syncthreads();
  out[threadIdx.x] = tail[threadIdx.x & 31];
}

// CHECK: [[#@LINE+6]]:{{.*}}: warning: byte 124 is outside `tail`, which has 32 bytes [smem-out-of-bounds]
// CHECK: in all launches of if_at_all with block=(64,1,1) that come here
// CHECK-NOT: smem-out-of-bounds
__global__ void if_at_all(int *out, int n) {
  __shared__ int tail[8];
  if (n > 3)
    tail[threadIdx.x] = n;
  __syncthreads();
  out[threadIdx.x] = tail[threadIdx.x & 7];
}

__global__ void guarded(int *out, int n) {
  __shared__ int tail[32];
  if (threadIdx.x < n)
    tail[threadIdx.x] = n;
  __syncthreads();
  out[threadIdx.x] = tail[threadIdx.x & 31];
}

__global__ void by_argument(int *out, int n) {
  __shared__ int tail[32];
  tail[(threadIdx.x & 31) + n] = 1;
  __syncthreads();
  out[threadIdx.x] = tail[threadIdx.x & 31];
}

__global__ void by_block(int *out, int n) {
  __shared__ int tail[32];
  if (blockIdx.x > 100)
    tail[threadIdx.x] = n;
  else
    tail[threadIdx.x & 31] = n;
  __syncthreads();
  out[threadIdx.x] = tail[threadIdx.x & 31];
}

// Lanes that wait for others leave the loop one by one; what they read is of another array, which they do not race with.
// CHECK: [[#@LINE+11]]:{{.*}}: error: byte 8 is outside `tail`, which has 8 bytes [smem-out-of-bounds]
// CHECK-NOT: smem-race
__global__ void waiting(int *out, const int *head) {
  __shared__ volatile int tail[2], flags[2];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x < 2)
    flags[threadIdx.x] = tail[threadIdx.x] = 0;
  __syncthreads();
  int expected = -1;
  if (lane < 2)
    expected = head[warp * 2 + lane];
  while (__any_sync(~0u, tail[lane] <= expected && expected >= 0)) {
  }
  out[threadIdx.x] = expected;
  if (lane == 0)
    flags[warp] = 1;
}

// A block that was chosen to try the launch with, and none at all.
// CHECK-NOT: smem-out-of-bounds
__global__ void of_chosen_block(int *out) {
  __shared__ int tail[32];
  tail[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tail[threadIdx.x & 31];
}
__global__ void not_launched(int *out) {
  __shared__ int tail[32];
  tail[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tail[threadIdx.x & 31];
}

// nvcc loads 16 bytes for 12 that are wanted (machine code, CUDA 13.0: LDS.128), which may be more than the array has; so it does of variables next to each other.
__global__ void three_words(const float *in, float *out) {
  __shared__ float a[3];
  if (threadIdx.x < 3)
    a[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = a[0] + a[1] * a[2];
}
__global__ void last_three_words(const float *in, float *out) {
  __shared__ float a[7];
  if (threadIdx.x < 7)
    a[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = a[4] + a[5] * a[6];
}
__global__ void structure(const float3 *in, float *out) {
  __shared__ float3 centre;
  if (threadIdx.x == 0)
    centre = in[blockIdx.x];
  __syncthreads();
  out[threadIdx.x] = centre.x + centre.y * centre.z;
}
__global__ void variables(const float *in, float *out) {
  __shared__ float a, b, c;
  if (threadIdx.x == 0) {
    a = in[0];
    b = in[1];
    c = in[2];
  }
  __syncthreads();
  out[threadIdx.x] = a + b * c;
}
__global__ void three_bytes(const unsigned char *in, int *out) {
  __shared__ unsigned char a[35];
  a[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = a[32] + a[33] * a[34];
}
// What the source itself has too wide is outside.
// CHECK: [[#@LINE+7]]:{{.*}}: error: byte 0 is outside `a`, which has 12 bytes [smem-out-of-bounds]
// CHECK-NOT: smem-out-of-bounds
__global__ void four_of_three(const float *in, float4 *out) {
  __shared__ __align__(16) float a[3];
  if (threadIdx.x < 3)
    a[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = *reinterpret_cast<const float4 *>(a);
}

void launch(int *out, const int *head, int n, int grid) {
  const float *in = reinterpret_cast<const float *>(head);
  float *to = reinterpret_cast<float *>(out);
  three_words<<<1, 32>>>(in, to);
  last_three_words<<<1, 32>>>(in, to);
  structure<<<1, 32>>>(reinterpret_cast<const float3 *>(head), to);
  variables<<<1, 32>>>(in, to);
  three_bytes<<<1, 32>>>(reinterpret_cast<const unsigned char *>(head), out);
  four_of_three<<<1, 32>>>(in, reinterpret_cast<float4 *>(out));
  always<<<grid, 64>>>(out, n);
  if_at_all<<<grid, 64>>>(out, n);
  guarded<<<grid, 64>>>(out, n);
  by_argument<<<grid, 64>>>(out, n);
  by_block<<<grid, 64>>>(out, n);
  waiting<<<10, 64>>>(out, head);
  of_chosen_block<<<grid, min(n, 1024)>>>(out);
}
