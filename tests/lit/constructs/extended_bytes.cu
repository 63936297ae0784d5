// Bytes that are loaded on one line and extended on another. What 32 bits are computed with and no more than a byte of is wanted takes a load that extends by itself, which counts where it is extended;
// more bits of the result, bytes that are computed with as such and what `__restrict__` makes an ld.global.nc keep the load's own line. What LLVM factors and nvcc does not is assumed.
// RUN: %lint %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void stored_as_byte(unsigned char *out, const unsigned char *in, const unsigned char *other, int n, int m) {
  const int t = threadIdx.x;
  unsigned char sum = m;
  const unsigned char a = in[t];
  const unsigned char b = other[t];
  sum += a * b;
  out[t] = sum + n;
}
// CHECK-LABEL: {{^}}stored_as_byte 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:14 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 8 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void used_twice(unsigned char *out, const unsigned char *in, const unsigned char *other, int n, int m) {
  const int t = threadIdx.x;
  unsigned char sum = m;
  const unsigned char a = in[t];
  const unsigned char b = other[t];
  sum += a * b + a * n;
  out[t] = sum + n;
}
// CHECK-LABEL: {{^}}used_twice 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:14 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 8 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void stored_as_word(int *out, const unsigned char *in, const unsigned char *other, int n, int m) {
  const int t = threadIdx.x;
  const unsigned char a = in[t];
  const unsigned char b = other[t];
  out[t] = a * b + n;
}
// CHECK-LABEL: {{^}}stored_as_word 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:27 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:27 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void only_read(unsigned char *__restrict__ out, const unsigned char *__restrict__ in, const unsigned char *__restrict__ other, int n, int m) {
  const int t = threadIdx.x;
  unsigned char sum = m;
  const unsigned char a = in[t];
  const unsigned char b = other[t];
  sum += a * b;
  out[t] = sum + n;
}
// CHECK-LABEL: {{^}}only_read 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:27 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:27 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 8 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100
__global__ void computed_as_byte(unsigned char *out, const unsigned char *in, const unsigned char *other, int n) {
  const int t = threadIdx.x;
  const unsigned char a = in[t];
  const unsigned char b = other[t];
  const unsigned char product = a * b;
  out[t] = product + n;
}
// CHECK-LABEL: {{^}}computed_as_byte 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:27 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:27 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 8 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void factored(unsigned char *out, const unsigned char *in, const unsigned char *other, int n, int m) {
  const int t = threadIdx.x;
  unsigned char sum = m;
  const unsigned char a = in[t];
  const unsigned char b = other[t];
  sum += a * b + a;
  out[t] = sum + n;
}
// CHECK-LABEL: {{^}}factored 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:27 {{.*}}load 8 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:14 {{.*}}load 8 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 8 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100
__global__ void read_again(int *out, const unsigned char *in, const unsigned char *other, int n) {
  const int t = threadIdx.x;
  unsigned char sum = n;
  const unsigned char a = in[t];
  const unsigned char b = other[t];
  sum += a * b;
  out[t] = sum;
}
// CHECK-LABEL: {{^}}read_again 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:14 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100
__global__ void half_words(float *out, const short *in, const short *other, int n) {
  const int t = threadIdx.x;
  short sum = n;
  const short a = in[t];
  const short b = other[t];
  sum += a * b;
  out[t] = sum * 2.f;
}
// CHECK-LABEL: {{^}}half_words 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:14 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100
__global__ void compared(int *out, const unsigned char *in, int n) {
  const int t = threadIdx.x;
  unsigned char sum = n;
  const unsigned char a = in[t];
  sum += a * 3;
  if (sum > 7) out[t] = n;
}
// CHECK-LABEL: {{^}}compared 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}load 8 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100
__global__ void shifted(int *out, const short *in, int n) {
  const int t = threadIdx.x;
  short sum = n;
  const short a = in[t];
  sum += a << 1;
  out[t] = sum;
}
// CHECK-LABEL: {{^}}shifted 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:19 {{.*}}load 16 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact

// Bytes that are packed into a word are shifted together; half-words whose bits are cut after a shift are cut in 32 bits.
// smem-lint: launch block=(128) grid=(1) n=128
__global__ void packed(unsigned *out, const unsigned char *in, int n) {
  const int t = threadIdx.x;
  const unsigned char a = in[t];
  const unsigned char b = in[t + n];
  const unsigned char c = in[t + 2 * n];
  out[t] = (c << 16) |
           (b << 8) |
           a;
}
// CHECK-LABEL: {{^}}packed 
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:27 {{.*}}load 8 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:27 {{.*}}load 8 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:27 {{.*}}load 8 {{ *}}4 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=128
__global__ void shifted_half(unsigned *out, const unsigned short *in, int n) {
  const int t = threadIdx.x;
  const unsigned short a = in[t];
  out[t] = ((a & 0xff) << 12) ^ n;
}
// CHECK-LABEL: {{^}}shifted_half 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:28 {{.*}}load 16 {{ *}}4 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=128
__global__ void shifted_byte(unsigned *out, const unsigned char *in, int n) {
  const int t = threadIdx.x;
  const unsigned char a = in[t];
  out[t] = (a << 12) ^ n;
}
// CHECK-LABEL: {{^}}shifted_byte 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:27 {{.*}}load 8 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=128
__global__ void shifted_half_of_one_line(unsigned *out, const unsigned short *in, int n) {
  const int t = threadIdx.x;
  out[t] = ((in[t] & 0xff) << 12) ^ n;
}
// CHECK-LABEL: {{^}}shifted_half_of_one_line 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:14 {{.*}}load 16 {{ *}}4 {{.*}}exact
