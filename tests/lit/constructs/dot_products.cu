// Sums of products of bytes: cicc computes them by dp4a and dp2a, for which it packs two loads each into a word (`prmt` in PTX), and both loads of such a pair count on the line of one of them: by machine code
// that of `g` has two in `grey`, and that of `b` none.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(256) grid=(8)
__global__ void grey(const unsigned char *rgb, unsigned char *out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int r = rgb[3 * i];     // load 8 assumed
  const int g = rgb[3 * i + 1]; // load 8 assumed
  const int b = rgb[3 * i + 2]; // load 8 assumed
  out[i] = (r * 30 + g * 59 + b * 11) / 100; // store 8 exact
}
// CHECK: grey grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 8 {{.*}}exact

// smem-lint: launch block=(256) grid=(8)
__global__ void products(const unsigned char *x, const unsigned char *y, int *out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int first = x[2 * i] * y[2 * i];          // load 8 assumed
  const int second = x[2 * i + 1] * y[2 * i + 1]; // load 8 assumed
  out[i] = first + second; // store 32 exact
}
// CHECK: products grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact

// smem-lint: launch block=(256) grid=(8)
__global__ void looked_up(const unsigned char *rgb, int *out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int r = rgb[3 * i];     // load 8 assumed
  const int g = rgb[3 * i + 1]; // load 8 assumed
  const int b = rgb[3 * i + 2]; // load 8 assumed
  out[r * 30 + g * 59 + b * 11] = 1;
}
// CHECK: looked_up grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}assumed

// Those of one line stay there.
// smem-lint: launch block=(256) grid=(8)
__global__ void on_one_line(const unsigned char *rgb, unsigned char *out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = (rgb[3 * i] * 30 + rgb[3 * i + 1] * 59 + rgb[3 * i + 2] * 11) / 100; // load 8 exact
}
// CHECK: on_one_line grid=
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact

// Of two the lines stay.
// smem-lint: launch block=(256) grid=(8)
__global__ void two(const unsigned char *rgb, int *out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int r = rgb[3 * i];     // load 8 exact
  const int g = rgb[3 * i + 1]; // load 8 exact
  out[i] = r * 30 + g * 59;
}
// CHECK: two grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(256) grid=(8)
__global__ void grey_of_floats(const unsigned char *rgb, unsigned char *out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const unsigned char r = rgb[3 * i];     // load 8 exact
  const unsigned char g = rgb[3 * i + 1]; // load 8 exact
  const unsigned char b = rgb[3 * i + 2]; // load 8 exact
  out[i] = 0.3f * r + 0.59f * g + 0.11f * b;
}
// CHECK: grey_of_floats grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(256) grid=(8)
__global__ void sum(const unsigned char *rgb, unsigned char *out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int r = rgb[3 * i];     // load 8 exact
  const int g = rgb[3 * i + 1]; // load 8 exact
  const int b = rgb[3 * i + 2]; // load 8 exact
  out[i] = (r + g + b) / 3;
}
// CHECK: sum grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
