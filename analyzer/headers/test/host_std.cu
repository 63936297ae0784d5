// The C++ library beside device code: what both sides may call.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <math.h>
#include <time.h>

template <typename T> __host__ __device__ T both(T x) {
  return std::sqrt(x) + std::abs(x) + sin(x) + std::max(x, T(1)) + fabs(x) + std::pow(x, 2) + std::isnan(x) + std::exp(x);
}

template <typename Op> __global__ void reduce(float *a, Op op) {
  extern __shared__ float s[];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x ^ 1]);
}

__global__ void kernel(float *a, double *d, int *i, int n) {
  a[0] = both(a[0]) + std::fmin(a[1], 2.0f) + std::floor(a[2]) + std::tanh(a[3]) + std::fma(a[1], a[2], a[3]);
  d[0] = both(d[0]);
  i[0] = std::min(i[1], n) + std::abs(i[2]) + std::numeric_limits<int>::max() / 3 + (int)std::ceil(n / 32.0f);
  std::complex<float> z(a[1], a[2]);
  a[4] = (z * z).real();
  assert(n > 0);
}

int main() {
  std::vector<float> host(100, 1.0f);
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::generate(host.begin(), host.end(), [&] { return uniform(generator); });
  std::sort(host.begin(), host.end());
  float *a;
  cudaMalloc(&a, host.size() * sizeof(float));
  reduce<<<1, 32, 128>>>(a, [] __device__(float x, float y) { return fmaxf(x, y); });
  std::cout << both(2.0) << std::isnan(host[0]) << max(1, 2) << std::max(1.0f, host[0]) << abs(-3) << std::endl;
  std::memset(host.data(), 0, 4);
  return 0;
}
