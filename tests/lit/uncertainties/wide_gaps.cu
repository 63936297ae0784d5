// A structure that is aligned for the widest access and has a gap between its fields: nvcc copies it whole, with the gap, and through a variable of which a field is read, by fields. nvcc 13.0
// for sm_90, machine code read: two loads and two stores of 128 bits in `weigh`, four loads and three stores in `read_beside`.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
struct __align__(16) Particle {
  float x;
  double mass;
  int id;
};
// CHECK-LABEL: {{^}}weigh
// CHECK: [[#@LINE+6]]:{{.*}} store 128 {{.*}} exact
// CHECK: [[#@LINE+5]]:{{.*}} load 128 {{.*}} exact
__global__ void weigh(const Particle *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Particle tile[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n)
    tile[t] = in[i];
  __syncthreads();
  out[i] = tile[t].x + (float)tile[t].mass;
}
// CHECK-LABEL: {{^}}read_beside
// CHECK: [[#@LINE+6]]:{{.*}} store {{.*}} assumed (1)
// CHECK: (1) assumed: nvcc takes the structure apart into its fields
__global__ void read_beside(const Particle *in, float *out) {
  __shared__ Particle tile[128];
  const int t = threadIdx.x;
  const Particle p = in[t];
  tile[t] = p;
  __syncthreads();
  out[t] = tile[t ^ 1].x + p.x;
}
int main() {
  Particle *in;
  float *out;
  cudaMalloc(&in, 256 * sizeof(Particle));
  cudaMalloc(&out, 4096);
  weigh<<<2, 128>>>(in, out, 200);
  read_beside<<<2, 128>>>(in, out);
}
