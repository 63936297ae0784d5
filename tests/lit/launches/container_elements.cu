// Whoever has an iterator or a pointer into a container may change its elements, but not how many there are.
// RUN: %lint %s --checks=-* | FileCheck %s
#include <algorithm>
#include <cstdlib>
#include <vector>

__global__ void k(float *o, int s) {
  __shared__ float t[8192];
  t[threadIdx.x * s] = 1;
  __syncthreads();
  o[threadIdx.x] = t[threadIdx.x];
}

int main() {
  float *o;
  cudaMalloc(&o, 1 << 20);

  std::vector<int> sorted{3, 1, 2};
  std::sort(sorted.begin(), sorted.end());
  // CHECK: block=(32)
  // CHECK: t[threadIdx.x * s] {{.*}} assumed
  k<<<1, 32>>>(o, sorted[0]);
  // CHECK: block=(64) {{.*}} s=3
  // CHECK: t[threadIdx.x * s] {{.*}} exact
  k<<<1, 64>>>(o, (int)sorted.size());

  std::vector<int> copied{3, 1, 2};
  cudaMemcpy(copied.data(), o, 12, cudaMemcpyDeviceToHost);
  // CHECK: block=(96)
  // CHECK: t[threadIdx.x * s] {{.*}} assumed
  k<<<1, 96>>>(o, copied[0]);

  std::vector<int> pointed{3, 1, 2};
  int *p = pointed.data();
  p[0] = 9;
  // CHECK: block=(128)
  // CHECK: t[threadIdx.x * s] {{.*}} assumed
  k<<<1, 128>>>(o, pointed[0]);

  std::vector<int> one{3, 1, 2}, other{4, 5};
  one.swap(other);
  // CHECK: block=(160)
  // CHECK: t[threadIdx.x * s] {{.*}} assumed
  k<<<1, 160>>>(o, one[0]);
  // CHECK: block=(192)
  // CHECK: t[threadIdx.x * s] {{.*}} assumed
  k<<<1, 192>>>(o, other[0]);

  std::vector<int> any{3, 1, 2};
  any[rand() % 3] = 9;
  // CHECK: block=(208)
  // CHECK: t[threadIdx.x * s] {{.*}} {{assumed|unknown}}
  k<<<1, 208>>>(o, any[0]);

  const std::vector<int> fixed{3, 1, 2};
  (void)std::is_sorted(fixed.begin(), fixed.end());
  // CHECK: block=(224) {{.*}} s=3
  // CHECK: t[threadIdx.x * s] {{.*}} exact
  k<<<1, 224>>>(o, fixed[0]);
}
