// Integer atomics on shared memory. Lanes with a word each conflict like any access; lanes with one word in common are
// serialised or merged by the hardware and the compiler, depending on the operation.
//
// atomic_stride<operation, s>: lane l of each warp works on word s * l of the warp's own 32 * s words (a multiple of 32
// words, so the bank is s * l mod 32): degree gcd(s, 32): 1, 2, 32 and 1 for s = 1, 2, 32 and 33.
// atomic_one_cell<operation>: all lanes work on the same word: one word, so the degree says nothing about the cost, which is
// between 1 and 32 wavefronts; no expectation is given. The same holds for the float addition, which may become a loop.
//
// Whole launch of one atomic_stride: 64 blocks of 4 warps, 256 requests of the atomic. Clearing and reading back: consecutive
// words, s requests a warp, 256 * s in all, 1 wavefront each. The previous value: 256 requests, 4 sectors each.
//
// expect atomic_stride<add, 1>: shared atomic 1-way
// expect atomic_stride<add, 2>: shared atomic 2-way
// expect atomic_stride<add, 32>: shared atomic 32-way
// expect atomic_stride<add, 33>: shared atomic 1-way
// expect atomic_stride<minimum, 1>: shared atomic 1-way
// expect atomic_stride<minimum, 2>: shared atomic 2-way
// expect atomic_stride<minimum, 32>: shared atomic 32-way
// expect atomic_stride<minimum, 33>: shared atomic 1-way
// expect atomic_stride<maximum, 1>: shared atomic 1-way
// expect atomic_stride<maximum, 2>: shared atomic 2-way
// expect atomic_stride<maximum, 32>: shared atomic 32-way
// expect atomic_stride<maximum, 33>: shared atomic 1-way
// expect atomic_stride<exchange, 1>: shared atomic 1-way
// expect atomic_stride<exchange, 2>: shared atomic 2-way
// expect atomic_stride<exchange, 32>: shared atomic 32-way
// expect atomic_stride<exchange, 33>: shared atomic 1-way
// expect atomic_stride<compare_swap, 1>: shared atomic 1-way
// expect atomic_stride<compare_swap, 2>: shared atomic 2-way
// expect atomic_stride<compare_swap, 32>: shared atomic 32-way
// expect atomic_stride<compare_swap, 33>: shared atomic 1-way
#include <algorithm>

#include "catalogue.h"

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;
constexpr int kBlocks = 64;

struct add {
  static __device__ int apply(int *cell, int value) { return atomicAdd(cell, value); }
  static int result(int old, int value) { return old + value; }
};
struct minimum {
  static __device__ int apply(int *cell, int value) { return atomicMin(cell, value); }
  static int result(int old, int value) { return std::min(old, value); }
};
struct maximum {
  static __device__ int apply(int *cell, int value) { return atomicMax(cell, value); }
  static int result(int old, int value) { return std::max(old, value); }
};
struct exchange {
  static __device__ int apply(int *cell, int value) { return atomicExch(cell, value); }
  static int result(int, int value) { return value; }
};
struct compare_swap {
  static __device__ int apply(int *cell, int value) { return atomicCAS(cell, 16, value); }
  static int result(int old, int value) { return old == 16 ? value : old; }
};

static __host__ __device__ int initial_value(int index) { return index % 32; }

template <typename Operation, int STRIDE>
__global__ void atomic_stride(const int *values, int *previous, int *cells_out) {
  __shared__ int cells[kWarps * 32 * STRIDE];
  const int t = threadIdx.x;
  const int lane = t % 32, warp = t / 32;
  for (int i = t; i < kWarps * 32 * STRIDE; i += kThreads) cells[i] = initial_value(i);  // expect: shared store 1-way
  __syncthreads();
  const int value = values[blockIdx.x * kThreads + t];  // expect: global load 4 sectors/request
  const int old = Operation::apply(&cells[warp * 32 * STRIDE + lane * STRIDE], value);
  previous[blockIdx.x * kThreads + t] = old;  // expect: global store 4 sectors/request
  __syncthreads();
  for (int i = t; i < kWarps * 32 * STRIDE; i += kThreads)
    cells_out[blockIdx.x * kWarps * 32 * STRIDE + i] = cells[i];  // expect: shared load 1-way; global store 4 sectors/request
}

