// What is compiled for the target with a suffix is there when the flags or --arch name it, and only then.
// RUN: %lint --fail-on=never %s | FileCheck --check-prefix=PLAIN %s
// RUN: %lint --fail-on=never %s -- -arch=sm_90a | FileCheck --check-prefix=FEATURES %s
// RUN: %lint --fail-on=never --arch=sm_90a %s | FileCheck --check-prefix=FEATURES %s
// RUN: %lint --fail-on=never --arch=sm_90 %s -- -gencode arch=compute_90a,code=sm_90a | FileCheck --check-prefix=FEATURES %s
// smem-lint: launch block=(32) grid=(1)
__global__ void k(int *out) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && __CUDA_ARCH_SPECIFIC__ == 900 && __CUDA_ARCH_FAMILY_SPECIFIC__ == 900
  out[threadIdx.x] = 1;
#else
  out[threadIdx.x * 2] = 1;
#endif
}
// PLAIN: store 32 {{ *}}1 {{ *}}8 {{.*}}exact
// FEATURES: store 32 {{ *}}1 {{ *}}4 {{.*}}exact
// FEATURES: on sm_90{{$}}
