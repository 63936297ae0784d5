// What CUB had before CUDA 13, where a source uses it and the toolkit has it no more.
// REQUIRES: cub
// RUN: %lint-cub --fail-on=never %s 2>&1 | FileCheck %s
#include <cub/cub.cuh>
using Blocks = cub::BlockReduce<float, 128>;
// CHECK-DAG: :[[#@LINE+7]]:{{.*}} note: 'cub::Sum' is of an earlier CUDA: analysed with a stand-in for it
// CHECK-DAG: :[[#@LINE+8]]:{{.*}} note: 'cub::Max' is of an earlier CUDA: analysed with a stand-in for it
// CHECK: whole
// CHECK: in[threadIdx.x] {{ *}}load 32 {{ *}}8 {{ *}}32 {{.*}} exact
__global__ void whole(float *out, const float *in) {
  __shared__ Blocks::TempStorage temporary;
  const float x = in[threadIdx.x];
  const float sum = Blocks(temporary).Reduce(x, cub::Sum());
  __syncthreads();
  const float most = Blocks(temporary).Reduce(x, cub::Max());
  if (threadIdx.x == 0)
    out[0] = sum / most;
}
void tabulate(float *out, int n) {
  cub::CountingInputIterator<int> numbers(0);
  cub::TransformInputIterator<float, cub::Max, cub::CountingInputIterator<int>> unused(numbers, cub::Max());
  cub::Min least;
}
int main() { whole<<<2, 128>>>(nullptr, nullptr); }
