// How large a body nvcc 13.0 makes four or two of: read off its PTX for bodies that grow. Where lanes leave a loop at different iterations, its
// copies show in the requests, which are an H200's counters.
// RUN: %lint --cuda-path=none --fail-on=never %s | FileCheck %s

#define TERM(C) (float)((k * C + n) % 257)

// Two at a time, a single one first: lanes 0 to 19 run four times, the others three times.
__global__ void seven_divisions(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 40)
    sum += in[k] + TERM(3) + TERM(5) + TERM(7) + TERM(9) + TERM(11) + TERM(13) + TERM(15);
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[k] {{ *}}load 32 {{ *}}10 {{.*}}exact
  out[threadIdx.x] = sum;
}

// Four at a time.
__global__ void three_divisions(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 40) sum += in[k] + TERM(3) + TERM(5) + TERM(7);
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[k] {{ *}}load 32 {{ *}}14 {{.*}}exact
  out[threadIdx.x] = sum;
}

// Inline PTX that only computes is like other computations (PTX read, not counted).
__global__ void computing_ptx(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 40) {
    float twice;
    asm("add.f32 %0, %1, %1;" : "=f"(twice) : "f"(in[k]));
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[k] {{ *}}load 32 {{ *}}14 {{.*}}assumed
    sum += twice;
  }
  out[threadIdx.x] = sum;
}

// A start that is a remainder: known to run no more than nine times, rolled in PTX, four, two and one at a time in machine code.
__global__ void remainder(float *out, float x) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  if (lane < 11)
    for (int k = lane; k <= 40; k += 8) out[blockIdx.x * 64 + t / 32 * 512 + k * 8 + lane] = x;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} out[blockIdx.x {{.*}} lane] {{ *}}store 32 {{ *}}28 {{.*}}assumed
}

// ptxas lets lanes begin where they have something to do.
__global__ void begins_late(const float *in, float *out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k)
    if (k > (int)threadIdx.x) sum += in[threadIdx.x * 2 + k * 16];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[threadIdx.x * 2 + k * 16] {{ *}}load 32 {{.*}}assumed ([[LATE:[0-9]+]])
  // CHECK: ([[LATE]]) assumed: nvcc starts the loop at the same iteration for all lanes [assumed-loop-peeling]
  out[threadIdx.x] = sum;
}

int main() {
  float *b;
  cudaMalloc(&b, 1 << 20);
  seven_divisions<<<2, 32>>>(b, b, 140);
  three_divisions<<<2, 32>>>(b, b, 140);
  computing_ptx<<<2, 32>>>(b, b, 140);
  remainder<<<2, 64>>>(b, 1);
  begins_late<<<2, 32>>>(b, b, 24);
}

// A branch for each of 12 iterations that are straight code by then, one of which decides the next to LLVM, and a number that is added to the index: to nvcc one iteration is all that fits.
// smem-lint: launch block=(128) grid=(1) n=200
__global__ void conditions(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n * 2; i += 128) {
    float a = 0;
    for (int k = 0; k < 12; ++k)
      a += i > 40 ? in[i + k] : 3.f * k;
    out[i] = a;
    // CHECK-LABEL: {{^}}conditions
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}store 32 {{.*}}assumed
  }
}

// smem-lint: launch block=(128) grid=(1) n=200
__global__ void few_conditions(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n * 2; i += 128) {
    float a = 0;
    for (int k = 0; k < 9; ++k)
      a += i > 40 ? in[i + k] : 3.f * k;
    out[i] = a;
    // CHECK-LABEL: {{^}}few_conditions
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}store 32 {{ *}}14 {{.*}}assumed
  }
}

// Numbers that LLVM adds to the pointer before the loop.
// smem-lint: launch block=(128) grid=(1) n=200
__global__ void two_loads(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n * 2; i += 128) {
    float a = 0;
    for (int k = 0; k < 7; ++k) {
      a = a * in[i + k] + in[i + 64 + k];
      if (a > 3.f)
        a *= 2;
    }
    out[i] = a;
    // CHECK-LABEL: {{^}}two_loads
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}store 32 {{.*}}assumed
  }
}

