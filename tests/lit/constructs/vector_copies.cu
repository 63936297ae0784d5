// A structure that is aligned to its size is copied as one vector: no single elements are sunk or dropped, ptxas drops words.
// Machine code by nvcc 13.0 -O3 for sm_90 stands beside each kernel.
// RUN: %lint %s --fail-on=never | FileCheck %s
// smem-lint: launch block=(32) grid=(1) n=64
__global__ void used_on_conditions(const float *x, float *y, int n) { // LDG.E.128
  const int i = threadIdx.x * 4;
  const float4 v = reinterpret_cast<const float4 *>(&x[i])[0];
// CHECK-LABEL: used_on_conditions grid
// CHECK: 7:{{[0-9]+}} {{.*}}load 128 {{ *}}1 {{.*}}exact
  const float a = i + 0 < n ? expf(v.x) : 0, b = i + 1 < n ? expf(v.y) : 0, c = i + 2 < n ? expf(v.z) : 0, d = i + 3 < n ? expf(v.w) : 0;
  y[threadIdx.x] = a + b + c + d;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void two_of_four(const float4 *x, float *y) { // two LDG.E
  const float4 v = x[threadIdx.x];
// CHECK-LABEL: two_of_four grid
// CHECK: 16:{{[0-9]+}} {{.*}}load 32 {{ *}}2 {{.*}}assumed
  y[threadIdx.x] = v.x + v.w;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void narrow(const uchar4 *x, const short4 *y, float *z) { // LDG.E, LDG.E.64
  const uchar4 v = x[threadIdx.x];
  const short4 w = y[threadIdx.x];
// CHECK-LABEL: narrow grid
// CHECK: 24:{{[0-9]+}} {{.*}}load 32 {{ *}}1 {{.*}}assumed
// CHECK: 25:{{[0-9]+}} {{.*}}load 64 {{ *}}1 {{.*}}assumed
  z[threadIdx.x] = v.x + v.w + w.x + w.w;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void single(const uchar4 *x, const float4 *y, float *z) { // LDG.E.U8, LDG.E
  const uchar4 v = x[threadIdx.x];
  const float4 w = y[threadIdx.x];
// CHECK-LABEL: single grid
// CHECK: 34:{{[0-9]+}} {{.*}}load 8 {{ *}}1 {{.*}}assumed
// CHECK: 35:{{[0-9]+}} {{.*}}load 32 {{ *}}1 {{.*}}assumed
  z[threadIdx.x] = v.z + w.y;
}

struct Loose { float a, b; };
// smem-lint: launch block=(32) grid=(1)
__global__ void not_aligned(const Loose *x, float *y) { // two LDG.E
  const Loose v = x[threadIdx.x];
// CHECK-LABEL: not_aligned grid
// CHECK: 45:{{[0-9]+}} {{.*}}load 32 {{ *}}2 {{.*}}exact
  y[threadIdx.x] = v.a + v.b;
}

// An int4 that is read as floats: nvcc loads floats, and counts the load on the line that reads them (fractions), or on that of the copy
// between. Integers stay where they are copied.
template <typename T> struct alignas(16) Packet {
  T items[16 / sizeof(T)];
  __device__ explicit Packet(int4 bits) { memcpy(&items, &bits, sizeof(bits)); }
};
// smem-lint: launch block=(32) grid=(1)
__global__ void fractions(const float *x, float *y) {
// CHECK-LABEL: fractions grid
// CHECK: 55:{{[0-9]+}} {{.*}}load 128 {{ *}}1 {{.*}}assumed
  const Packet<float> v(*reinterpret_cast<const int4 *>(x + threadIdx.x * 4));
  y[threadIdx.x] = v.items[0] + v.items[1] + v.items[2] + v.items[3];
}
// smem-lint: launch block=(32) grid=(1)
__global__ void integers(const int *x, int *y) {
// CHECK-LABEL: integers grid
  const Packet<int> v(*reinterpret_cast<const int4 *>(x + threadIdx.x * 4));
// CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 128 {{ *}}1 {{.*}}exact
  y[threadIdx.x] = v.items[0] + v.items[1] + v.items[2] + v.items[3];
}
