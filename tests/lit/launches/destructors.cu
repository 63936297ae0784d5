// A destructor that has no body here ends a lifetime all the same; what it may change is not known, what it cannot reach is.
// RUN: %lint %s | FileCheck %s
struct Timer {
  int *rounds;
  explicit Timer(int *r) : rounds(r) {}
  ~Timer();
};
__global__ void first(float *x) { x[threadIdx.x] = 1; }
__global__ void second(float *x) { x[threadIdx.x] = 2; }
// CHECK-LABEL: first  grid=(4) block=(32)
// CHECK-NEXT: launch: host code
// CHECK-LABEL: second  grid=({{[0-9]+}}) block=(64)
// CHECK: assumed: rounds = {{[0-9]+}} (what '~Timer' stores): grid={{.*}} follows from the host code
int main() {
  float *x;
  cudaMalloc(&x, 4096);
  int blocks = 4, rounds = 2;
  {
    Timer t(&rounds);
    first<<<blocks, 32>>>(x);
  }
  second<<<rounds, 64>>>(x);
}
