// Kernels without a conflict: nothing is found, however the lanes are permuted.
// RUN: %lint %s 2>&1 | FileCheck %s
// CHECK-NOT: {{warning|note|error}}:
// CHECK: no findings in 1 file, 6 kernels, 6 launches
// CHECK-NEXT: memory instructions: {{[0-9]+}} exact, 0 assumed, 0 unknown

// smem-lint: launch block=(32,8) grid=(4)
__global__ void padded(float *out) {
  __shared__ float tile[32][33];
  for (int r = threadIdx.y; r < 32; r += 8) tile[r][threadIdx.x] = r;
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) out[r * 32 + threadIdx.x] = tile[threadIdx.x][r];
}

// smem-lint: launch block=(32,8) grid=(4)
__global__ void swizzled(float *out) {
  __shared__ float tile[32][32];
  for (int r = threadIdx.y; r < 32; r += 8) tile[r][threadIdx.x ^ r] = r;
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) out[r * 32 + threadIdx.x] = tile[threadIdx.x][r ^ threadIdx.x];
}

// smem-lint: launch block=(32) grid=(4)
__global__ void broadcast(float *out) {
  __shared__ float row[64];
  row[threadIdx.x] = 1;
  row[threadIdx.x + 32] = 2;
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x / 16 * 33] + row[7];
}

// smem-lint: launch block=(256) grid=(4)
__global__ void wide(float4 *out) {
  __shared__ double2 pairs[256];
  __shared__ float4 quads[256];
  pairs[threadIdx.x] = make_double2(1, 2);
  quads[threadIdx.x] = make_float4(1, 2, 3, 4);
  __syncthreads();
  const float4 q = quads[255 - threadIdx.x];
  const double2 p = pairs[255 - threadIdx.x];
  out[threadIdx.x] = make_float4(p.x + q.x, p.y + q.y, q.z, q.w);
}

// smem-lint: launch block=(37) grid=(4)
__global__ void ragged(float *out) {
  __shared__ float line[37];
  line[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = line[36 - threadIdx.x];
}

// smem-lint: launch block=(64) grid=(4)
__global__ void odd_stride(float *out) {
  __shared__ float line[64 * 5];
  line[threadIdx.x * 5] = 1;
  __syncthreads();
  out[threadIdx.x] = line[(63 - threadIdx.x) * 5];
}
