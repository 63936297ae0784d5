// What nvcc accepts and Clang by itself does not.
// RUN: %lint %s 2>&1 | FileCheck %s
// CHECK-NOT: error:
#include <cuda_runtime.h>

struct Token {
  __device__ Token() : value(7) {}
  __device__ void arrive() { value = value + 1; }
  int value;
};

// CHECK-LABEL: {{^}}shared_objects
// CHECK: [[#@LINE+5]]:34 {{ *}}several[threadIdx.x & 3].value {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
__global__ void shared_objects(int *out) {
  __shared__ __align__(16) Token one; __shared__ Token
      several[4];
  one.arrive();
  several[threadIdx.x & 3].value = 2;
  __syncthreads();
  out[threadIdx.x] = one.value + several[(threadIdx.x + 1) & 3].value;
}

template <class T> __global__ void shared_object_of_template(T *out) {
  __shared__ Token token;
  token.value = 3;
  __syncthreads();
  out[threadIdx.x] = token.value;
}

// CHECK-LABEL: {{^}}special_registers
// CHECK: out[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact
__global__ void special_registers(int *out) {
  unsigned lane, clock;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
  asm volatile("{\n\t"
               ".reg .u32 %before, %behind;\n\t"
               "mov.u32 %before, %clock;\n\t"
               "mov.u32 %0, %before;\n\t"
               "}"
               : "=r"(clock));
  asm volatile("st.global.u32 [%1], %0;" ::"r"(lane) "l"(out + 64) : "memory");
  out[threadIdx.x] = lane + clock;
}

// CHECK-LABEL: {{^}}behind_string
extern "C"__global__ void behind_string(int *out) { out[threadIdx.x] = 1; }

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  shared_objects<< <1, 32>> >(out);
  shared_object_of_template<< < 1, 32 >> >(out);
  special_registers<<<1, 32>>>(out);
  behind_string<<<1, 32>>>(out);
}
// CHECK: 4 kernels, 4 launches
