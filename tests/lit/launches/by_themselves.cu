// Launches that a run of the program does not come to follow from the parameters of the function that they stand in.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <algorithm>
#include <cuda_runtime.h>
#include <stdexcept>

__global__ void blocked(float *out, int n) { out[blockIdx.x * n + threadIdx.x] = 0; }
__global__ void one_row(float *out, int n) { out[blockIdx.x * n + threadIdx.x] = 0; }
__global__ void in_parts(float *out, int n) { out[blockIdx.x * n + threadIdx.x] = 0; }
__global__ void same_kind(float *out, int n) { out[blockIdx.x * n + threadIdx.x] = 0; }
__global__ void of_member(float *out, int n) { out[blockIdx.x * n + threadIdx.x] = 0; }
__global__ void of_set_member(float *out, int n) { out[blockIdx.x * n + threadIdx.x] = 0; }
__global__ void unset(float *out, int n) { out[blockIdx.x * n + threadIdx.x] = 0; }

// One step behind another: the launch is grid = n / 128, whatever keeps the program from it.
// CHECK: {{^}}blocked  grid=(8) block=(128) n=1024
// CHECK-NOT: no value was found
void blocks(float *out, int n) { blocked<<<n / 128, 128>>>(out, n); }

// std::max takes the other operand where the condition holds.
// CHECK: {{^}}one_row  grid=([[#ROWS:]]) block=(64) n=
// CHECK: {{^}}in_parts  grid=({{[0-9]+}},{{([2-9]|[1-9][0-9]+)}}) block=(64) n=
void rows(float *out, int n) {
  const int rows = (n + 63) / 64, parts = std::max(1, 4096 / (rows * 64));
  if (parts == 1)
    one_row<<<rows, 64>>>(out, n);
  else
    in_parts<<<dim3(rows, parts), 64>>>(out, n);
}

// What has to be equal is changed together.
// CHECK: {{^}}same_kind  grid=(4) block=(32) n=
// CHECK: assumed: {{.*}}to = 5{{.*}}from = 5
void kinds(float *out, int to, int from, int bias, int n) {
  if (to != from || bias != from) throw std::runtime_error("of one kind");
  if (from != 5) return;
  same_kind<<<4, 32>>>(out, from + to + n);
}

struct Sorter {
  explicit Sorter(int n) : width(n) {}
  void sort(float *out, int n) { of_member<<<n / kThreads, kThreads>>>(out, n); }
  void sort_rows(float *out, int n) { of_set_member<<<n / width, width>>>(out, n); }
  const int kThreads = 512;
  const int width = 128; // the constructor says otherwise
};
// CHECK: {{^}}of_member  grid=(2) block=(512) n=1024
// CHECK: {{^}}of_set_member
// CHECK-NOT: block=(128)
void sort(Sorter &sorter, float *out, int n) {
  sorter.sort(out, n);
  sorter.sort_rows(out, n);
}

// Of a dim3 that nothing says, y and z are what its constructor makes them.
// CHECK: {{^}}unset  grid=(8) block=({{[0-9]+}}) n=1024
void from_elsewhere(dim3 &block);
void unset_block(float *out, int n) {
  dim3 block;
  from_elsewhere(block);
  unset<<<8, block>>>(out, n);
}

bool is_ready(const char *name);
int read(const char *name);
int main(int argc, char **argv) {
  if (!is_ready("device")) return 1;
  const int n = read("n");
  if (n < 0 || n % 3 == 1) return 2;
  float *out = nullptr;
  cudaMalloc(&out, 1 << 20);
  if (read("again") == n * n + 1 && n * n == -7) blocks(out, n);
  return 0;
}
