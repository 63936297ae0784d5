// A constructor is two functions of the module, for complete objects and for bases: what is attributed to another line than Clang's is so in both.
// RUN: %lint --fail-on=never %s | FileCheck %s

struct Load {
  __device__ __forceinline__ Load(unsigned &to, const void *from) {
    asm volatile("ld.global.u32 %0, [%1];"
                 : "=r"(to)
                 : "l"(from));
  }
};

template <int N> struct Store;
template <> struct Store<4> {
  __device__ Store(unsigned *to, unsigned value) {
    to[threadIdx.x +
       32] = value;
  }
};

struct Both : Load {
  __device__ Both(unsigned &to, const unsigned *from) : Load(to, from) {}
};

// CHECK-LABEL: {{^}}complete
// CHECK: [[#@LINE-17]]:24 {{ *}}ld.global.u32 [from] {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact
// CHECK: [[#@LINE-10]]:12 {{ *}}to[threadIdx.x + 32] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}exact
__global__ void complete(unsigned *a, unsigned *b) {
  unsigned value;
  Load(value, a + threadIdx.x);
  Store<4>(b, value);
}

// CHECK-LABEL: {{^}}of_a_base
// CHECK: [[#@LINE-26]]:24 {{ *}}ld.global.u32 [from] {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact
__global__ void of_a_base(unsigned *a, unsigned *b) {
  unsigned value;
  Both(value, a + threadIdx.x);
  b[threadIdx.x] = value;
}

// What members are initialised with stands beside the body.
struct Pair {
  unsigned a, b;
  __device__ Pair(const unsigned *from) : a(from[threadIdx.x
                                                 + 1]), b(from[threadIdx.x * 2]) {}
};
// CHECK-LABEL: {{^}}initialised
// CHECK: [[#@LINE-3]]:{{.*}}from[threadIdx.x + 1] {{ *}}load 32 {{ *}}1 {{ *}}5 {{.*}}exact
__global__ void initialised(unsigned *a, unsigned *b) {
  const Pair pair(a);
  b[threadIdx.x] = pair.a + pair.b;
}

int main() {
  initialised<<<1, 32>>>(nullptr, nullptr);
  complete<<<1, 32>>>(nullptr, nullptr);
  of_a_base<<<1, 32>>>(nullptr, nullptr);
}
