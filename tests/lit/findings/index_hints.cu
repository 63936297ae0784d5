// Arrays of one dimension: reductions that double their stride, gaps in the index where they help all accesses, and none that is there already.
// RUN: %lint-short --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not=hint:
// RUN: %lint --fail-on=never --kernel=stepped %s 2>&1 | FileCheck %s --check-prefix=STEPPED --implicit-check-not='quantity that is not named %'

// smem-lint: launch block=256 grid=64
__global__ void interleaved(const float *in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int k = 1; k < blockDim.x; k *= 2) {
    const int i = 2 * k * t;
    if (i < blockDim.x)
      s[i] += s[i + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
// CHECK-DAG: hint: sequential addressing, `s[t]` with `s[t + k]` for t < k and k halved each time, makes it 1 wavefront

// The up-sweep of a scan has the same strides, but keeps what it adds up where it is.
// smem-lint: launch block=256 grid=64 dynamic=2048
__global__ void scan(const float *in, float *out) {
  extern __shared__ float sums[];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * 512 + t];
  sums[t + 256] = in[blockIdx.x * 512 + t + 256];
#pragma unroll 1
  for (int k = 1; k < 512; k *= 2) {
    __syncthreads();
    const int a = k * (2 * t + 1) - 1, b = k * (2 * t + 2) - 1;
    if (b < 512)
      sums[b] += sums[a];
  }
  __syncthreads();
  out[blockIdx.x * 512 + t] = sums[t];
  out[blockIdx.x * 512 + t + 256] = sums[t + 256];
}
// CHECK-DAG: hint: a gap after each 32 elements, `sums[i + i / 32]` in an array longer by 1/32, makes it 1 wavefront

// The gap is there.
// smem-lint: launch block=256 grid=64
__global__ void with_gaps(const float *in, float *out) {
  __shared__ float sums[512 + 16];
  const int t = threadIdx.x;
  sums[t + t / 32] = in[blockIdx.x * 512 + t];
  sums[t + 256 + (t + 256) / 32] = in[blockIdx.x * 512 + t + 256];
#pragma unroll 1
  for (int k = 1; k < 512; k *= 2) {
    __syncthreads();
    const int a = k * (2 * t + 1) - 1, b = k * (2 * t + 2) - 1;
    if (b < 512)
      sums[b + b / 32] += sums[a + a / 32];
  }
  __syncthreads();
  out[blockIdx.x * 512 + t] = sums[t + t / 32];
}

// An atomic whose lanes meet in one bank, and one whose lanes update one word: there the layout changes nothing.
// smem-lint: launch block=64 grid=64
__global__ void atomics(const int *in, int *out) {
  __shared__ int most[64 * 32], all[2];
  for (int i = 0; i < 32; ++i)
    most[threadIdx.x + i * 64] = 0;
  if (threadIdx.x < 2)
    all[threadIdx.x] = 0;
  __syncthreads();
  const int value = in[blockIdx.x * 64 + threadIdx.x];
  atomicMax(&most[threadIdx.x * 32], value);
  atomicMin(&all[threadIdx.x / 32], value);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = most[threadIdx.x * 32] + all[0];
}
// CHECK-DAG: hint: a gap after each 32 elements, `most[i + i / 32]` in an array longer by 1/32, makes it 1 wavefront
// CHECK-DAG: hint: combine the lanes' values first (__reduce_min_sync, __shfl_xor_sync), and let one lane update the word

// There is no such instruction for floats.
// smem-lint: launch block=64 grid=64
__global__ void of_floats(const float *in, float *out) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * 64 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
// CHECK-DAG: hint: combine the lanes' values first (__shfl_xor_sync), and let one lane update the word

// Where the other accesses lose what this one gains, nothing is said.
// smem-lint: launch block=32 grid=64
__global__ void mixed(const float *in, float *out, int n) {
  __shared__ float s[33 * 33];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 32; ++i)
    s[31 * t + i] = in[blockIdx.x * 1024 + 32 * i + t];
  __syncthreads();
  s[2 * t] = sum;
  __syncthreads();
  for (int i = 0; i < 32; ++i)
    sum += s[31 * t + i];
  out[blockIdx.x * 32 + t] = sum;
}

// Cases of a step that has no name are not told where a note says what to state.
__global__ void stepped(const float *in, float *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const int i = 2 * step * threadIdx.x;
    if (i < blockDim.x)
      s[i] += s[i + step];
    __syncthreads();
  }
  out[threadIdx.x] = s[0];
}
// STEPPED: note: {{[0-9]+}}-way bank conflict: {{.*}} if block=(256,1,1), which is assumed
// STEPPED: cause: lanes {{.*}} of bank 0 (lanes are {{[0-9]+}} bytes apart); when blockDim.x % 32 == 0 or the block is one row, depends on the power of two of the loop at line {{[0-9]+}}: 16-way when

// An element of this array is eight words: a gap in its index is none after each row of banks.
struct Node {
  unsigned words[8];
};
// smem-lint: launch block=64 grid=1
__global__ void nodes(unsigned *a) {
  __shared__ Node s[64];
  s[threadIdx.x].words[0] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x].words[0];
}
