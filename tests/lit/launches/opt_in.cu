// More than 48 KB of dynamic shared memory is noted for the kernels that nothing lets have it.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

template <int N> __global__ void kt(float *a) { extern __shared__ float s[]; s[threadIdx.x] = a[threadIdx.x]; }
__global__ void kn(float *a) { extern __shared__ float s[]; s[threadIdx.x] = a[threadIdx.x]; }
__global__ void km(float *a) { extern __shared__ float s[]; s[threadIdx.x] = a[threadIdx.x]; }
__global__ void kl(float *a) { extern __shared__ float s[]; s[threadIdx.x] = a[threadIdx.x]; }
__global__ void kp(float *a) { extern __shared__ float s[]; s[threadIdx.x] = a[threadIdx.x]; }
__global__ void ks(float *a) { extern __shared__ float s[]; s[threadIdx.x] = a[threadIdx.x]; }
__global__ void kf(float *a) { extern __shared__ float s[]; s[threadIdx.x] = a[threadIdx.x]; }
__global__ void kg(float *a, int n) { extern __shared__ float s[]; s[threadIdx.x] = a[threadIdx.x + n]; }

void set_up() { cudaFuncSetAttribute(ks, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024); }

// CHECK-NOT: bytes of shared memory a block of k{{[tnlps]}}
// CHECK: note: 98,304 bytes of shared memory a block of km: more than {{.*}} fail to launch unless cudaFuncSetAttribute() allows them [
// CHECK: hint: cudaFuncSetAttribute(km, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304) before the launch
// CHECK: note: 98,304 bytes of shared memory a block of kf: more than
// CHECK: hint: {{.*}}98304) before the launch; host code asks for 65,536
// CHECK-NOT: bytes of shared memory a block of kg
void f(float *a, int n, int bytes) {
  const int smem = 96 * 1024;
  cudaFuncSetAttribute(kn, cudaFuncAttributeMaxDynamicSharedMemorySize, smem);
  kn<<<1, 32, smem>>>(a);
  cudaFuncSetAttribute(kt<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, smem);
  kt<3><<<1, 32, smem>>>(a);
  auto prepare = [&](void (*kernel)(float *)) { cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, smem); };
  prepare(kl);
  kl<<<1, 32, smem>>>(a);
  auto pointer = kp;
  if (n > 3) cudaFuncSetAttribute((const void *)pointer, cudaFuncAttributeMaxDynamicSharedMemorySize, smem);
  pointer<<<1, 32, smem>>>(a);
  ks<<<1, 32, smem>>>(a);
  km<<<1, 32, smem>>>(a);
  cudaFuncSetAttribute(kf, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  kf<<<1, 32, smem>>>(a);
  kg<<<1, 32, bytes>>>(a, n);
}
