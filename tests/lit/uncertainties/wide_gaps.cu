// A structure that is aligned for the widest access and has a gap between its fields: nvcc copies it whole, and the model does on one side only. nvcc 13.0 for sm_90, machine code read:
// two loads and two stores of 128 bits.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
struct __align__(16) Particle {
  float x;
  double mass;
  int id;
};
// CHECK: [[#@LINE+6]]:{{.*}} store 128 {{.*}} assumed (1)
// CHECK: [[#@LINE+5]]:{{.*}} load {{.*}} assumed (
__global__ void weigh(const Particle *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Particle tile[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n)
    tile[t] = in[i];
  __syncthreads();
  out[i] = tile[t].x + (float)tile[t].mass;
}
// CHECK: (1) assumed: nvcc copies the structure as a whole
int main() {
  Particle *in;
  float *out;
  cudaMalloc(&in, 256 * sizeof(Particle));
  cudaMalloc(&out, 4096);
  weigh<<<2, 128>>>(in, out, 200);
}
