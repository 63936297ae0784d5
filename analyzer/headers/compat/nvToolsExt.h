// Toolkits from CUDA 13 on have it in nvtx3/ only.
#pragma once
#if __has_include_next(<nvToolsExt.h>)
#include_next <nvToolsExt.h>
#else
#include <nvtx3/nvToolsExt.h>
#endif
