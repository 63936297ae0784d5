// For a machine that has a CUDA toolkit: what its headers give nvcc but not Clang 19.
// Force-included behind Clang's own CUDA wrapper, with this folder on the include path.
#ifndef SMEM_LINT_TOOLKIT_COMPAT_H
#define SMEM_LINT_TOOLKIT_COMPAT_H

// nvcc's implicit headers bring these along; Clang's wrapper brings the others.
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#include "../smem_lint/attributes.h"
#ifdef __CUDACC__
#include "../smem_lint/callable.h"
#include "../smem_lint/device_launch.h"
#endif

#ifdef __CUDACC__
// cooperative_groups.h hides clusters from compilers of which it does not know that they have the intrinsics.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE

#include "../smem_lint/alignas.h"
#include "../smem_lint/cache_hints.h"
#include "../smem_lint/cluster_dims.h"
#include "../smem_lint/host_minmax.h"
#include "../smem_lint/managed.h"
#include "../smem_lint/not_in_clang.h"
#include "../smem_lint/nv_atomics.h"
#include "../smem_lint/surfaces.h"
#ifdef SMEM_LINT_EARLIER_NAMES
#include "../smem_lint/earlier_names.h"
#endif

// Clang's headers know this only for unsigned operands.
SMEM_LINT_DEVICE int __reduce_add_sync(unsigned mask, int v) { return (int)__nvvm_redux_sync_add(mask, v); }

#if CUDART_VERSION >= 13000
// CUDA 13 dropped parts of the runtime API that host code around kernels still uses.
struct smem_lint_device_properties : cudaDeviceProp {
  int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode;
  int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch, maxTexture1DLinear;
};
SMEM_LINT_HOST cudaError_t cudaGetDeviceProperties(smem_lint_device_properties *p, int device) {
  return cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(p), device);
}
#define cudaDeviceProp smem_lint_device_properties

cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream = 0);
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device);
#endif
#endif

#endif
