// A kernel that launches a kernel: what nvcc makes of `child<<<grid, block>>>(p, n)` in device code is a buffer that the runtime lends, a store of each argument, and a launch.
#pragma once

#if defined(__cplusplus) && __cplusplus >= 201103L
extern "C" __device__ void *smem_lint_parameter_buffer(dim3 grid, dim3 block, size_t shared);
extern "C" __device__ void smem_lint_launch_buffer(void *buffer, cudaStream_t stream);

struct smem_lint_device_launch {
  char *buffer;
  cudaStream_t stream;
  SMEM_LINT_METHOD smem_lint_device_launch(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t on = 0)
      : buffer(static_cast<char *>(smem_lint_parameter_buffer(grid, block, shared))), stream(on) {}
  SMEM_LINT_METHOD void store(size_t) const {}
  template <class First, class... Rest> SMEM_LINT_METHOD void store(size_t at, First first, Rest... rest) const {
    at = (at + alignof(First) - 1) / alignof(First) * alignof(First);
    *reinterpret_cast<First *>(buffer + at) = first;
    store(at + sizeof(First), rest...);
  }
  template <class... All> SMEM_LINT_METHOD void operator()(All... all) const {
    if (buffer)
      store(0, all...);
    smem_lint_launch_buffer(buffer, stream);
  }
};
#endif
