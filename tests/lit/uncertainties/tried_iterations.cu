// A loop that is counted by trying, `d *= 2`, with a pragma: LLVM leaves out tests between the iterations that it makes one, and nvcc keeps them. Without the pragma both make straight code.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
template <int UNROLLED> __device__ void sweep(float *s, int t);
template <> __device__ void sweep<2>(float *s, int t) {
  int apart = 128;
#pragma unroll 2
  for (int d = 1; d < 128; d *= 2) {
    apart >>= 1;
    __syncthreads();
    if (t < d)
      s[apart * (2 * t + 2) - 1] += s[apart * (2 * t + 1) - 1];
    // CHECK: [[#@LINE-1]]:{{.*}} load 32 {{.*}} assumed (1)
  }
}
// CHECK: (1) assumed: {{.*}} [assumed-unroll]
__global__ void down(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 64] = in[t + 64];
  sweep<2>(s, t);
  __syncthreads();
  out[t] = s[t];
  out[t + 64] = s[t + 64];
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  down<<<1, 64>>>(in, out);
}
