// What a condition says of an address. LLVM's InstCombine knows since its version 18 that `t & ~31` is t behind `t % 32 == 0`, and with the mask it forgets how the address is aligned;
// nvcc does not, and vectorises. Behind `t == 0` both know what t is, but not of all that was computed from it before.
// RUN: %lint --fail-on=never %s | FileCheck %s

// CHECK-LABEL: {{^}}masked
// CHECK: s[w * 16 + 3] {{ *}}store 128 {{ *}}8 {{ *}}8 {{.*}}assumed
// CHECK: s[h + 3] {{ *}}store 128 {{ *}}8 {{ *}}8 {{.*}}assumed
__global__ void masked(const int *in, int *out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ __align__(16) int s[1024];
  const int a = in[0], b = in[1], c = in[2], d = in[3];
  const int w = (unsigned)t / 32;
  if (t % 32 == 0) {
    s[w * 16 + 0] = a;
    s[w * 16 + 1] = b;
    s[w * 16 + 2] = c;
    s[w * 16 + 3] = d;
  }
  __syncthreads();
  const int h = (t & ~31) / 2 + 512;
  if (t % 32 == 0) {
    s[h + 0] = a;
    s[h + 1] = b;
    s[h + 2] = c;
    s[h + 3] = d;
  }
  __syncthreads();
  out[t] = s[t];
}

// CHECK-LABEL: {{^}}fixed
// CHECK: s[i{{.*}} load {{.*}} assumed (1)
// CHECK: (1) assumed: nvcc recognises these accesses as adjacent, and merges them [assumed-adjacent-access]
__global__ void fixed(int *out, int n) {
  const int t = threadIdx.x, i = t / 4;
  __shared__ int s[1024];
  s[t] = n;
  __syncthreads();
  int x = 0;
  if (t == 0)
    x = s[i] * 3 + s[i + 1] * 4 + s[i + 2] * 5 + s[i + 3] * 6;
  out[t] = x;
}

// An index that one side of a branch needs, too, is a phi behind it to LLVM; nvcc stores 64 bits.
// CHECK-LABEL: {{^}}in_a_branch_too
// CHECK: s[t * 4 + 0] {{ *}}store 32 {{ *}}8 {{ *}}32 {{.*}}assumed
// CHECK: s[t * 4 + 1] {{ *}}store 32 {{ *}}8 {{ *}}32 {{.*}}assumed
__global__ void in_a_branch_too(float *out, const float *in, int n) {
  const unsigned t = threadIdx.x;
  __shared__ __align__(16) float s[2048];
  float x = in[t];
  if (n > 5) {
    x += in[t * 4 + 0];
    x += in[t * 4 + 1];
  }
  s[t * 4 + 0] = x * 2;
  s[t * 4 + 1] = x * 3;
  out[t] = x + s[(t * 7) & 511];
}

int main() {
  masked<<<1, 256>>>(nullptr, nullptr);
  fixed<<<1, 256>>>(nullptr, 3);
  in_a_branch_too<<<2, 128>>>(nullptr, nullptr, 3);
}
