// Ranges for profilers: nothing to analyse.
#pragma once
#include "../smem_lint_cuda_prelude.h"

typedef unsigned long long nvtxRangeId_t;
extern "C" {
int nvtxRangePushA(const char *name);
int nvtxRangePop(void);
void nvtxMarkA(const char *name);
nvtxRangeId_t nvtxRangeStartA(const char *name);
void nvtxRangeEnd(nvtxRangeId_t id);
void nvtxNameCudaDeviceA(int device, const char *name);
void nvtxNameCudaStreamA(cudaStream_t stream, const char *name);
}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
