// A default argument with the name of a parameter: nvcc takes it for what is declared around the function.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not='left out' %s
// What nvcc refuses is refused.
// RUN: not %lint %s -- -DREFUSED 2>&1 | FileCheck --check-prefix=REFUSED %s
// REFUSED: warning: {{.*}}default argument references parameter 'first'
// A name may be of a base class, of what `using` brings, or, among enumerators of a scope of its own, none: which one it is is not guessed.
// RUN: not %lint %s -- -DINHERITED 2>&1 | FileCheck --check-prefix=INHERITED %s
// INHERITED-DAG: error: kernel 'of_base' is not analysed: it uses a declaration with errors
// INHERITED-DAG: error: kernel 'of_using' is not analysed: it uses a declaration with errors
// INHERITED-DAG: error: kernel 'of_scope' is not analysed: it uses a declaration with errors
#include <cuda_runtime.h>

#ifdef INHERITED
constexpr int inherited = 1, brought = 1;
struct Base {
  static const int inherited = 8;
};
struct Derived : Base {
  static __device__ int get(int at, int inherited = inherited) { return at * inherited; }
};
namespace other {
constexpr int brought = 32;
}
namespace own {
using other::brought;
__device__ int get(int at, int brought = brought) { return at * brought; }
} // namespace own
struct Scope {
  enum class Kind { scoped };
  static __device__ int get(int at, int scoped = scoped) { return at * scoped; }
};
__global__ void of_base(int *out) { out[Derived::get(1)] = 1; }
__global__ void of_using(int *out) { out[own::get(1)] = 1; }
__global__ void of_scope(int *out) { out[Scope::get(1)] = 1; }
#endif

constexpr int width = 2;

__device__ int scaled(int at, int width = width) { return at * width; }

template <int N> struct alignas((N < 8) ? 8 : 16) Rows {
  static const int n = N / 32;
  enum { last = N / 16 };
  static __device__ int step(int at, int n = n, int also = n) { return at * n * also / n; }
  static __device__ int end(int at, int last = last) { return at * last; }
  static __device__ int later(int at, int behind = behind) { return at * behind; }
#ifdef REFUSED
  static __device__ int none(int first, int second = first) { return first + second; }
#endif
  __device__ int all(int at) {
#ifdef REFUSED
    at += none(at);
#endif
    return step(at) + end(at) + later(at);
  }
  static const int behind = N / 8;
};

// CHECK-LABEL: {{^}}defaults
// CHECK: out[scaled(threadIdx.x)] {{ *}}store 32 {{ *}}1 {{ *}}8 {{ *}}4 {{.*}}exact
// CHECK: out[1024 + Rows<64>::step(threadIdx.x)] {{ *}}store 32 {{ *}}1 {{ *}}8 {{ *}}4 {{.*}}exact
// CHECK: out[2048 + rows.all(threadIdx.x)] {{ *}}store 32 {{ *}}1 {{ *}}32 {{ *}}4 {{.*}}exact
__global__ void defaults(float *out) {
  Rows<64> rows;
  out[scaled(threadIdx.x)] = 1;
  out[1024 + Rows<64>::step(threadIdx.x)] = 1;
  out[2048 + rows.all(threadIdx.x)] = 1;
}

int main() {
  float *out;
  cudaMalloc(&out, 1 << 20);
  defaults<<<1, 32>>>(out);
}
