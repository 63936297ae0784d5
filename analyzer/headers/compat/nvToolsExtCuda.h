// Toolkits from CUDA 13 on have it in nvtx3/ only.
#pragma once
#if __has_include_next(<nvToolsExtCuda.h>)
#include_next <nvToolsExtCuda.h>
#else
#include <nvtx3/nvToolsExtCuda.h>
#endif
