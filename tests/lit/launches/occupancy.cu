// Host code that asks the runtime for a block size or for how many blocks fit: answered from the architecture's limits under a named
// assumption, never as a fact. What limits the answer but is not known leaves the launch unknown.
// RUN: %lint %s 2>&1 | FileCheck %s
// RUN: not %lint --arch=sm_86 %s 2>&1 | FileCheck --check-prefix=GA102 %s
#include <cstdlib>
#include <cuda_runtime.h>

template <int TAG> __global__ void k(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = TAG; }
template <int TAG> __global__ void __launch_bounds__(192) bounded(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = TAG; }

// CHECK: note: launch of k<7> is not known entirely; assumed std::atoi(argv[1]) = 1024 (argv): grid=(8,1,1) follows from the host code
// CHECK: {{^}}k<1>  grid=(264) block=(1024)
// CHECK: assumed: there is one GPU and it has 132 multiprocessors, as H100 SXM or H200 has
// CHECK-NEXT: assumed: neither registers nor static shared memory limit the occupancy that host code asks for
// CHECK: store 32 {{.*}} assumed
// CHECK: {{^}}k<2>  grid=(264) block=(512)
// CHECK: {{^}}k<4>  grid=(8) block=(256)
// CHECK-NOT: multiprocessors
// CHECK: {{^}}k<5>  grid=(2) block=(256)
// CHECK: {{^}}k<6>  grid=(65535) block=(32)
// CHECK-NOT: occupancy that
// CHECK: {{^}}k<7>  grid=({{.*}}) block=(256)
// CHECK: {{^}}bounded<3>  grid=(2112) block=(128)
// GA102: {{^}}k<1>  grid=(164) block=(768)
// GA102: {{^}}k<4>  grid=(6) block=(256)
int main(int argc, char **argv) {
  float *out;
  cudaMalloc(&out, 1 << 24);
  int grid = 0, block = 0, blocks = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, k<1>);
  k<1><<<grid, block>>>(out);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, k<2>, 100 << 10, 512);
  k<2><<<grid, block, 100 << 10>>>(out);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded<3>);
  bounded<3><<<grid, block>>>(out);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k<4>, 256, 0);
  k<4><<<blocks, 256>>>(out);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k<5>, 256, 100 << 10);
  k<5><<<blocks, 256>>>(out);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  k<6><<<properties.maxGridSize[1], 32>>>(out);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k<7>, 256, std::atoi(argv[1]));
  k<7><<<blocks, 256>>>(out);
}
