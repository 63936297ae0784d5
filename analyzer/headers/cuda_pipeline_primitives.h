// Asynchronous copies from global to shared memory, in groups: 16 bytes bypass L1
// (cp.async.cg), 4 and 8 go through it (.ca). `zfill` bytes at the end are zeroed, not read.
#pragma once
#include "smem_lint_cuda_prelude.h"

namespace smem_lint {
// The copies are opaque to nvcc, which moves no memory access across them: neither may
// Clang, which knows what the intrinsics touch.
SMEM_LINT_DEVICE void compiler_fence() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

SMEM_LINT_DEVICE void async_copy(void *to, const void *from, size_t bytes, size_t zfill) {
  auto shared = (__attribute__((address_space(3))) void *)to;
  auto global = (const __attribute__((address_space(1))) void *)from;
  compiler_fence();
  switch (bytes) {
  case 16:
    if (zfill == 0)
      __nvvm_cp_async_cg_shared_global_16(shared, global);
    else
      __nvvm_cp_async_cg_shared_global_16(shared, global, (int)(16 - zfill));
    break;
  case 8:
    if (zfill == 0)
      __nvvm_cp_async_ca_shared_global_8(shared, global);
    else
      __nvvm_cp_async_ca_shared_global_8(shared, global, (int)(8 - zfill));
    break;
  case 4:
    if (zfill == 0)
      __nvvm_cp_async_ca_shared_global_4(shared, global);
    else
      __nvvm_cp_async_ca_shared_global_4(shared, global, (int)(4 - zfill));
    break;
  default: __builtin_trap();
  }
  compiler_fence();
}
} // namespace smem_lint

SMEM_LINT_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zfill = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  for (size_t i = 0; i < bytes; ++i)
    ((char *)to)[i] = i < bytes - zfill ? ((const char *)from)[i] : 0;
#else
  smem_lint::async_copy(to, from, bytes, zfill);
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
SMEM_LINT_DEVICE void __pipeline_commit() {}
SMEM_LINT_DEVICE void __pipeline_wait_prior(size_t) {}
#else
SMEM_LINT_DEVICE void __pipeline_commit() { __nvvm_cp_async_commit_group(); }
SMEM_LINT_DEVICE void __pipeline_wait_prior(size_t groups) {
  switch (groups) {
  case 0: __nvvm_cp_async_wait_group(0); break;
  case 1: __nvvm_cp_async_wait_group(1); break;
  case 2: __nvvm_cp_async_wait_group(2); break;
  case 3: __nvvm_cp_async_wait_group(3); break;
  case 4: __nvvm_cp_async_wait_group(4); break;
  case 5: __nvvm_cp_async_wait_group(5); break;
  case 6: __nvvm_cp_async_wait_group(6); break;
  case 7: __nvvm_cp_async_wait_group(7); break;
  default: __nvvm_cp_async_wait_group(8); break;
  }
}
#endif
