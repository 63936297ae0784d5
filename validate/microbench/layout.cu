// Where the compiler puts shared arrays: prints, for kernels that declare them in different orders, sizes, types and
// alignments, the shared-window address of each, in order of declaration.
//
//   nvcc -O3 -arch=sm_90 layout.cu -o layout && ./layout
#include <cuda_runtime.h>

#include <cstdio>

template <class T>
__device__ int address(const T& object) {
  return static_cast<int>(__cvta_generic_to_shared(&object));
}

// Uses every array in order, through an index the compiler does not know, then reports its address.
template <class... Arrays>
__device__ void use(int* out, int n, Arrays&... arrays) {
  int k = 1;
  ((arrays[threadIdx.x] = n), ...);
  __syncthreads();
  int sum = 0;
  ((sum += static_cast<int>(arrays[n + (threadIdx.x ^ 1)])), ...);
  out[100 + threadIdx.x] = sum;
  ((out[k++] = address(arrays[0])), ...);
  out[0] = k - 1;
}

#define LAYOUT(NAME, DECLARATIONS, ...)                  \
  __global__ void NAME(int* out, int n) {                \
    DECLARATIONS use(out, n, __VA_ARGS__);               \
  }
#define SH __shared__

LAYOUT(ff, SH float a[64]; SH float b[64];, a, b)
LAYOUT(ff_used_ba, SH float a[64]; SH float b[64];, b, a)
LAYOUT(small_big_mid, SH float a[32]; SH float b[1000]; SH float c[64];, a, b, c)
LAYOUT(big_small_mid, SH float a[1000]; SH float b[32]; SH float c[500];, a, b, c)
LAYOUT(odd_floats, SH float a[33]; SH float b[35]; SH float c[37]; SH float d[39];, a, b, c, d)
LAYOUT(odd_floats_used_dcba, SH float a[33]; SH float b[35]; SH float c[37]; SH float d[39];, d, c, b, a)
LAYOUT(char_float, SH char a[33]; SH float b[33]; SH char c[35];, a, b, c)
LAYOUT(chars, SH char a[33]; SH char b[35]; SH char c[37];, a, b, c)
LAYOUT(float_double, SH float a[33]; SH double b[33]; SH float c[35];, a, b, c)
LAYOUT(double_float, SH double a[33]; SH float b[33]; SH char c[35];, a, b, c)
LAYOUT(float_align16, SH float a[33]; SH int b[33]; SH __align__(16) float c[36]; SH float d[33];, a, b, c, d)
LAYOUT(float_align128, SH float a[33]; SH __align__(128) float b[33]; SH float c[35];, a, b, c)
LAYOUT(float_align256, SH float a[33]; SH __align__(256) float b[33]; SH float c[35];, a, b, c)
LAYOUT(names_zma, SH float z[33]; SH float m[35]; SH float a[37];, z, m, a)
LAYOUT(names_amz, SH float a[33]; SH float m[35]; SH float z[37];, a, m, z)
LAYOUT(shorts, SH short a[33]; SH float b[33]; SH short c[37];, a, b, c)
LAYOUT(ints_chars, SH int a[32]; SH char b[32]; SH double c[32]; SH short d[32];, a, b, c, d)
LAYOUT(chars_ints, SH short d[32]; SH double c[32]; SH char b[32]; SH int a[32];, d, c, b, a)
LAYOUT(tile_65, SH float a[16 * 65]; SH float b[16 * 65];, a, b)
LAYOUT(tile_33, SH float a[32 * 33]; SH float b[32 * 33]; SH float c[3];, a, b, c)
LAYOUT(single_17, SH float a[1]; SH float b[17]; SH float c[16];, a, b, c)
LAYOUT(halfs, SH unsigned short a[64 * 72]; SH unsigned short b[64 * 72]; SH float c[64];, a, b, c)

