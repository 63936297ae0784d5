// Toolkits from CUDA 13 on have it in nvtx3/ only.
#pragma once
#if __has_include_next(<nvToolsExtCudaRt.h>)
#include_next <nvToolsExtCudaRt.h>
#else
#include <nvtx3/nvToolsExtCudaRt.h>
#endif
