// nvcc's device pass takes declarations of one function with different specifiers for one, and does not look at what host functions call: a class may have constructors for the device only,
// in this pass (`#ifdef __CUDA_ARCH__`), of which host code makes objects.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not='in part only' %s
// RUN: not %lint --fail-on=never %s -- -DWITH_OVERLOAD 2>&1 | FileCheck --check-prefix=OVERLOAD %s
#ifdef __CUDA_ARCH__
#define BOTH __device__
#else
#define BOTH __host__ __device__
#endif

struct Size {
  int x, y;
  BOTH Size() : x(0), y(0) {}
  BOTH Size(int x, int y) : x(x), y(y) {}
};

struct Image {
  Size size;
  Image(int width, int height) { size = Size(width, height); }
};

template <class T> __host__ __device__ T twice(T x);
template <class T> __device__ T twice(T x) { return 2 * x; }
struct Table {
  static __host__ __device__ int at(int x);
};
__device__ int Table::at(int x) { return x + 1; }

// CHECK-LABEL: {{^}}fill {{.*}}block=(64)
// CHECK: p[Table::at(twice(threadIdx.x))] {{ *}}store 32 {{.*}} exact
__global__ void fill(int *p, int width) {
  if (threadIdx.x < width)
    p[Table::at(twice(threadIdx.x))] = 1;
}

#ifdef WITH_OVERLOAD
// Two functions to Clang, a host and a device function; nvcc makes one of them, with a warning.
// OVERLOAD: 1 kernel
__device__ int apart(int x);
int apart(int x) { return x; }
int redeclared(int x);
__device__ int redeclared(int x) { return x; }
#endif

int main() {
  int *p;
  Image image(64, 1);
  cudaMalloc(&p, 4096);
  fill<<<1, 64>>>(p, image.size.x);
}
