// One line and rule is one finding, however many instantiations have it: with the figures of the worst, the others on request.
// RUN: not %lint %s --launch 'guessed*:block=(32)' | FileCheck %s
// RUN: not %lint %s --launch 'guessed*:block=(32)' --verbose | FileCheck %s --check-prefix=VERBOSE
// RUN: not %lint %s --launch 'guessed*:block=(32)' --format=json | FileCheck %s --check-prefix=JSON
// RUN: not %lint %s --launch 'guessed*:block=(32)' --format=github | FileCheck %s --check-prefix=GITHUB

template <class T, int STRIDE> __global__ void strided(T *out) {
  __shared__ T line[32 * STRIDE];
  line[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = line[threadIdx.x * STRIDE];
// CHECK: instantiations.cu:[[#@LINE-1]]:22: warning: 8-way bank conflict: load of line[threadIdx.x * STRIDE] takes 8 wavefronts instead of 1 (in 3 of 4 instantiations; the worst is shown) [smem-bank-conflict]
// CHECK-NOT: [smem-bank-conflict]
// VERBOSE: (in 3 of 4 instantiations; the worst is shown)
// VERBOSE: in: strided<double, 4> grid=(1) block=(32) on sm_90: warning, 8 wavefronts where 2 are enough (4x) in 1 request
// VERBOSE-NEXT: in: strided<float, 2> grid=(1) block=(32) on sm_90: warning, 2 wavefronts where 1 is enough (2x) in 1 request
// VERBOSE-NEXT: in: strided<float, 8> grid=(1) block=(32) on sm_90: warning, 8 wavefronts where 1 is enough (8x) in 1 request
// JSON: "rule": "smem-bank-conflict"
// JSON: "extent": "in 3 of 4 instantiations; the worst is shown"
// JSON: "instances": [
// JSON: "kernel": "strided<double, 4>"
// JSON: "kernel": "strided<float, 2>"
// JSON: "kernel": "strided<float, 8>"
// GITHUB: 8-way bank conflict: load of line[threadIdx.x * STRIDE] takes 8 wavefronts instead of 1 (in 3 of 4 instantiations; the worst is shown)
}

void launch(float *f, double *d) {
  strided<float, 1><<<1, 32>>>(f);
  strided<float, 2><<<1, 32>>>(f);
  strided<float, 8><<<1, 32>>>(f);
  strided<double, 4><<<1, 32>>>(d);
}

template <class T> __global__ void guessed(T *out, int n) {
  if (threadIdx.x < n)
    out[threadIdx.x] = T(0);
}
template __global__ void guessed<float>(float *, int);
template __global__ void guessed<double>(double *, int);
// CHECK: note: launch of guessed<{{float|double}}> is not known entirely; assumed {{.*}} (in all 2 instantiations) [launch-unknown]
// CHECK-NOT: [launch-unknown]

// How often it runs is known of one: the others may cost more. Of two of which it is not known, the one whose requests cost more is shown.
template <int Stride> __global__ void open(float *out, const int *n) {
  __shared__ float s[32 * 8];
  const int times = Stride == 2 ? 4 : *n;
  for (int i = 0; i < times; ++i)
    s[threadIdx.x * Stride] = out[i];
  // CHECK: [[#@LINE-1]]:{{.*}}: 2-way bank conflict: store of s[threadIdx.x * Stride] {{.*}}(in all 3 instantiations; the one that is known to cost most is shown)
  for (int i = 0; i < *n; ++i)
    s[threadIdx.x * Stride + i] = out[i];
  // CHECK: [[#@LINE-1]]:{{.*}}: 8-way bank conflict: store of s[threadIdx.x * Stride + i] {{.*}}(in all 3 instantiations; the worst is shown)
}
void launch_open(float *f, const int *n) {
  open<2><<<1, 32>>>(f, n);
  open<4><<<1, 32>>>(f, n);
  open<8><<<1, 32>>>(f, n);
}
