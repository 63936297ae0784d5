// A path that returns early inside of a branch does not come to what stands behind the branch: what is assigned there is not known afterwards,
// whether the variable lives outside, is static, or is made on the way.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

template <int TAG> __global__ void k(int *out, int n) { out[threadIdx.x * n] = TAG; }

int unknown();
int &counter() {
  static int value = 11;
  return value;
}
void in_branch(int &n) {
  if (unknown()) {
    if (unknown()) return;
  }
  n = 3;
}
void in_static() {
  if (unknown()) {
    if (unknown()) return;
  } else
    counter() = 4;
  counter() = 3;
}
void in_case(int &n) {
  switch (unknown()) {
  case 1:
    if (unknown()) return;
    break;
  default: break;
  }
  n = 3;
}
void in_loop(int &n) {
  for (int i = 0; i < unknown(); ++i)
    if (unknown()) {
      if (unknown()) return;
    }
  n = 3;
}
void deeper(int &n) {
  if (unknown()) {
    n = 7;
    if (unknown()) {
      if (unknown()) return;
      n = 8;
    }
    n = 3;
  }
  n = 3;
}
void before(int &n) {
  n = 3;
  if (unknown()) {
    if (unknown()) return;
  }
}

// CHECK: {{^}}k<1>
// CHECK-NEXT: launch: assumed
// CHECK: {{^}}k<2>
// CHECK-NEXT: launch: assumed
// CHECK: {{^}}k<3>
// CHECK-NEXT: launch: assumed
// CHECK: {{^}}k<4>
// CHECK-NEXT: launch: assumed
// CHECK: {{^}}k<5>
// CHECK-NEXT: launch: assumed
// CHECK: {{^}}k<6>  grid=(1) block=(3)
// CHECK-NEXT: launch: host code
int main() {
  int *out;
  cudaMalloc(&out, 4096);
  int a = 2, b = 2, c = 2, d = 2, e = 2;
  in_branch(a);
  k<1><<<1, a>>>(out, 1);
  in_static();
  k<2><<<1, counter()>>>(out, 1);
  in_case(b);
  k<3><<<1, b>>>(out, 1);
  in_loop(c);
  k<4><<<1, c>>>(out, 1);
  deeper(d);
  k<5><<<1, d>>>(out, 1);
  before(e);
  k<6><<<1, e>>>(out, 1);
}
