// Kernels that never access shared memory are free without a step, also where that leaves barriers open; a pointer that may lead there takes some.
// RUN: %races --max-steps=1 %s | FileCheck --match-full-lines %s

// CHECK:alone grid (8,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
__global__ void alone(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = in[i]; k != n; k = k & 1 ? 3 * k + 1 : k / 2)
    out[i] += k;
}

// CHECK:unknown_block grid (64,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
__global__ void unknown_block(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

// CHECK:voting grid (8,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
__global__ void voting(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0)
    out[i] = __ballot_sync(0xffffffffu, in[i]);
}

// CHECK:sharing grid (8,1,1) block (128,1,1): unknown {{.*}}
__global__ void sharing(const int *in, int *out) {
  __shared__ int s[128];
  s[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = s[in[threadIdx.x] & 127];
}

// CHECK:to_anywhere grid (8,1,1) block (128,1,1): unknown {{.*}}
__device__ void write(int *p) { *p = threadIdx.x; }
__global__ void to_anywhere(int *out, int n) {
  __shared__ int s[4];
  write(n ? s : out);
}

int main(int argc, char **argv) {
  int *p;
  cudaMalloc(&p, 8 * 128 * sizeof(int));
  alone<<<8, 128>>>(p, p, argc);
  voting<<<8, 128>>>(p, p);
  sharing<<<8, 128>>>(p, p);
  to_anywhere<<<8, 128>>>(p, argc);
}
