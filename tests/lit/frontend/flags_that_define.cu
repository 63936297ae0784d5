// What nvcc defines for its own options is defined.
// RUN: %lint-short %s --fail-on=never -- --extended-lambda --expt-relaxed-constexpr | FileCheck %s
#if !defined(__CUDACC_EXTENDED_LAMBDA__) || !defined(__CUDACC_RELAXED_CONSTEXPR__)
#error "the flags are required"
#endif
template <class F> __global__ void each(float *o, F f) {
  __shared__ float t[64];
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: 2-way bank conflict
  t[threadIdx.x * 2] = f(threadIdx.x);
  o[threadIdx.x] = t[threadIdx.x];
}
void go(float *o) {
  each<<<1, 32>>>(o, [] __device__(int i) { return i * 2.f; });
}