// smem-lint: launch block=(128) grid=(1) n=200
__global__ void fewer_of_two_loads(const float *in, float *out, int n) {
  for (int i = threadIdx.x; i < n * 2; i += 128) {
    float a = 0;
    for (int k = 0; k < 5; ++k) {
      a = a * in[i + k] + in[i + 64 + k];
      if (a > 3.f)
        a *= 2;
    }
    out[i] = a;
    // CHECK-LABEL: {{^}}fewer_of_two_loads
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}store 32 {{ *}}14 {{.*}}exact
  }
}

// What counts, of bodies that grow by one sum, each a statement of its own: the last that four fit in, and the first that they do not.
#define SUM(i) sums[i] += x;
#define FIVE(i) SUM(i) SUM(i + 1) SUM(i + 2) SUM(i + 3) SUM(i + 4)
#define FORTY FIVE(0) FIVE(5) FIVE(10) FIVE(15) FIVE(20) FIVE(25) FIVE(30) FIVE(35)

// The elements of a loaded vector come with it.
// smem-lint: launch block=(32) grid=(2) n=140
__global__ void elements(const float4 *in, float *out, int n) {
  float sums[43];
  for (int i = 0; i < 43; ++i) sums[i] = out[i];
  for (int k = threadIdx.x; k < n; k += 40) {
    const float4 v = in[k];
    // CHECK-LABEL: {{^}}elements
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 128 {{ *}}14 {{.*}}exact
    const float x = v.x * v.y * v.z * v.w;
    FORTY SUM(40) SUM(41) SUM(42)
  }
  for (int i = 0; i < 43; ++i) out[i * 32 + threadIdx.x] = sums[i];
}

// Indices into shared arrays are not extended.
// smem-lint: launch block=(32) grid=(2) n=140
__global__ void shared_index(const float *in, float *out, int n) {
  __shared__ float row[256];
  for (int i = threadIdx.x; i < 256; i += 32) row[i] = in[i];
  __syncwarp();
  float sums[47];
  for (int i = 0; i < 47; ++i) sums[i] = out[i];
  for (int k = threadIdx.x; k < n; k += 40) {
    const float x = row[k];
    // CHECK-LABEL: {{^}}shared_index
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}row[k] {{ *}}load 32 {{ *}}14 {{.*}}exact
    FORTY FIVE(40) SUM(45) SUM(46)
  }
  for (int i = 0; i < 47; ++i) out[i * 32 + threadIdx.x] = sums[i];
}

// What was added to the pointer is added to the index.
// smem-lint: launch block=(32) grid=(2) n=140
__global__ void row_before(const float *in, float *out, int n) {
  float sums[46];
  for (int i = 0; i < 46; ++i) sums[i] = out[i];
  const float *row = in + blockIdx.x * n;
  for (int k = threadIdx.x; k < n; k += 40) {
    const float x = row[k];
    // CHECK-LABEL: {{^}}row_before
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}row[k] {{ *}}load 32 {{ *}}10 {{.*}}assumed
    FORTY FIVE(40) SUM(45)
  }
  for (int i = 0; i < 46; ++i) out[i * 32 + threadIdx.x] = sums[i];
}

// Of a loop that is straight code one instruction is left: with 46 sums two iterations are one, with 45 four.
// smem-lint: launch block=(32) grid=(2) n=140
__global__ void after_a_loop(const float *in, float *out, int n) {
  float sums[46];
  for (int i = 0; i < 46; ++i) sums[i] = out[i];
  for (int k = threadIdx.x; k < n; k += 40) {
    const float x = in[k];
    for (int i = 0; i < 46; ++i) sums[i] += x;
    // CHECK-LABEL: {{^}}after_a_loop
    // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}load 32 {{ *}}10 {{.*}}assumed
  }
  for (int i = 0; i < 46; ++i) out[i * 32 + threadIdx.x] = sums[i];
}

// smem-lint: launch block=(32) grid=(2) n=140
__global__ void after_a_shorter_loop(const float *in, float *out, int n) {
  float sums[45];
  for (int i = 0; i < 45; ++i) sums[i] = out[i];
  for (int k = threadIdx.x; k < n; k += 40) {
    const float x = in[k];
    for (int i = 0; i < 45; ++i) sums[i] += x;
    // CHECK-LABEL: {{^}}after_a_shorter_loop
    // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}load 32 {{ *}}14 {{.*}}exact
  }
  for (int i = 0; i < 45; ++i) out[i * 32 + threadIdx.x] = sums[i];
}
