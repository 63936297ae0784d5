// The host's generator interface.
#pragma once
#include "smem_lint_cuda_prelude.h"

typedef struct curandGenerator_st *curandGenerator_t;
enum curandStatus { CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_NOT_INITIALIZED = 101 };
typedef enum curandStatus curandStatus_t;
enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
};
typedef enum curandRngType curandRngType_t;
extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t g);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions);
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream);
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n);
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n);
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation);
}
