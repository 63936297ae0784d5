#pragma once
__device__ __forceinline__ int doubled(int x) { return x * 2; }
