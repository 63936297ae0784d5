// A byte that is loaded on one line and, cut to some of its bits, is part of an address on another: where the shift that makes bytes of the elements and the mask become one, the load extends with
// any upper bits, and counts where the address is computed. Elements of one byte or of no power of two, further uses, sums, 32 bits and `__restrict__` keep the load's own line; half-words are shifted
// with 16 bits unless by as many as elements are.
// RUN: %lint %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void masked(const unsigned char *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  atomicAdd(&out[z & 63], 1);
}
// CHECK-LABEL: {{^}}masked 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void masked_in_a_variable(const signed char *in, float *out, int n, int m) {
  const int i = threadIdx.x;
  const signed char z = in[i];
  const int y = z & 31;
  out[y] = n;
}
// CHECK-LABEL: {{^}}masked_in_a_variable 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void shifted_and_masked(const unsigned char *in, double *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[z >> 3 & 7] = n;
}
// CHECK-LABEL: {{^}}shifted_and_masked 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void shifted_further(const unsigned char *in, float *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[z >> 3 & 7] = n;
}
// CHECK-LABEL: {{^}}shifted_further 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void elements_of_one_byte(const unsigned char *in, unsigned char *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[z & 63] = n;
}
// CHECK-LABEL: {{^}}elements_of_one_byte 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void elements_of_three_words(const unsigned char *in, float3 *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[z & 63].y = n;
}
// CHECK-LABEL: {{^}}elements_of_three_words 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void masked_and_used_otherwise(const unsigned char *in, float *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[z & 63] = z;
}
// CHECK-LABEL: {{^}}masked_and_used_otherwise 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void masked_number(const unsigned char *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[i] = z & 63;
}
// CHECK-LABEL: {{^}}masked_number 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void masked_and_added_to(const unsigned char *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[(z & 63) + n] = m;
}
// CHECK-LABEL: {{^}}masked_and_added_to 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void only_read(const unsigned char *__restrict__ in, int *__restrict__ out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[z & 63] = n;
}
// CHECK-LABEL: {{^}}only_read 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void half_word(const unsigned short *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned short z = in[i];
  out[z & 63] = n;
}
// CHECK-LABEL: {{^}}half_word 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 16 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void half_word_shifted_as_elements_are(const unsigned short *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned short z = in[i];
  out[z >> 2 & 63] = n;
}
// CHECK-LABEL: {{^}}half_word_shifted_as_elements_are 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}load 16 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void half_word_shifted_otherwise(const unsigned short *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned short z = in[i];
  out[z >> 3 & 63] = n;
}
// CHECK-LABEL: {{^}}half_word_shifted_otherwise 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 16 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void by_a_variable(const unsigned char *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  const int y = z & m;
  out[y] = n;
}
// CHECK-LABEL: {{^}}by_a_variable 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void element_further_on(const unsigned char *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  const int y = z + 1;
  out[y] = n;
}
// CHECK-LABEL: {{^}}element_further_on 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void member(const unsigned char *in, float4 *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[z].y = n;
}
// CHECK-LABEL: {{^}}member 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void element(const unsigned char *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[z] = n;
}
// CHECK-LABEL: {{^}}element 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void computed_as_byte(const unsigned char *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[(z * m) & 255] = n;
}
// CHECK-LABEL: {{^}}computed_as_byte 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void complement(const unsigned char *in, int *out, int n, int m) {
  const int i = threadIdx.x;
  const unsigned char z = in[i];
  out[~z & 63] = n;
}
// CHECK-LABEL: {{^}}complement 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 8 {{.*}}assumed