__global__ void scalar_mix(int* out, int n) {
  SH int flag;
  SH float a[33];
  SH float value;
  SH float b[64];
  if (threadIdx.x == 0) flag = n, value = n;
  use(out, n, a, b);
  if (threadIdx.x == 0) {
    out[3] = address(flag), out[4] = address(value), out[0] = 4;
    out[99] = flag + value;
  }
}
extern SH float dynamic_float[];
__global__ void dynamic_after_odd(int* out, int n) {
  SH float a[33];
  use(out, n, a, dynamic_float);
}
extern SH char dynamic_char[];
__global__ void dynamic_char_after_5(int* out, int n) {
  SH char a[40];
  use(out, n, a, dynamic_char);
}
extern SH __align__(128) float dynamic_128[];
__global__ void dynamic_128_after_5(int* out, int n) {
  SH char a[40];
  use(out, n, a, dynamic_128);
}
extern SH double dynamic_double[];
__global__ void dynamic_double_after_odd(int* out, int n) {
  SH float a[33];
  use(out, n, a, dynamic_double);
}
__global__ void dynamic_only(int* out, int n) { use(out, n, dynamic_float); }
__device__ __forceinline__ int inlined(int n) {
  SH float inner[37];
  inner[threadIdx.x] = n;
  __syncthreads();
  return address(inner[0]) + (static_cast<int>(inner[n + (threadIdx.x ^ 1)]) & 0);
}
__global__ void inlined_callee(int* out, int n) {
  SH float a[33];
  SH float b[35];
  const int inner = inlined(n);
  use(out, n, a, b);
  out[3] = inner, out[0] = 3;
}
__device__ __noinline__ int outlined(int n) {
  SH float inner[37];
  inner[threadIdx.x] = n;
  __syncthreads();
  return address(inner[0]) + (static_cast<int>(inner[n + (threadIdx.x ^ 1)]) & 0);
}
__global__ void called_callee(int* out, int n) {
  SH float a[33];
  SH float b[35];
  const int inner = outlined(n);
  use(out, n, a, b);
  out[3] = inner, out[0] = 3;
}
SH float namespace_scope[41];
__global__ void with_namespace_scope(int* out, int n) {
  SH float a[33];
  SH float b[35];
  use(out, n, a, b, namespace_scope);
}
struct Tile { float x[33]; double y[4]; };
__global__ void structs(int* out, int n) {
  SH Tile t;
  SH float a[33];
  SH Tile u[2];
  t.x[threadIdx.x] = n, u[1].x[threadIdx.x] = n;
  use(out, n, a, t.x, u[0].x);
}
template <int N>
__global__ void templated(int* out, int n) {
  SH float b[N];
  SH float a[N + 2];
  use(out, n, b, a);
}
__global__ void unused_between(int* out, int n) {
  SH float a[33];
  SH float never[1000];
  SH float c[35];
  use(out, n, a, c);
}

int* device_out;
template <class Kernel>
void show(const char* name, Kernel kernel) {
  int host[128] = {};
  cudaMemset(device_out, 0, sizeof host);
  kernel<<<1, 2, 4096>>>(device_out, 0);
  const cudaError_t error = cudaMemcpy(host, device_out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFuncAttributes attributes{};
  cudaFuncGetAttributes(&attributes, kernel);
  std::printf("%-26s static %5zu ", name, attributes.sharedSizeBytes);
  for (int i = 1; i <= host[0]; ++i) std::printf(" %d", host[i]);
  std::printf("%s%s\n", error ? "  " : "", error ? cudaGetErrorString(error) : "");
}
#define SHOW(NAME) show(#NAME, NAME)

int main() {
  cudaMalloc(&device_out, 4096);
  SHOW(ff); SHOW(ff_used_ba); SHOW(small_big_mid); SHOW(big_small_mid); SHOW(odd_floats); SHOW(odd_floats_used_dcba);
  SHOW(char_float); SHOW(chars); SHOW(float_double); SHOW(double_float); SHOW(float_align16); SHOW(float_align128);
  SHOW(float_align256); SHOW(names_zma); SHOW(names_amz); SHOW(shorts); SHOW(ints_chars); SHOW(chars_ints);
  SHOW(tile_65); SHOW(tile_33); SHOW(single_17); SHOW(halfs); SHOW(scalar_mix); SHOW(dynamic_after_odd);
  SHOW(dynamic_char_after_5); SHOW(dynamic_128_after_5); SHOW(dynamic_double_after_odd); SHOW(dynamic_only);
  SHOW(inlined_callee); SHOW(called_callee); SHOW(with_namespace_scope); SHOW(structs); show("templated<33>", templated<33>);
  SHOW(unused_between);
}
