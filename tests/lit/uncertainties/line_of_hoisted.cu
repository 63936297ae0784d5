// A load that both sides of a branch make moves before it, where it has no line and is counted on the last one that there was: of the row that gets it nothing is exact, either.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
// CHECK: [[#@LINE+6]]:{{.*}} tile[255 - t] load 16 {{.*}} assumed (1)
__global__ void edges(const short *__restrict__ in, short *__restrict__ out, int n) {
  __shared__ short tile[256], other[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = in[i];
  short v = 0;
  if (t & 1 || tile[255 - t] > 0)
    v++;
  __syncthreads();
  if (i + 1 < n)
    out[i + n] = tile[t] + other[t];
  out[i] = v + tile[t];
}
// CHECK: (1) assumed: {{.*}} [assumed-source-line]
int main() {
  short *in, *out;
  cudaMalloc(&in, 8192);
  cudaMalloc(&out, 8192);
  edges<<<4, 256>>>(in, out, 2048);
}
