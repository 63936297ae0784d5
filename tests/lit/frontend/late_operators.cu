// nvcc looks operators up where a template is instantiated, and so finds those behind it; other functions where it is defined.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not=error
// RUN: not %lint --fail-on=never %s -- -DFUNCTION 2>&1 | FileCheck --check-prefix=FUNCTION %s
namespace first {
struct Pair {
  float x, y;
};
inline __device__ Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
template <typename T> inline __device__ T add(T a, T b) {
#if 0
}
#endif
  return a + b;
}
template <typename T> inline __device__ void accumulate(T &a, T b) { a += b; }
template <typename T> inline __device__ T turned(T a) { return turn(a); }
inline __device__ float2 operator+(float2 a, // of one
                                   float2 b) {
  return {a.x + b.x, a.y + b.y};
}
inline __device__ float2 operator+(float2 a, float b) { return {a.x + b, a.y + b}; }
inline __device__ float2 &operator+=(float2 &a, float2 b) { return a = a + b; }
inline __device__ float2 turn(float2 a) { return {a.y, a.x}; }
// CHECK-LABEL: {{^}}first::sums
// CHECK: 22:70 a store 64 1 {{.*}} exact
// CHECK: [[#@LINE+8]]:29 p[threadIdx.x + 64] load 64 1 {{.*}} exact
__global__ void sums(float2 *p, Pair *q) {
  q[threadIdx.x] = add(q[threadIdx.x], q[32]);
  accumulate(p[threadIdx.x], p[32]);
#ifdef FUNCTION
  // FUNCTION: error: device function 'turned' is left out of the kernels that call it: call to function 'turn' that is neither visible
  p[threadIdx.x] = turned(p[threadIdx.x]);
#endif
  p[threadIdx.x + 64] = add(p[threadIdx.x + 64], p[96]);
}
} // namespace first
int main() {
  float2 *p;
  first::Pair *q;
  cudaMalloc(&p, 1024);
  cudaMalloc(&q, 1024);
  first::sums<<<1, 32>>>(p, q);
}
