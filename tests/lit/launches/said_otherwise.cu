// What is stated of an argument against what the code says of it: both places are said.
// RUN: echo "Kernels:" > %t.yaml
// RUN: echo "  assumes: {n: 33}" >> %t.yaml
// RUN: echo "  checked: {n: 33}" >> %t.yaml
// RUN: %lint %s --fail-on=never --config-file %t.yaml 2>&1 | FileCheck %s
// RUN: %lint %s --fail-on=never --set n=33 2>&1 | FileCheck %s --check-prefix=SET
// RUN: %lint %s --fail-on=never --set n=64 2>&1 | FileCheck %s --check-prefix=AGREES
// AGREES-NOT: contradicts
#include <stdexcept>

// CHECK: yaml:2:{{.*}} warning: n == 33 of assumes contradicts n % 32 == 0 of the kernel's code at {{.*}}said_otherwise.cu:[[#@LINE+4]]:{{.*}}; what is stated is taken
// SET: said_otherwise.cu:[[#@LINE+3]]:3: warning: n == 33 of assumes contradicts n % 32 == 0 of the kernel's code
__global__ void assumes(float *out, int n) {
  __shared__ float tile[64 * 64];
  __builtin_assume(n % 32 == 0);
  tile[threadIdx.x * n] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// CHECK: yaml:3:{{.*}} warning: n: 33 of checked contradicts n % 32 == 0 ({{.*}}said_otherwise.cu:[[#@LINE+9]]) of the launch at {{.*}}said_otherwise.cu:[[#@LINE+11]]
// SET: said_otherwise.cu:[[#@LINE+8]]:7: warning: n=33 of checked contradicts n % 32 == 0 of the code here
__global__ void checked(float *out, int n) {
  __shared__ float tile[64 * 64];
  tile[threadIdx.x * n] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
void launch(float *out, int n) {
  if (n % 32 != 0)
    throw std::runtime_error("n");
  checked<<<1, 64>>>(out, n);
}
