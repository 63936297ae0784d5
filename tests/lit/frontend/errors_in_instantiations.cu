// What is instantiated from code with errors: a call of what could not be declared, and a class with a member whose type depends on an error even
// where all arguments are known. Clang after an error of its own takes care of both, and tolerated errors are admitted to it for that.
// RUN: not %lint-short --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not=SIG --implicit-check-not=crashed
#include <fmt/format.h>

// CHECK-DAG: :[[#@LINE+2]]:{{.*}} templates 'Calls::group' and 1 more have an error, and what instantiates them is left out: unknown type name 'Undeclared'
template <int N> struct Calls {
  template <int G> static __device__ void group(Undeclared &s) {}
  // CHECK-DAG: :[[#@LINE+1]]:26: error: device function 'run' is left out of the kernels that call it: needs a header that is not installed
  static __device__ void run() { group<1>(missing); }
};
template <int N> __global__ void calls(float *out) {
  Calls<N>::run();
  out[threadIdx.x] = 1;
}
template <int N> int occupancy() {
  auto kernel = calls<N>;
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, Calls<N>::threads, Calls<N>::bytes());
  return blocks;
}
int blocks() { return occupancy<32>(); }

template <class T, int N> struct Kinds {
  using Kind = typename Missing<N>::Type;
  template <class U> struct Base {
    U *data{};
  };
  template <class U> static Base<U> make(Undeclared &s) { return {s.data}; }
};
template <int N> struct Holds {
  using Kind = Kinds<float, N>;
  template <class T> using Base = typename Kind::template Base<T>;
  struct Bases {
    Base<const float> in{};
    Base<float> out{};
  };
};
// CHECK-DAG: :[[#@LINE+1]]:{{.*}} error: kernel 'by_value' is not analysed: its launch at {{.*}}:[[#@LINE+6]]:3 has an error
template <int N> __global__ void by_value(const __grid_constant__ typename Holds<N>::Bases b, float *out) {
  out[threadIdx.x] = 1;
}
void launch(float *out) {
  typename Holds<32>::Bases b{};
  by_value<32><<<1, 32>>>(b, out);
}

__global__ void sound(float *out) { out[threadIdx.x] = 1; }
void launch_sound(float *out) { sound<<<1, 32>>>(out); }
// CHECK: in 1 file, 2 kernels
