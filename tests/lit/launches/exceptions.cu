// A handler is another way on: what the block changes is not known after it, unless no exception may leave the block or the handler does not go on.
// RUN: %lint %s --checks=-* | FileCheck %s
#include <cstdlib>

__global__ void k(float *o, int s) {
  __shared__ float t[8192];
  t[threadIdx.x * s] = 1;
  __syncthreads();
  o[threadIdx.x] = t[threadIdx.x];
}

void throws(int n) {
  if (n > 3)
    throw 1;
}
void elsewhere(int);
void quiet(int) noexcept;

int main(int argc, char **argv) {
  float *o;
  cudaMalloc(&o, 1 << 20);

  int a = 1;
  try {
    throws(argc);
    a = 5;
  } catch (...) {
    a = 8;
  }
  // CHECK: block=(32) {{.*}} s=?
  // CHECK: t[threadIdx.x * s] {{.*}} unknown
  k<<<1, 32>>>(o, a);

  int b = 1;
  try {
    elsewhere(argc);
    b = 5;
  } catch (int) {
    b = 8;
  }
  // CHECK: block=(64) {{.*}} s=?
  k<<<1, 64>>>(o, b);

  int c = 1;
  try {
    quiet(argc);
    c = 5;
  } catch (...) {
    c = 8;
  }
  // CHECK: block=(96) {{.*}} s=5
  // CHECK: t[threadIdx.x * s] {{.*}} exact
  k<<<1, 96>>>(o, c);

  int d = 1;
  try {
    throws(argc);
    d = 5;
  } catch (...) {
    return 1;
  }
  // CHECK: block=(128) {{.*}} s=5
  // CHECK: t[threadIdx.x * s] {{.*}} exact
  k<<<1, 128>>>(o, d);

  try {
    throws(4);
    // CHECK-NOT: block=(160)
    k<<<1, 160>>>(o, 2);
  } catch (int) {
    // CHECK: block=(192) {{.*}} s=3
    // CHECK: t[threadIdx.x * s] {{.*}} exact
    k<<<1, 192>>>(o, 3);
  }
  // CHECK: block=(224) {{.*}} s=2
  // CHECK: t[threadIdx.x * s] {{.*}} exact
  k<<<1, 224>>>(o, 2);
}
