// An assignment of a template copies a structure in one instantiation and a number in another: nvcc attributes a structure's store to the line of the right side, unless
// something is called there, and a number's on the line of the left one.
// RUN: %lint --fail-on=never %s | FileCheck %s
struct alignas(4) Pair {
  short a, b;
  __device__ Pair(float v) : a(short(v)), b(0) {}
  Pair() = default;
};

template <typename T> __global__ void number_or_structure(T *o, const float *x, const T *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] =
      (T)(x[i] * 2.0f + x[i + 1024]);
  o[i + 2048] =
      y[i];
}

int main() {
  Pair *p;
  float *f, *x;
  cudaMalloc(&p, 4096 * sizeof(Pair));
  cudaMalloc(&f, 4096 * sizeof(float));
  cudaMalloc(&x, 4096 * sizeof(float));
  // CHECK-LABEL: number_or_structure<Pair>
  // CHECK: {{^ +}}12:{{[0-9]+}} {{.*}}store 32 {{.*}} exact
  // CHECK: {{^ +}}15:{{[0-9]+}} {{.*}}load 32 {{.*}} exact
  // CHECK: {{^ +}}15:{{[0-9]+}} {{.*}}store 32 {{.*}} exact
  number_or_structure<<<8, 128>>>(p, x, p);
  // CHECK-LABEL: number_or_structure<float>
  // CHECK: {{^ +}}12:{{[0-9]+}} {{.*}}store 32 {{.*}} exact
  // CHECK: {{^ +}}14:{{[0-9]+}} {{.*}}store 32 {{.*}} exact
  // CHECK: {{^ +}}15:{{[0-9]+}} {{.*}}load 32 {{.*}} exact
  number_or_structure<<<8, 128>>>(f, x, f);
}
