// The extent of an array that is a static member or an enumerator of a reference's class: nvcc takes it for a constant, as it does not evaluate the reference.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not %lint --fail-on=never %s -- -DNO_CONSTANT 2>&1 | FileCheck --check-prefix=NONE %s
struct Bins {
  enum { count = 16 };
  static constexpr int rows = 2;
  int used;
};

template <class B> __device__ int last_of(const B &bins, B *more, int i) {
  int sums[bins.count][more->rows];
  for (int k = 0; k < bins.count; ++k)
    sums[k][0] = sums[k][1] = k + bins.used;
  return sums[i & 15][1];
}
#ifdef NO_CONSTANT
// NONE: [[#@LINE+1]]:{{.*}} error:
__device__ int none(const Bins &bins) { int sums[bins.used]; sums[0] = 1; return sums[0]; }
#endif

// CHECK-LABEL: {{^}}k {{.*}}block=(64)
// CHECK: out[threadIdx.x] {{ *}}store 32 {{.*}} exact
__global__ void k(int *out, Bins bins) {
#ifdef NO_CONSTANT
  out[1] = none(bins);
#endif
  out[threadIdx.x] = last_of(bins, &bins, threadIdx.x);
}

int main() {
  int *p;
  cudaMalloc(&p, 4096);
  k<<<1, 64>>>(p, Bins{1});
}
