// Values that host code refuses are not assumed.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

__global__ void quantize(float *out, const float *in, const float *most, int n, int is_vector) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] / most[i * is_vector];
}
__global__ void exact(float *out, int n) { out[threadIdx.x * n] = 0; }
__global__ void early(float *out, int n) { out[threadIdx.x * n] = 0; }
__global__ void chosen(float *out, int n) { out[threadIdx.x * n] = 0; }
__global__ void both(float *out, int a, int b) { out[threadIdx.x * a + b] = 0; }
__global__ void aligned(float *out, int n) { out[threadIdx.x * n] = 0; }
__global__ void product(float *out, int a, int b) { out[threadIdx.x * a + b] = 0; }
__global__ void through_macro(float *out, int local, int hidden) { out[blockIdx.x * hidden + threadIdx.x] = local; }
__global__ void expected(float *out, int n) { out[threadIdx.x * n] = 0; }
__global__ void behind(float *out, int n) { out[threadIdx.x] = 0; }
__global__ void refused(float *out, int n) { out[threadIdx.x * n] = 0; }

// CHECK: {{^}}quantize  grid=(4) block=(256) n=1024 is_vector={{[01]$}}
void check(float *out, const float *in, const float *most, int n, int is_vector) {
  if (is_vector != 0 && is_vector != 1) {
    std::printf("bad\n");
    std::exit(-1);
  }
  quantize<<<(n + 255) / 256, 256>>>(out, in, most, n, is_vector);
}
// CHECK: {{^}}exact  grid=(1) block=(32) n=48
void check_exact(float *out, int n) {
  if (n != 48) throw std::runtime_error("only 48");
  exact<<<1, 32>>>(out, n);
}
// CHECK: {{^}}early  grid=(1) block=(32) n={{1|32|64|63|16$}}
void check_early(float *out, int n) {
  if (n > 64) return;
  early<<<1, 32>>>(out, n);
}
// CHECK: {{^}}chosen  grid=(1) block=(64) n=3
void check_switch(float *out, int n) {
  switch (n) {
  case 3: chosen<<<1, 64>>>(out, n); break;
  default: throw std::runtime_error("not here");
  }
}
// CHECK: {{^}}both  grid=(1) block=(32) a=96 b=5
void check_both(float *out, int a, int b) {
  if (a != 96) return;
  if (b != 5) return;
  both<<<1, 32>>>(out, a, b);
}
// Checks that no single value satisfies by chance: they are solved.
// CHECK: {{^}}aligned  grid=({{[0-9]+}}) block=(32) n={{102[0-9]|103[0-9]|105[0-9]}}{{$}}
void check_remainder(float *out, int n) {
  if (n % 7 != 3 || n < 1020) return;
  if (n > 1060) throw std::runtime_error("too many");
  if ((n / 3) * 3 != n) return;
  aligned<<<(n + 31) / 32, 32>>>(out, n);
}
// CHECK: {{^}}product  grid=(1) block=(32) a={{[0-9]+}} b={{[0-9]+$}}
// CHECK-NOT: no value was found
void check_product(float *out, int a, int b) {
  if (a != 3 * b + 1) return;
  if (a * b < 5000 || b % 5 != 2) return;
  product<<<1, 32>>>(out, a, b);
}
// Two conditions of one macro's argument are two, and building the message of an exception asks a lot that leads nowhere.
#define CHECK_INFO(condition, info) \
  do { bool valid = (condition); if (!valid) throw std::runtime_error(std::string("check: ") + (info) + std::to_string(__LINE__)); } while (0)
struct Prompt { const int **weights; bool request; };
// CHECK: {{^}}through_macro  grid=(1024) block=(256) local={{.*}} hidden=256
void check_macro(float *out, Prompt p, int local, int hidden) {
  dim3 grid(std::min(local, 65536)), block(std::min(hidden, 1024));
  CHECK_INFO(p.request == false && p.weights == nullptr, std::string("not supported"));
  through_macro<<<grid, block>>>(out, local, hidden);
}
// CHECK: {{^}}expected  grid=(1) block=(32) n=48
void check_expected(float *out, int n) {
  if (__builtin_expect(n != 48, 0)) throw std::runtime_error("only 48");
  expected<<<1, 32>>>(out, n);
}
// No value leads here: what is assumed says so, also where nothing at all is behind the check, and nothing is claimed of it.
// CHECK: {{^}}behind  grid=(64) block=(256) n=?
// CHECK: assumed: no values were found with which host code gets here
// CHECK: out[threadIdx.x]  store 32 {{.*}} assumed
void check_behind(float *out, int n) {
  if (n % 2 == 0 || n % 2 == 1 || n < 0) return;
  behind<<<(n + 31) / 32, n>>>(out, n);
}
// CHECK: {{^}}refused  grid=(1) block=(32)
// CHECK: assumed: no values were found with which host code gets here
void check_refused(float *out, int n) {
  if (n >= 0 || n < 0)
    std::printf("not here\n");
  else
    refused<<<1, 32>>>(out, n);
}
