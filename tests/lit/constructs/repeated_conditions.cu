// `if (a) { b; if (x) c; } if (x) d; else e;`: which lanes run d together. Read off nvcc 13.0's PTX and machine code for sm_90 (85 kernels): cicc sends lanes straight to
// d or e only where the condition is one value; a comparison that is made again, ptxas may skip for lanes that have not made c. Lanes wait for one another
// at the last such place (BSSY, BREAK, BSYNC).
// RUN: %lint --fail-on=never --launch "block=(32) grid=(1) n=10 m=1" %s | FileCheck %s

// BSYNC before the second comparison's store: one request for t = 2, 6, 10 and those with t > 10.
// CHECK: compared_twice  grid=
__global__ void compared_twice(int *out, int n, int m) {
  __shared__ int s[1024];
  const int t = threadIdx.x, q = t & 3;
  if (t > n) {
    s[t] = n;
    if (q == 2)
      s[t + 128] = m;
  }
  if (q == 2)
    s[t + 300] = t;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 300] {{ *}}store 32 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[t] = s[1023 - t];
}

// Two places that lanes come to by several paths: s[t + 5], where they wait, and s[t + 300], where they do not. 2 STS of it are executed.
// CHECK: one_value  grid=
__global__ void one_value(int *out, int n, int m) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  const bool b = (t & 3) == m;
  if (t > n) {
    s[t] = n;
    if (b)
      s[t + 128] = m;
  }
  if (b)
    s[t + 300] = t;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 300] {{ *}}store 32 {{ *}}2 {{.*}}exact
  else
    s[t + 5] = 1;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 5] {{ *}}store 32 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[t] = s[1023 - t];
}

// Three in a row: ptxas does or does not, and lanes wait before the third only if it does (2 requests of s[t + 300] in 11 of 20 such kernels, 1 in 9).
// CHECK: three_in_a_row  grid=
__global__ void three_in_a_row(int *out, const int *in, int n) {
  __shared__ int s[2048];
  const int t = threadIdx.x, q = t & 3, r = t & 4;
  if (t > n) {
    s[t] = 1;
    if (q == 2)
      s[t + 128] = 2;
  }
  if (q == 2) {
    s[t + 300] = 3;
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 300] {{ *}}store 32 {{ *}}1 {{.*}}assumed
    if (r == 4)
      s[t + 777] = 4;
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 777] {{ *}}store 32 {{ *}}1 {{.*}}assumed
  }
  if (r == 4)
    s[t + 1000] = 5;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 1000] {{ *}}store 32 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[t] = s[2047 - t];
  // CHECK: assumed: lanes that come to a repeated comparison by different paths reconverge before it [assumed-repeated-condition]
}

// With an else block neither may have a barrier.
// CHECK: with_else  grid=
__global__ void with_else(int *out, int n, int m) {
  __shared__ int s[1024];
  const int t = threadIdx.x, q = t & 3;
  if (t > n) {
    s[t] = n;
    if (q == 2)
      s[t + 128] = m;
  }
  if (q == 2) {
    s[t + 300] = t * t;
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 300] {{ *}}store 32 {{ *}}1 {{.*}}assumed
    s[t + 999] = t;
  } else {
    s[t + 5] = 1;
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 5] {{ *}}store 32 {{ *}}1 {{.*}}assumed
  }
  __syncthreads();
  out[t] = s[1023 - t];
}

// All lanes of a warp take the first branch together, or something stands before the second.
// CHECK: together  grid=
__global__ void together(int *out, const int *in, int n) {
  __shared__ int s[2048];
  const int t = threadIdx.x, q = t & 3, r = t & 4;
  if (blockIdx.x < n) {
    s[t] = 1;
    if (q == 2)
      s[t + 128] = 2;
  }
  if (q == 2) {
    s[t + 300] = 3;
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 300] {{ *}}store 32 {{ *}}1 {{.*}}exact
    if (r == 4)
      s[t + 777] = 4;
  }
  s[t + 1800] = 6;
  if (r == 4)
    s[t + 1000] = 5;
  __syncthreads();
  out[t] = s[2047 - t];
}
