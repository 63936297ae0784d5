// How long launches take, for the programs that measure throughputs.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

/// Ends the program where the runtime reports an error.
inline void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  std::exit(2);
}

/// The fastest of five launches, in nanoseconds; one before them warms up.
template <class F> float fastest(F &&launch) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  float best = 1e30f;
  for (int i = 0; i < 6; ++i) {
    check(cudaEventRecord(begin));
    launch();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaGetLastError());
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    if (i > 0)
      best = std::min(best, ms * 1e6f);
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return best;
}
