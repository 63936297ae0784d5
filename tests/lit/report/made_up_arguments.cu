// A cost with template arguments that the analysis made up is a note, which names them, and fails no run; one with arguments that the source writes is a finding.
// RUN: %lint-short %s 2>/dev/null | FileCheck %s --check-prefix=NOTE
// RUN: not %lint-short %s --launch 'pieces<float,64,16>:block=64' 2>/dev/null | FileCheck %s --check-prefix=STATED
// RUN: not %lint-short %s -- -DINSTANTIATED 2>/dev/null | FileCheck %s --check-prefix=WRITTEN

template <typename T, int THREADS, int SEQ> __global__ void pieces(T *out, const T *in) {
  __shared__ T values[THREADS * SEQ];
  for (int i = 0; i < SEQ; ++i)
    values[threadIdx.x + i * THREADS] = in[blockIdx.x * THREADS * SEQ + i * THREADS + threadIdx.x];
  __syncthreads();
  T sum = 0;
#pragma unroll 1
  for (int i = 0; i < SEQ; ++i)
    sum += values[threadIdx.x * SEQ + i];
  out[blockIdx.x * THREADS + threadIdx.x] = sum;
}
// NOTE-NOT: warning:
// NOTE: made_up_arguments.cu:[[@LINE-4]]:{{[0-9]+}}: note: {{[0-9]+}}-way bank conflict: load of values[threadIdx.x * SEQ + i] takes {{[0-9]+}} wavefronts instead of 1{{.*}} if SEQ={{[0-9]+}}, THREADS={{[0-9]+}}, T=float, which are assumed
// NOTE-NOT: warning:
// STATED: made_up_arguments.cu:[[@LINE-6]]:{{[0-9]+}}: warning: 16-way bank conflict
// WRITTEN: made_up_arguments.cu:[[@LINE-7]]:{{[0-9]+}}: warning: 8-way bank conflict
#ifdef INSTANTIATED
template __global__ void pieces<float, 128, 8>(float *, const float *);
#endif
