// cuda::thread_scope.
#pragma once
#include "../smem_lint_cuda_prelude.h"

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
} // namespace cuda
