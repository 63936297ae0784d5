// What Thrust had before CUDA 13, where a source uses it and the toolkit has it no more.
// REQUIRES: cub
// RUN: %lint-cub --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <thrust/device_vector.h>
#include <thrust/transform.h>
// CHECK-DAG: :[[#@LINE+2]]:{{.*}} note: 'thrust::unary_function' is of an earlier CUDA: analysed with a stand-in for it
// CHECK-DAG: :[[#@LINE+4]]:{{.*}} note: 'thrust::binary_function' is of an earlier CUDA: analysed with a stand-in for it
struct Twice : public thrust::unary_function<float, float> {
  __host__ __device__ result_type operator()(argument_type x) const { return 2 * x; }
};
struct Sum : public thrust::binary_function<float, int, float> {
  __host__ __device__ result_type operator()(first_argument_type x, second_argument_type y) const { return x + y; }
};
// CHECK: {{^}}whole
// CHECK: in[threadIdx.x] {{ *}}load 32 {{ *}}8 {{ *}}32 {{.*}} exact
__global__ void whole(float *out, const float *in) { out[threadIdx.x] = Sum()(Twice()(in[threadIdx.x]), 1); }
void apply(thrust::device_vector<float> &v) { thrust::transform(v.begin(), v.end(), v.begin(), Twice()); }
int main() { whole<<<2, 128>>>(nullptr, nullptr); }