template <typename Operation>
__global__ void atomic_one_cell(const int *values, int *results) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = 0;  // expect: shared store 1-way
  __syncthreads();
  Operation::apply(&cell, values[blockIdx.x * kThreads + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) results[blockIdx.x] = cell;  // expect: shared load 1-way; global store 1 sectors/request
}

__global__ void atomic_float_add(const int *values, float *results) {
  __shared__ float cells[32];
  if (threadIdx.x < 32) cells[threadIdx.x] = 0;  // expect: shared store 1-way
  __syncthreads();
  atomicAdd(&cells[threadIdx.x % 32], static_cast<float>(values[blockIdx.x * kThreads + threadIdx.x]));  // expect: shared atomic unknown; shared load unknown
  __syncthreads();
  if (threadIdx.x < 32) results[blockIdx.x * 32 + threadIdx.x] = cells[threadIdx.x];  // expect: global store 4 sectors/request
}

template <typename Operation, int STRIDE>
static bool run_stride(const char *name, const catalogue::Device<int> &d_values, const std::vector<int> &values) {
  constexpr int cells = kWarps * 32 * STRIDE;
  std::vector<int> expected_previous(values.size()), expected_cells(kBlocks * cells);
  for (int i = 0; i < kBlocks * cells; ++i) expected_cells[i] = initial_value(i % cells);
  for (int i = 0; i < kBlocks * kThreads; ++i) {
    int &cell = expected_cells[i * STRIDE];
    expected_previous[i] = cell;
    cell = Operation::result(cell, values[i]);
  }
  catalogue::Device<int> d_previous(values.size()), d_cells(expected_cells.size());
  atomic_stride<Operation, STRIDE><<<kBlocks, kThreads>>>(d_values, d_previous, d_cells);
  CHECK_LAUNCH();
  const bool ok = d_previous.download() == expected_previous && d_cells.download() == expected_cells;
  std::printf("  %-20s stride %-3d %s\n", name, STRIDE, ok ? "ok" : "WRONG");
  return ok;
}

template <typename Operation>
static bool run_strides(const char *name, const catalogue::Device<int> &d_values, const std::vector<int> &values) {
  bool ok = run_stride<Operation, 1>(name, d_values, values);
  ok = run_stride<Operation, 2>(name, d_values, values) && ok;
  ok = run_stride<Operation, 32>(name, d_values, values) && ok;
  return run_stride<Operation, 33>(name, d_values, values) && ok;
}

template <typename Operation>
static bool run_one_cell(const char *name, const catalogue::Device<int> &d_values, const std::vector<int> &values) {
  std::vector<int> expected(kBlocks, 0);
  for (int i = 0; i < kBlocks * kThreads; ++i) expected[i / kThreads] = Operation::result(expected[i / kThreads], values[i]);
  catalogue::Device<int> d_results(kBlocks);
  atomic_one_cell<Operation><<<kBlocks, kThreads>>>(d_values, d_results);
  CHECK_LAUNCH();
  return catalogue::compare(name, d_results.download(), expected);
}

int main() {
  const std::vector<int> values = catalogue::random_integers<int>(kBlocks * kThreads, 1000, 32);
  const catalogue::Device<int> d_values(values);
  bool ok = run_strides<add>("add", d_values, values);
  ok = run_strides<minimum>("minimum", d_values, values) && ok;
  ok = run_strides<maximum>("maximum", d_values, values) && ok;
  ok = run_strides<exchange>("exchange", d_values, values) && ok;
  ok = run_strides<compare_swap>("compare_swap", d_values, values) && ok;
  ok = run_one_cell<add>("add to one cell", d_values, values) && ok;
  ok = run_one_cell<maximum>("maximum of one cell", d_values, values) && ok;

  std::vector<float> expected(kBlocks * 32, 0.0f);
  for (int i = 0; i < kBlocks * kThreads; ++i) expected[i / kThreads * 32 + i % 32] += static_cast<float>(values[i]);
  catalogue::Device<float> d_sums(expected.size());
  atomic_float_add<<<kBlocks, kThreads>>>(d_values, d_sums);
  CHECK_LAUNCH();
  ok = catalogue::compare("float add", d_sums.download(), expected) && ok;
  return catalogue::report("atomics_shared", ok);
}
