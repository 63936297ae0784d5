// The rest: driver types, libraries' host interfaces, cuda::std, target selection.
#include <cooperative_groups.h>
#include <cuComplex.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/utility>
#include <cuda_awbarrier.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <curand.h>
#include <curand_kernel.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <nv/target>
#include <nvtx3/nvToolsExt.h>
#include <vector_types.h>

__global__ void kernel(int *a, float *b, cuComplex *c, curandState *random, cudaTextureObject_t texture) {
  cuda::std::array<int, 4> v{1, 2, 3, 4};
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += v[i] * a[i];
  a[9] = cuda::std::move(sum);
  b[0] = curand_uniform(random + threadIdx.x) + CUDART_PI_F + cuda::std::numeric_limits<float>::max();
  c[3] = cuCmulf(c[1], c[2]);
  b[1] = tex2D<float>(texture, 0.5f, 0.5f);
  NV_IF_TARGET(NV_PROVIDES_SM_80, (a[5] = 1;))
  NV_IF_ELSE_TARGET(NV_IS_HOST, (a[6] = 1;), (a[7] = 2;))
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void cluster(float *out) {
  __shared__ float s[64];
  auto group = cooperative_groups::this_cluster();
  s[threadIdx.x] = out[threadIdx.x];
  group.sync();
  out[threadIdx.x] = group.map_shared_rank(s, group.block_rank() ^ 1)[threadIdx.x];
  group.sync();
}
#endif

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  CUtensorMap map;
  nvtxRangePush("range");
  cudaProfilerStart();
  return sizeof(map) == 128 ? 0 : 1;
}
