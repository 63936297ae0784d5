// What is uncertain of an access in a kernel is as uncertain in the functions that the kernel calls; and each access counts where it is written.
// RUN: %lint --fail-on=never --launch "block=(64) grid=(4) n=200" %s | FileCheck %s

// One place is read twice, and on one line: once, or twice.
__device__ float twice(const float *in, float *out, int t) {
  float x = in[t]; out[t + 4096] = x; float y = in[t];
  // CHECK-DAG: [[#@LINE-1]]:13  in[t] {{ *}}load 32 {{.*}} assumed
  // CHECK-DAG: [[#@LINE-2]]:34  out[t + 4096] {{ *}}store 32 {{.*}} exact
  return x + y;
}

template <int Offset> struct Reader {
  const float *in;
  __device__ float squared(int t) const {
    return in[t + Offset] * in[t + Offset];
    // CHECK-DAG: [[#@LINE-1]]:12  in[t + Offset] {{ *}}load 32 {{.*}} assumed
  }
};

__device__ float outer(const float *in, float *out, int t) { return twice(in, out, t); }

__global__ void calls(const float *in, float *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const auto squared = [&](int at) {
    return in[at] * in[at];
    // CHECK-DAG: [[#@LINE-1]]:12  in[at] {{ *}}load 32 {{.*}} assumed
  };
  out[t] = outer(in, out, t) + Reader<64>{in}.squared(t) + squared(t + 128);
  // CHECK-DAG: [[#@LINE-1]]:10  out[t] {{ *}}store 32 {{.*}} exact
}

// Nothing is uncertain of these two, and their loads are not those of the lines that call them.
static __device__ float get(const float *p) {
  return *p;
  // CHECK-DAG: [[#@LINE-1]]:10  *p {{ *}}load 32 {{.*}} exact
}
static __device__ void put(float *p, const float *q) {
  *p = *q;
  // CHECK-DAG: [[#@LINE-1]]:6 {{ *}}*p {{ *}}store 32 {{.*}} exact
  // CHECK-DAG: [[#@LINE-2]]:8 {{ *}}*q {{ *}}load 32 {{.*}} exact
}
__global__ void through_pointers(const float *in, float *out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = get(in + t);
  put(out + t + 1000, in + 2 * t);
}

// What is loaded by a function that stays one is loaded there, whatever the kernel has loaded before.
__device__ __noinline__ float stays(const float *in, int t) {
  return in[t] * 2;
  // CHECK-DAG: [[#@LINE-1]]:10  in[t] {{ *}}load 32 {{.*}} exact
}
__global__ void calls_it(const float *in, float *out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[t];
  // CHECK-DAG: [[#@LINE-1]]:19  in[t] {{ *}}load 32 {{.*}} exact
  out[t] = x + stays(in, t);
}
