// See cuda_profiler_api.h.
#pragma once
#include "smem_lint_cuda_prelude.h"
