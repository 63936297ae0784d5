// Offsets of pointers are followed in bytes, whatever types the pointer goes through; what is not known is never taken as 0.
// RUN: %lint %s | FileCheck %s
#include <cstdint>
#include <cstdlib>
#include <cuda_runtime.h>

// The figures tell the launches apart: 32 lanes of 4 bytes are 4 sectors from a sector's start, else 5.
template <int TAG> __global__ void store(float *x) { x[threadIdx.x] = TAG; }
template <int TAG> __global__ void store_double(double *x) { x[threadIdx.x] = TAG; }

struct Pair { float *first, *second; };
template <int TAG> __global__ void store_pair(Pair p) { p.second[threadIdx.x] = TAG; }
struct Record { int id; float values[7]; };

struct Arena {
  char *base;
  std::size_t used;
  template <class T> T *take(std::size_t count) {
    used = (used + alignof(T) - 1) & ~(alignof(T) - 1);
    T *start = reinterpret_cast<T *>(base + used);
    used += count * sizeof(T);
    return start;
  }
};

int main(int argc, char **argv) {
  float *a;
  char *c;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&c, 1 << 20);

  store<11><<<1, 32>>>((float *)c + 1);
  // CHECK-LABEL: {{^}}store<11>
  // CHECK: store 32 {{ *}}1 {{ *}}5 {{ *}}4 {{.*}} exact
  store<12><<<1, 32>>>(&a[8]);
  // CHECK-LABEL: {{^}}store<12>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact
  int i = 1;
  store<13><<<1, 32>>>(&a[i++]);
  store<14><<<1, 32>>>(a + 4 * i);
  // CHECK-LABEL: {{^}}store<13>
  // CHECK: store 32 {{ *}}1 {{ *}}5 {{ *}}4 {{.*}} exact
  // CHECK-LABEL: {{^}}store<14>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact

  Arena arena{c, 4};
  store<15><<<1, 32>>>(arena.take<float>(8));
  arena.take<double>(3);
  store<16><<<1, 32>>>(arena.take<float>(32));
  // CHECK-LABEL: {{^}}store<15>
  // CHECK: store 32 {{ *}}1 {{ *}}5 {{ *}}4 {{.*}} exact
  // CHECK-LABEL: {{^}}store<16>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact

  // Rounded up as an integer.
  store<17><<<1, 32>>>((float *)(((std::uintptr_t)(c + 5) + 127) & ~(std::uintptr_t)127));
  // CHECK-LABEL: {{^}}store<17>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact

  // Fields of what lies in device memory.
  Record *records = (Record *)c;
  store<18><<<1, 32>>>(records[3].values + 1);
  // CHECK-LABEL: {{^}}store<18>
  // CHECK: store 32 {{ *}}1 {{ *}}5 {{ *}}4 {{.*}} exact

  // Not known, but a multiple of enough.
  const int n = std::atoi(argv[1]);
  store<19><<<1, 32>>>(a + 32 * n);
  // CHECK-LABEL: {{^}}store<19>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact
  for (int k = 0; k < n; ++k)
    store<20><<<1, 32>>>(a + 64 * k);
  // CHECK-LABEL: {{^}}store<20>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact
  std::size_t pitch;
  cudaMallocPitch((void **)&a, &pitch, 100 * sizeof(float), 10);
  store<21><<<1, 32>>>((float *)((char *)a + 3 * pitch));
  // CHECK-LABEL: {{^}}store<21>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} exact

  // Not known.
  store<22><<<1, 32>>>(a + n);
  // CHECK-LABEL: {{^}}store<22>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} assumed (1)
  // CHECK: (1) assumed: x is a multiple of 256 bytes: depends on an offset that is not known
  store<23><<<1, 32>>>((float *)std::atoll(argv[2]));
  // CHECK-LABEL: {{^}}store<23>
  // CHECK: store 32 {{ *}}1 {{ *}}4 {{ *}}4 {{.*}} assumed (1)

  store_double<1><<<1, 32>>>((double *)(a + 2));
  // CHECK-LABEL: {{^}}store_double<1>
  // CHECK: store 64 {{ *}}1 {{ *}}9 {{ *}}8 {{.*}} exact
  store_double<2><<<1, 32>>>((double *)a + 4);
  // CHECK-LABEL: {{^}}store_double<2>
  // CHECK: store 64 {{ *}}1 {{ *}}8 {{ *}}8 {{.*}} exact

  Pair pair = {a, (float *)(c + 12)};
  store_pair<1><<<1, 32>>>(pair);
  // CHECK-LABEL: {{^}}store_pair<1>
  // CHECK: store 32 {{ *}}1 {{ *}}5 {{ *}}4 {{.*}} exact
}
