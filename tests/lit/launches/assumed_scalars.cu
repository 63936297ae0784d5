// Parameters of every scalar type have a plausible value where the source does not give one, and so have members of structures. Of a bool and
// of an enumeration it is the one under which the kernel comes to most accesses.
// RUN: %lint --verbose --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

enum Mode { kOff, kFast, kSlow };
struct Options { int pitch; float scale; const float *data; Mode mode; bool active; short shift[2]; };

__global__ void with_bool(float *y, const float *x, bool add) { if (add) y[threadIdx.x] = x[threadIdx.x]; }
// CHECK-LABEL: with_bool  grid=(1) block=(32) add=1
// CHECK: assumed: b = 1 (parameter of run)
// CHECK: load 32 {{ *}}1 {{ *}}4 {{.*}}assumed
__global__ void with_skip(float *y, const float *x, bool skip) { if (skip) return; y[threadIdx.x] = x[threadIdx.x]; }
// CHECK-LABEL: with_skip  grid=(1) block=(32) skip=0
__global__ void with_enum(float *y, const float *x, Mode mode) { if (mode == kFast) y[threadIdx.x] = x[threadIdx.x]; }
// CHECK-LABEL: with_enum  grid=(1) block=(32) mode=1
__global__ void with_float(float *y, const float *x, float beta, double gamma) {
  if (beta != 0.f && gamma > 0) y[threadIdx.x] = x[threadIdx.x];
}
// CHECK-LABEL: with_float  grid=(1) block=(32)
// CHECK: assumed: f = 1 (parameter of run)
// CHECK: assumed: d = 1 (parameter of run)
// CHECK: load 32 {{ *}}1 {{ *}}4 {{.*}}assumed
__global__ void with_struct(float *y, Options o) {
  if (o.active && o.mode == kOff && o.scale > 0.5f) y[threadIdx.x] = o.data[threadIdx.x * o.pitch + o.shift[1]];
}
// CHECK-LABEL: with_struct  grid=(1) block=(32)
// CHECK: assumed: o.pitch = 1024 (parameter o of run)
// CHECK: assumed: o.scale = 1 (parameter o of run)
// CHECK: assumed: o.mode = 0 (parameter o of run)
// CHECK: assumed: o.active = 1 (parameter o of run)
// CHECK: assumed: o.shift[1] = 1024 (parameter o of run)
// CHECK: load 32 {{ *}}1 {{ *}}32 {{.*}}assumed

void run(float *y, const float *x, bool b, Mode m, float f, double d, Options o) {
  with_bool<<<1, 32>>>(y, x, b);
  with_skip<<<1, 32>>>(y, x, b);
  with_enum<<<1, 32>>>(y, x, m);
  with_float<<<1, 32>>>(y, x, f, d);
  with_struct<<<1, 32>>>(y, o);
}

// What something is shifted by is a few bits, and a number by another name is printed as what it is.
typedef float Real;
__global__ void with_shift(float *y, const float *x, int log_rows, int n, Real least) {
  const unsigned step = 1u << log_rows;
  float sum = least;
  for (unsigned i = threadIdx.x; i < n; i += step)
    sum += x[i];
  if (sum > least) y[threadIdx.x] = sum;
}
// CHECK-LABEL: with_shift  grid=(1) block=(32) log_rows=5 n=1024 least=1.0f
// CHECK-NOT: unbounded
// CHECK: load 32 {{ *}}32 {{ *}}128 {{.*}}assumed

void run_shifted(float *y, const float *x, int shift, int n, float f) { with_shift<<<1, 32>>>(y, x, shift, n, f); }
