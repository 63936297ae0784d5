// Execution and memory space specifiers, and the macros by which sources recognise nvcc.
#ifndef SMEM_LINT_KEYWORDS_H
#define SMEM_LINT_KEYWORDS_H

#define SMEM_LINT_SHIPPED_HEADERS 1

// Sources test these to learn that they are compiled as CUDA, and how new it is.
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 5
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12050
#define CUDA_VERSION 12050
#define __CUDART_API_VERSION CUDART_VERSION
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1

// Sources also test the include guards of NVIDIA's headers.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#include "managed.h"
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __maxnreg__(n)
#define __block_size__(...)
#define __tile__

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#include "alignas.h"
#include "attributes.h"
#include "cluster_dims.h"

#endif
