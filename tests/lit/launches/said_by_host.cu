// What host code says of what it passes, whatever the value is: conditions before the launch and around it, arithmetic, loops, choices.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json
// RUN: rm -f %t.yaml && %lint init %s -o %t.yaml
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=INIT
#include <algorithm>
#include <stdexcept>
#define CHECK(c) do { if (!(c)) throw std::runtime_error("x"); } while (0)
#define KERNEL(name)                                                                                                   \
  __global__ void name(float *out, int n) {                                                                            \
    __shared__ float tile[64 * 64];                                                                                    \
    tile[threadIdx.x * n] = out[threadIdx.x];                                                                          \
    __syncthreads();                                                                                                   \
    out[threadIdx.x] = tile[threadIdx.x];                                                                              \
  }

// CHECK: "kernel": "checked"
// CHECK: "text": "32-way in all launches with n % 32 == 0, n >= 32 ({{.*}}said_by_host.cu:[[#@LINE+5]])"
// INIT: 'n': 'multiple of 32, >= 32'
KERNEL(checked)
void launch_checked(float *out, int n) {
  CHECK(n >= 32);
  CHECK(n % 32 == 0);
  checked<<<1, 64>>>(out, n);
}

// CHECK: "kernel": "returned"
// CHECK: "text": "32-way in all launches with n % 32 == 0, n >= 32
KERNEL(returned)
void launch_returned(float *out, int n) {
  if (n % 32 != 0 || n < 32)
    return;
  returned<<<1, 64>>>(out, n);
}

// CHECK: "kernel": "around"
// CHECK: "text": "32-way in all launches with n % 32 == 0, n >= 32
KERNEL(around)
void launch_around(float *out, int n) {
  if (n % 32 == 0 && n > 0)
    around<<<1, 64>>>(out, n);
}

// CHECK: "kernel": "computed"
// CHECK: "text": "conflict-free in all launches with n % 32 == 1
KERNEL(computed)
void launch_computed(float *out, int n) { computed<<<1, 64>>>(out, 32 * n + 1); }

// CHECK: "kernel": "either_of_two"
// CHECK: "text": "conflict-free in all launches with n % 16 == 1, n >= 17, n <= 33"
KERNEL(either_of_two)
void launch_either(float *out, int n) { either_of_two<<<1, 64>>>(out, n % 2 ? 33 : 17); }

// CHECK: "kernel": "doubled"
// CHECK: "text": "depends on n: 32-way when n % 32 == 0 and n != 0, 16-way when n % 32 == 16, 8-way when n % 16 == 8, else 4-way"
KERNEL(doubled)
void launch_doubled(float *out, int n) {
  int threads = 32;
  while (threads < n && threads < 256)
    threads *= 2;
  doubled<<<1, 64>>>(out, threads / 8);
}

// It may have been changed since: nothing is said.
// CHECK: "kernel": "changed"
// CHECK: "text": "depends on n: 32-way when n % 32 == 0 and n != 0,
KERNEL(changed)
void launch_changed(float *out, int n) {
  CHECK(n % 32 == 0);
  n += *out > 0 ? 1 : 2;
  if (*out > 1)
    n *= 7;
  changed<<<1, 64>>>(out, n);
}

// CHECK: "kernel": "handed_out"
// CHECK: "text": "depends on n: 32-way when n % 32 == 0 and n != 0,
KERNEL(handed_out)
void change(int *n);
void launch_handed_out(float *out, int n) {
  CHECK(n % 32 == 0);
  change(&n);
  handed_out<<<1, 64>>>(out, n);
}

// Two launches: each has its own.
// CHECK: "kernel": "twice"
// CHECK: "text": "32-way in all launches with n % 32 == 0, n >= 32
// CHECK: "kernel": "twice"
// CHECK: "text": "conflict-free in all launches with n % 2 == 1
KERNEL(twice)
void launch_twice(float *out, int n) {
  if (n <= 0)
    return;
  if (n % 32 == 0)
    twice<<<1, 64>>>(out, n);
  else if (n % 2 == 1)
    twice<<<2, 64>>>(out, n);
}
