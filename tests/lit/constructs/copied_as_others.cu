// Words that a member function copies as a vector and that are read as fractions count where they are copied or where they are read (nvcc 13.0: instances of one template went both ways).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

template <class Element, class Vector> struct Packet {
  union {
    Vector vector;
    Element elements[sizeof(Vector) / sizeof(Element)];
  };
  __device__ void load(const Element *from, int at) {
    vector = reinterpret_cast<const Vector *>(from)[at];
  }
};

template <class Element, class Vector> __device__ void sum(const Element *in, Element *out, int rows, int stride) {
  Element total = 0;
  for (int i = 0; i < rows; ++i) {
    Packet<Element, Vector> packet;
    packet.load(in, threadIdx.x + i * stride);
    for (int e = 0; e < sizeof(Vector) / sizeof(Element); ++e)
      total +=
          packet.elements[e];
  }
  out[threadIdx.x] = total;
}

// smem-lint: launch block=(32) grid=(1) rows=9 stride=32
__global__ void floats_as_words(const float *in, float *out, int rows, int stride) {
  sum<float, uint4>(in, out, rows, stride);
}
// CHECK-LABEL: {{^}}floats_as_words
// CHECK: load 128 {{.*}}assumed

// smem-lint: launch block=(32) grid=(1) rows=9 stride=32
__global__ void words_as_words(const int *in, int *out, int rows, int stride) {
  sum<int, uint4>(in, out, rows, stride);
}
// CHECK-LABEL: {{^}}words_as_words
// CHECK: {{^ *}}11:{{.*}}load 128 {{.*}}exact
