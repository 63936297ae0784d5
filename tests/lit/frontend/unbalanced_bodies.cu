// A function whose brackets do not match takes in what is declared after it: its body is left out, and the kernels after it are analysed. The error is the
// source's own where it is the first one, as the others are hidden.
// RUN: not %lint %s 2>&1 | FileCheck --implicit-check-not='errors hide' --implicit-check-not='smem_lint' %s
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "[print(f'__global__ void bad{i}(int *p) {{ p[threadIdx.x] = __ldg(; }}\n__global__ void good{i}(int *p) {{ p[threadIdx.x] = 1; }}') for i in range(50)]" > %t/many.cu
// RUN: not %lint %t/many.cu 2>&1 | FileCheck --check-prefix=MANY --implicit-check-not='errors hide' %s
// MANY: error: kernel 'bad49' is not analysed: its brackets do not match
// MANY: 50 kernels
#include <cuda_runtime.h>

namespace kernels {
__global__ void before(float *p) { p[threadIdx.x] = 1; }

__global__ void lacks_parenthesis(float *p, int n) {
  // CHECK-DAG: :[[#@LINE+1]]:{{.*}} error: kernel 'lacks_parenthesis' is not analysed: expected ')'
  for (int i = 0; i < n; ++i {
    p[i] = ')';
  }
}
void launch_before(float *p) { before<<<2, 32>>>(p); }
__global__ void first_after(float *p) { p[threadIdx.x] = 2; }

// CHECK-DAG: error: kernel 'lacks_brace' is not analysed:
__global__ void lacks_brace(float *p, int n) {
  for (int i = 0; i < n; ++i) {
    p[i] = 1; // }
#if 0
  }
#else
#endif
  p[3] = 2;
}

template <class T> __global__ void second_after(T *p) { p[threadIdx.x] = 2; }
void launch_second(float *p) { second_after<<<1, 64>>>(p); }

void host(float *p) {
  // CHECK-DAG: :[[#@LINE+1]]:{{.*}} error: host function 'kernels::host' is followed in part only: expected ')'
  if (p[0] {
    second_after<<<1, 96>>>(p);
  }
}
__global__ void last(float *p) { p[threadIdx.x] = 2; }
} // namespace kernels
// CHECK-DAG: {{^}}kernels::before  grid=(2) block=(32)
// CHECK-DAG: {{^}}kernels::first_after  grid
// CHECK-DAG: {{^}}kernels::second_after<float>  grid=(1) block=(64)
// CHECK-DAG: {{^}}kernels::last  grid
// CHECK: 4 kernels
