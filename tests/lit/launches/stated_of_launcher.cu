// A size that is stated of the kernel or of the function that launches it: what host code makes of it is known. Where another value decides as well, it is not.
// RUN: %lint --fail-on=never --kernel=scale %s --set length=4096 | FileCheck %s --check-prefix=SIZE
// RUN: %lint --fail-on=never --kernel=reduce %s --set threads=512 --set size=65536 | FileCheck %s --check-prefix=BOTH
// RUN: %lint --fail-on=never --kernel=reduce %s --set threads=512 | FileCheck %s --check-prefix=ONE
// RUN: %lint --fail-on=never --kernel=rounded %s --set n=4096 | FileCheck %s --check-prefix=ROUNDED
// RUN: %lint --fail-on=never --kernel=chosen %s --set n=4096 | FileCheck %s --check-prefix=CHOSEN
// RUN: %lint --fail-on=never --kernel=chosen %s --set n=4096 --set wide=1 | FileCheck %s --check-prefix=WIDE
// RUN: not %lint --fail-on=never --kernel=reduce %s --set thread=512 2>&1 | FileCheck %s --check-prefix=NONE

__global__ void scale(float *out, const float *in, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length)
    out[i] = in[i];
}
void run_scale(float *out, const float *in, int length) {
  dim3 block(256), grid((length + 255) / 256);
  scale<<<grid, block>>>(out, in, length);
}
// SIZE: scale  grid=(16) block=(256) length=4096
// SIZE-NEXT: launch: host code at
// SIZE-NOT: length =
// SIZE: out[i] {{.*}} 512 {{.*}}

__global__ void reduce(float *out, const float *in, unsigned size) {
  extern __shared__ float s[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < size ? in[i] : 0;
  __syncthreads();
  out[i] = s[threadIdx.x];
}
int run_reduce(float *out, const float *in, int size, int threads) {
  const int blocks = (size + threads - 1) / threads;
  reduce<<<blocks, threads, threads * sizeof(float)>>>(out, in, size);
  return blocks;
}
// BOTH: reduce  grid=(128) block=(512) shared=2,048 B (2,048 dynamic) size=65536
// BOTH-NEXT: launch: host code at
// BOTH: s[threadIdx.x] {{ *}}store 32 {{ *}}2,048 {{.*}} exact
// ONE: reduce  grid=({{[0-9]+}}) block=(512) shared=2,048 B
// ONE-NEXT: launch: assumed at
// ONE-NEXT: assumed: size = {{[0-9]+}}, threads = 512 (parameters of run_reduce)
// NONE: 'thread' is no parameter of reduce; did you mean 'threads'?

// The kernel's n is not the function's.
__global__ void rounded(float *out, int n) { out[blockIdx.x * 128 + threadIdx.x] = n; }
void run_rounded(float *out, int m) {
  int n = m / 4 * 4;
  rounded<<<m / 128, 128>>>(out, n);
}
// ROUNDED: rounded  grid=
// ROUNDED-NEXT: launch: assumed

// Which grid it is, another parameter decides.
__global__ void chosen(float *out, int n) { out[blockIdx.x * 128 + threadIdx.x] = n; }
void run_chosen(float *out, int n, int wide) {
  int blocks = n / 128;
  if (wide)
    blocks *= 2;
  chosen<<<blocks, 128>>>(out, n);
}
// CHOSEN: chosen  grid=
// CHOSEN-NEXT: launch: assumed
// WIDE: chosen  grid=(64) block=(128)
// WIDE-NEXT: launch: host code at
