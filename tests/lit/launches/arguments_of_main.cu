// Sizes from argv: shared memory follows from the assumed size, through a constructor and a member function.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cstdlib>
#include <cuda_runtime.h>
#include <string>

__global__ void rowmax(const float *a, float *o, int w) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < w; i += blockDim.x) s[i] = a[blockIdx.x * w + i];
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
class Solver {
  int w_, h_, block_;
  float *a_, *o_;
public:
  Solver(int argc, char **argv) : w_(atoi(argv[1])), h_(std::stoi(argv[2])), block_(128) {
    cudaMalloc(&a_, sizeof(float) * w_ * h_);
    cudaMalloc(&o_, sizeof(float) * block_ * h_);
  }
  void step() { rowmax<<<h_, block_, w_ * sizeof(float)>>>(a_, o_, w_); }
};
// CHECK: {{^}}rowmax  grid=(1024) block=(128) shared=4,096 B (4,096 dynamic) w=1024
int main(int argc, char **argv) {
  Solver solver(argc, argv);
  solver.step();
}
