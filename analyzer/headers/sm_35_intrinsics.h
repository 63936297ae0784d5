// Part of the prelude; kept so that sources find it by its CUDA name.
#pragma once
#include "smem_lint_cuda_prelude.h"
