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

constexpr int rounded(int n, int to) { return (n + to - 1) / to * to; }

template <class T> __global__ void shared_object_of_template(T *out) {
  __shared__ Token token, tokens_beside[2];
  __shared__ __align__(8) Token tokens[2 * (sizeof(T) + 1)][rounded(3, 2)];
  token.value = 3;
  tokens[0][threadIdx.x & 3].value = 3;
  __syncthreads();
  out[threadIdx.x] = token.value + tokens[0][threadIdx.x & 3].value;
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

// With the name of a type only: `const __restrict__ int a[32]` nvcc refuses.
typedef int number;
// CHECK-LABEL: {{^}}restrict_of_no_pointer
// CHECK: a[threadIdx.x] {{ *}}load 32 {{.*}} exact
__device__ int element(const __restrict__ number a[32], int i) { return a[i]; }
__global__ void restrict_of_no_pointer(const __restrict__ number a[32], int *out) {
  out[threadIdx.x] = a[threadIdx.x] + element(a, threadIdx.x ^ 1);
}

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  shared_objects<< <1, 32>> >(out);
  shared_object_of_template<< < 1, 32 >> >(out);
  special_registers<<<1, 32>>>(out);
  behind_string<<<1, 32>>>(out);
  restrict_of_no_pointer<<<1, 32>>>(out, out);
}

template <class T> struct Table {
  T *slots, size;
  __device__ T place(T id) const { return id % size; }
};
template <class T> struct WritableTable : Table<T> {
  __device__ void put(T id) { this->slots[place(id)] = id; }
};
// CHECK-LABEL: {{^}}members_of_bases<int>
// CHECK: [[#@LINE-3]]:60 {{.*}} store 32 {{ *}}1 {{ *}}4 {{.*}} assumed (1)
template <class T> __global__ void members_of_bases(WritableTable<T> table) { table.put(threadIdx.x); }
void launch_members_of_bases(WritableTable<int> table) { members_of_bases<<<1, 32>>>(table); }
// CHECK: 6 kernels, 6 launches
