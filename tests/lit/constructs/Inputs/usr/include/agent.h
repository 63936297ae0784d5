#pragma once
struct Agent {
  int &first, *out;
  __device__ __forceinline__ Agent(int &shared, int *counter, int *to, int by) : first(shared), out(to) {
    if (threadIdx.x == 0)
      first = atomicAdd(counter, by);
    __syncthreads();
  }
  __device__ __forceinline__ void process() { out[threadIdx.x] = first; }
};
