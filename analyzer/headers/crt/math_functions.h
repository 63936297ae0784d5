// Part of the prelude.
#pragma once
#include "../smem_lint_cuda_prelude.h"
