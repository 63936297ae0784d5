// One lane of every block counts it; the last one to come does what is left. Which block that is does not matter for the counts.
// RUN: %lint --fail-on=never %s | FileCheck %s

__device__ unsigned arrived = 0;

// CHECK-LABEL: {{^}}last_sums_up
// CHECK: partial[blockIdx.x] {{ *}}store 32 {{ *}}64 {{.*}} exact
// CHECK: atomicAdd(&arrived, 1u) {{ *}}atomic 32 {{ *}}64 {{.*}} exact
// CHECK: partial[i] {{ *}}load 32 {{ *}}2 {{.*}} assumed
// CHECK: *sum {{ *}}store 32 {{ *}}1 {{.*}} assumed
// CHECK: blocks come to the atomic at line [[@LINE+8]] in the order of their indices, and find 0 there
__global__ void last_sums_up(const float *in, volatile float *partial, float *sum) {
  __shared__ bool last;
  const float mine = in[blockIdx.x * 128 + threadIdx.x];
  const int everybody = __syncthreads_count(mine > 0);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = everybody;
    __threadfence();
    last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < 64) {
    float total = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += 64)
      total += partial[i];
    for (int lane = 16; lane; lane /= 2)
      total += __shfl_down_sync(~0u, total, lane);
    if (threadIdx.x == 0)
      *sum = total;
  }
}

// A wrapping counter, and blocks in two dimensions.
// CHECK-LABEL: {{^}}wraps
// CHECK: out[threadIdx.x] {{ *}}store 32 {{ *}}4 {{.*}} assumed
__global__ void wraps(float *out) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0)
    ticket = atomicInc(&arrived, gridDim.x * gridDim.y - 1);
  __syncthreads();
  if (ticket == gridDim.x * gridDim.y - 1)
    out[threadIdx.x] = 1;
}

// Every warp draws: what it gets is no block's number.
// CHECK-LABEL: {{^}}every_warp
// CHECK: out[threadIdx.x] {{ *}}store 32 {{.*}} unknown
__global__ void every_warp(float *out) {
  unsigned ticket = 0;
  if (threadIdx.x % 32 == 0)
    ticket = atomicAdd(&arrived, 1u);
  if (ticket == 7)
    out[threadIdx.x] = 1;
}

// Only some blocks draw.
// CHECK-LABEL: {{^}}some_blocks
// CHECK: out[threadIdx.x] {{ *}}store 32 {{.*}} unknown
__global__ void some_blocks(float *out) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0 && blockIdx.x % 2 == 0)
    ticket = atomicAdd(&arrived, 1u);
  __syncthreads();
  if (blockIdx.x % 2 == 0 && ticket == 7)
    out[threadIdx.x] = 1;
}

// A queue that blocks come back to.
// CHECK-LABEL: {{^}}queue
// CHECK: out[item * {{[^ ]*}}readIdx.x] {{ *}}store 32 {{.*}} unknown
__global__ void queue(float *out, unsigned items) {
  __shared__ unsigned next;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0)
      next = atomicAdd(&arrived, 1u);
    __syncthreads();
    const unsigned item = next;
    if (item >= items)
      return;
    out[item * 128 + threadIdx.x] = 1;
  }
}

// A limit below the number of blocks makes several of them the last.
// CHECK-LABEL: {{^}}wraps_early
// CHECK: out[threadIdx.x] {{ *}}store 32 {{.*}} unknown
__global__ void wraps_early(float *out) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0)
    ticket = atomicInc(&arrived, 3);
  __syncthreads();
  if (ticket == 3)
    out[threadIdx.x] = 1;
}

int main() {
  float *in, *out, *sum;
  cudaMalloc(&in, 4 * 128 * 64);
  cudaMalloc(&out, 4 * 128 * 64);
  cudaMalloc(&sum, 4);
  last_sums_up<<<64, 128>>>(in, out, sum);
  wraps<<<dim3(8, 8), 128>>>(out);
  every_warp<<<64, 128>>>(out);
  some_blocks<<<64, 128>>>(out);
  queue<<<64, 128>>>(out, 200);
  wraps_early<<<64, 128>>>(out);
}
