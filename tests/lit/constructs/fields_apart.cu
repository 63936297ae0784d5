// Two fields of one type of structure are two places to nvcc, whatever the objects are: behind a store to `out[t].x` it loads `in[t].x` again and `in[t].y` not. Of other types it concludes nothing.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

struct Point {
  float x, y, z;
};
struct Vector {
  float x, y, z;
};
struct Numbers {
  float v[3];
};
struct Either {
  union {
    float f;
    int i;
  } value;
  int key;
};

// smem-lint: launch block=(128) grid=(1)
__global__ void of_one_type(Point *in, Point *out) {
  const int t = threadIdx.x;
  const float x = in[t].x; // load 32 exact
  const float y = in[t].y; // load 32 exact
  out[t + 1].x = x + y;    // store 32 exact
  const float x_again = in[t].x; // load 32 exact
  const float y_again = in[t].y; // none
  out[t].y = x_again * y_again;
}
// CHECK: of_one_type grid=
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-NOT: {{^ *}}[[#@LINE-8]]:

// smem-lint: launch block=(128) grid=(1)
__global__ void of_two_types(Vector *in, Point *out) {
  const int t = threadIdx.x;
  const float x = in[t].x;
  const float y = in[t].y;
  out[t + 1].x = x + y;
  const float x_again = in[t].x; // load 32 exact
  const float y_again = in[t].y; // load 32 exact
  out[t].y = x_again * y_again;
}
// CHECK: of_two_types grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void of_the_toolkit(uchar3 *in, uchar3 *out) {
  const int t = threadIdx.x;
  const int x = in[t].x;
  const int y = in[t].y;
  out[t + 1].x = x + y;
  const int x_again = in[t].x; // load 8 exact
  const int y_again = in[t].y; // none
  out[t].y = x_again * y_again;
}
// CHECK: of_the_toolkit grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
// CHECK-NOT: {{^ *}}[[#@LINE-5]]:

// smem-lint: launch block=(128) grid=(1)
__global__ void elements(Numbers *in, Numbers *out) {
  const int t = threadIdx.x;
  const float x = in[t].v[0];
  const float y = in[t].v[1];
  out[t + 1].v[0] = x + y;
  const float x_again = in[t].v[0]; // load 32 exact
  const float y_again = in[t].v[1]; // load 32 exact
  out[t].v[1] = x_again * y_again;
}
// CHECK: elements grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void of_a_union(Either *in, Either *out) {
  const int t = threadIdx.x;
  const int x = in[t].value.i;
  const int y = in[t].key;
  out[t + 1].value.f = x + y;
  const int x_again = in[t].value.i; // load 32 exact
  const int y_again = in[t].key;     // load 32 exact
  out[t].key = x_again * y_again;
}
// CHECK: of_a_union grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
