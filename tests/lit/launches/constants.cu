// What is declared const keeps its value though functions that are not followed were given its address; not so a
// mutable member, what a constant pointer points to, or a variable that a pointer to const merely looks at.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

template <int TAG> __global__ void k(float *out) { out[threadIdx.x] = TAG; }

void elsewhere(void *);
struct Extent {
  int x = 128, y = 2;
};
struct Counted {
  int x = 128;
  mutable int asked = 64;
};

// CHECK: {{^}}k<1>  grid=(2) block=(96)
// CHECK: {{^}}k<2>  grid=(2) block=(128)
// CHECK: {{^}}k<3>  grid=(1) block=(192)
// CHECK: {{^}}k<4>  grid=(1) block=(128)
// CHECK-NOT: assumed: counted.x =
// CHECK: {{^}}k<5>
// CHECK: assumed: counted.asked =
// CHECK: {{^}}k<6>
// CHECK: assumed: *fixed =
// CHECK: {{^}}k<7>
// CHECK: assumed: *fixed =
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  const int threads = 96;
  const Extent extent;
  const int shapes[] = {64, 192};
  const Counted counted;
  int changes = 32;
  int *const fixed = &changes;
  const int *looks = &changes;
  struct {
    const int *threads, *shapes;
    const Extent *extent;
    const Counted *counted;
    int *const *fixed;
  } all = {&threads, shapes, &extent, &counted, &fixed};
  elsewhere(&all);
  k<1><<<2, threads>>>(out);
  k<2><<<extent.y, extent.x>>>(out);
  k<3><<<1, shapes[1]>>>(out);
  k<4><<<1, counted.x>>>(out);
  k<5><<<1, counted.asked>>>(out);
  k<6><<<1, *fixed>>>(out);
  k<7><<<1, *looks>>>(out);
}
