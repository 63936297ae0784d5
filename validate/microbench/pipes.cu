// What the pipes of an SM serve in a clock at most: arithmetic of every kind, shuffles, tensor cores, what loads bring back to registers, atomics.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 validate/microbench/pipes.cu -o pipes && ./pipes > pipes.jsonl
//
// One JSON object a line: an operation, how many warp instructions of it an SM executed, and in how many cycles (the longest block's, by clock64()).
// Every SM has one block of 32 warps, and every warp eight results that do not wait for each other.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "timing.cuh"

namespace {

constexpr int kThreads = 1024, kWarps = kThreads / 32, kRounds = 64, kResults = 8, kUnroll = 4;

struct Registers {
  std::uint32_t r[kResults];
  std::uint64_t d[kResults];
  float f[kResults];
  std::uint32_t x;
};

// Operations on result i of several, with two others, so that none is part of another one.
#define OPERATION(NAME, COUNT, ...)                                                                                              \
  struct op_##NAME {                                                                                                                  \
    static constexpr int kInstructions = COUNT;                                                                                  \
    static constexpr const char *kName = #NAME;                                                                                  \
    static __device__ void run(Registers &g, int i, int j, int k) {                                                              \
      (void)i, (void)j, (void)k;                                                                                                 \
      __VA_ARGS__;                                                                                                               \
    }                                                                                                                            \
  };
#define R(I) "+r"(g.r[I])
#define RI(I) "r"(g.r[I])
#define D(I) "+l"(g.d[I])
#define F(I) "+f"(g.f[I])
OPERATION(ffma, 1, asm volatile("fma.rn.f32 %0, %0, %1, %2;" : F(i) : "f"(g.f[j]), "f"(g.f[k])))
OPERATION(fadd, 1, asm volatile("add.rn.f32 %0, %0, %1;" : F(i) : "f"(g.f[j])))
OPERATION(fmul, 1, asm volatile("mul.rn.f32 %0, %0, %1;" : F(i) : "f"(g.f[j])))
OPERATION(fmin_, 1, asm volatile("min.f32 %0, %0, %1;" : F(i) : "f"(g.f[j])))
OPERATION(hfma2, 1, asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : R(i) : RI(j), RI(k)))
OPERATION(hadd2, 1, asm volatile("add.rn.f16x2 %0, %0, %1;" : R(i) : RI(j)))
OPERATION(bfma2, 1, asm volatile("fma.rn.bf16x2 %0, %0, %1, %2;" : R(i) : RI(j), RI(k)))
OPERATION(dfma, 1, asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(*reinterpret_cast<double *>(&g.d[i])) : "d"(*reinterpret_cast<double *>(&g.d[j])), "d"(*reinterpret_cast<double *>(&g.d[k]))))
OPERATION(iadd, 1, asm volatile("add.u32 %0, %0, %1;" : R(i) : RI(j)))
OPERATION(lop3, 1, asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : R(i) : RI(j), RI(k)))
OPERATION(shf, 1, asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : R(i) : RI(j), RI(k)))
OPERATION(shl, 1, asm volatile("shl.b32 %0, %0, %1;" : R(i) : RI(j)))
OPERATION(imad, 1, asm volatile("mad.lo.u32 %0, %0, %1, %2;" : R(i) : RI(j), RI(k)))
OPERATION(imad_hi, 1, asm volatile("mul.hi.u32 %0, %0, %1;" : R(i) : RI(j)))
OPERATION(imin, 1, asm volatile("min.s32 %0, %0, %1;" : R(i) : RI(j)))
OPERATION(prmt, 1, asm volatile("prmt.b32 %0, %0, %1, %2;" : R(i) : RI(j), RI(k)))
OPERATION(isetp_sel, 2, asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, %1; selp.b32 %0, %1, %2, p; }" : R(i) : RI(j), RI(k)))
OPERATION(popc, 1, asm volatile("popc.b32 %0, %0;" : R(i)))
OPERATION(clz, 1, asm volatile("bfind.u32 %0, %0;" : R(i)))
OPERATION(brev, 1, asm volatile("brev.b32 %0, %0;" : R(i)))
OPERATION(dp4a, 1, asm volatile("dp4a.s32.s32 %0, %0, %1, %2;" : R(i) : RI(j), RI(k)))
OPERATION(ex2, 1, asm volatile("ex2.approx.ftz.f32 %0, %0;" : F(i)))
OPERATION(tanh_, 1, asm volatile("tanh.approx.f32 %0, %0;" : F(i)))
OPERATION(shfl, 1, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : R(i)))
OPERATION(ballot, 1, asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : R(i) : RI(j)))
OPERATION(redux, 1, asm volatile("redux.sync.add.u32 %0, %0, 0xffffffff;" : R(i)))
OPERATION(match, 1, asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : R(i)))
OPERATION(ffma_iadd, 2, op_ffma::run(g, i, j, k); op_iadd::run(g, i, j, k))
OPERATION(ffma_imad, 2, op_ffma::run(g, i, j, k); op_imad::run(g, i, j, k))
OPERATION(iadd_imad, 2, op_iadd::run(g, i, j, k); op_imad::run(g, k, j, i))
OPERATION(ffma_ex2, 2, op_ffma::run(g, i, j, k); op_ex2::run(g, k, j, i))
OPERATION(hfma2_ffma, 2, op_hfma2::run(g, i, j, k); op_ffma::run(g, i, j, k))
OPERATION(dfma_ffma, 2, op_dfma::run(g, i, j, k); op_ffma::run(g, i, j, k))
// Tensor cores: of eight results, two sets of four.
OPERATION(hmma_16816_f32, 1, const int a = i % 2 * 4; asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%5,%5}, {%4,%5}, {%0,%1,%2,%3};" : F(a), F(a + 1), F(a + 2), F(a + 3) : "r"(g.r[0]), "r"(g.r[1])))
OPERATION(bmma_16816_f32, 1, const int a = i % 2 * 4; asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%4,%5,%5}, {%4,%5}, {%0,%1,%2,%3};" : F(a), F(a + 1), F(a + 2), F(a + 3) : "r"(g.r[0]), "r"(g.r[1])))
OPERATION(hmma_16816_f16, 1, const int a = i % 2 * 2; asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2,%3,%3}, {%2,%3}, {%0,%1};" : R(a + 2), R(a + 3) : "r"(g.r[0]), "r"(g.r[1])))
OPERATION(tf32_1688, 1, const int a = i % 2 * 4; asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%5,%5}, {%4,%5}, {%0,%1,%2,%3};" : F(a), F(a + 1), F(a + 2), F(a + 3) : "r"(g.r[0]), "r"(g.r[1])))
OPERATION(imma_16832, 1, const int a = i % 2 * 2; asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4,%5,%5}, {%4,%5}, {%0,%1,%2,%3};" : R(a + 2), R(a + 3), R((a + 4) % 8), R((a + 5) % 8) : "r"(g.r[0]), "r"(g.r[1])))
OPERATION(dmma_884, 1, asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(*reinterpret_cast<double *>(&g.d[i % 4 * 2])), "+d"(*reinterpret_cast<double *>(&g.d[i % 4 * 2 + 1])) : "d"(1.5), "d"(2.5)))
// What comes back to registers: address g.x is the same for all rounds.
__shared__ std::uint32_t words[8192];
#define LOADED "=r"(v0), "=r"(v1), "=r"(v2), "=r"(v3)
#define LOAD(TEXT, ...) std::uint32_t v0 = 0, v1 = 0, v2 = 0, v3 = 0; asm volatile(TEXT : __VA_ARGS__ : "r"(g.x + 512 * (i % 2))); g.r[i] = v0 + v1 + v2 + v3
OPERATION(lds_32, 1, LOAD("ld.volatile.shared.b32 %0, [%1];", "=r"(v0)))
OPERATION(lds_64, 1, LOAD("ld.volatile.shared.v2.b32 {%0,%1}, [%2];", "=r"(v0), "=r"(v1)))
OPERATION(lds_128, 1, LOAD("ld.volatile.shared.v4.b32 {%0,%1,%2,%3}, [%4];", LOADED))
#define STORE(TEXT, ...) asm volatile(TEXT ::"r"(g.x + 512 * (i % 2)), __VA_ARGS__ : "memory")
OPERATION(sts_32, 1, STORE("st.volatile.shared.b32 [%0], %1;", "r"(g.r[i])))
OPERATION(sts_64, 1, STORE("st.volatile.shared.v2.b32 [%0], {%1,%2};", "r"(g.r[i]), "r"(g.r[j])))
OPERATION(sts_128, 1, STORE("st.volatile.shared.v4.b32 [%0], {%1,%2,%3,%3};", "r"(g.r[i]), "r"(g.r[j]), "r"(g.r[k])))
OPERATION(lds_32_shfl, 2, op_lds_32::run(g, i, j, k); op_shfl::run(g, k, j, i))
OPERATION(lds_32_ex2, 2, op_lds_32::run(g, i, j, k); op_ex2::run(g, k, j, i))
OPERATION(reds_add, 1, STORE("red.shared.add.u32 [%0], %1;", "r"(g.r[i])))
OPERATION(reds_max, 1, STORE("red.shared.max.u32 [%0], %1;", "r"(g.r[i])))
OPERATION(reds_inc, 1, STORE("red.shared.add.u32 [%0], %1;", "n"(1)))
OPERATION(atoms_cas, 1, LOAD("{ .reg .b32 z; mov.b32 z, 0; atom.shared.cas.b32 %0, [%1], z, z; }", "=r"(v0)))

template <class Operation> __global__ void __launch_bounds__(kThreads) pipe(int stride, std::uint32_t seed, long long *cycles, std::uint32_t *sink) {
  Registers g;
#pragma unroll
  for (int i = 0; i < kResults; ++i) {
    g.r[i] = seed + threadIdx.x * (i + 1);
    g.d[i] = __double_as_longlong(1.0 + i * static_cast<double>(seed));
    g.f[i] = 1.0f + static_cast<float>(seed) * i;
  }
  for (int i = threadIdx.x; i < 8192; i += kThreads)
    words[i] = 0;
  g.x = static_cast<std::uint32_t>(__cvta_generic_to_shared(words)) + (threadIdx.x % 32 * stride) % 16384;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round)
#pragma unroll
    for (int u = 0; u < kUnroll; ++u)
#pragma unroll
      for (int i = 0; i < kResults; ++i)
        Operation::run(g, i, (i + 3) % kResults, (i + 5) % kResults);
  __syncthreads();
  if (threadIdx.x == 0)
    cycles[blockIdx.x] = clock64() - begin;
  std::uint32_t sum = 0;
  for (int i = 0; i < kResults; ++i)
    sum += g.r[i] + static_cast<std::uint32_t>(g.d[i]) + __float_as_uint(g.f[i]);
  if (sum == 12345)
    *sink = sum;
}

/// Reductions and atomics of all SMs: lanes add to one word of `words` each, `apart` words from each other, and warps begin `of_warp` words apart.
template <bool Returns> __global__ void global_atomics(std::uint32_t *data, int words_of_all, int apart, int of_warp, int times, std::uint32_t *sink) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  std::uint32_t *const at = data + (static_cast<std::int64_t>(warp) * of_warp + lane * apart) % words_of_all;
  std::uint32_t sum = 0;
  for (int t = 0; t < times; ++t)
    if constexpr (Returns)
      sum += atomicMax(at, static_cast<std::uint32_t>(t));
    else
      asm volatile("red.global.max.u32 [%0], %1;" ::"l"(at), "r"(t) : "memory");
  if (sum == 12345)
    *sink = sum;
}

/// Half of what is moved is read, half written, all of it in L2.
__global__ void copy(const int4 *from, int4 *to, std::size_t count, int times) {
  for (int t = 0; t < times; ++t)
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x)
      __stcg(to + i, __ldcg(from + i));
}

int sms;
char *data;
long long *cycles;
std::uint32_t *sink;

template <class Operation> void measure(int stride = 4) {
  long long best = INT64_MAX;
  for (int i = 0; i < 4; ++i) {
    pipe<Operation><<<sms, kThreads>>>(stride, 0, cycles, sink);
    check(cudaGetLastError());
    std::vector<long long> all(sms);
    check(cudaMemcpy(all.data(), cycles, sizeof(long long) * sms, cudaMemcpyDeviceToHost));
    if (i > 0)
      best = std::min(best, *std::max_element(all.begin(), all.end()));
  }
  const double instructions = static_cast<double>(kWarps) * kRounds * kUnroll * kResults * Operation::kInstructions;
  std::printf("{\"kind\":\"pipe\",\"operation\":\"%s\",\"stride\":%d,\"instructions_of_sm\":%.0f,\"cycles\":%lld,\"cycles_each\":%.4f}\n", Operation::kName, stride,
              instructions, best, static_cast<double>(best) / instructions);
}

template <class... Operations> void measure_all() { (measure<Operations>(), ...); }
template <class... Operations> void measure_strides(std::initializer_list<int> strides) {
  for (const int stride : strides)
    (measure<Operations>(stride), ...);
}

} // namespace

int main() {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  sms = device.multiProcessorCount;
  std::printf("{\"kind\":\"gpu\",\"name\":\"%s\",\"sms\":%d,\"l2_bytes\":%d}\n", device.name, sms, device.l2CacheSize);
  check(cudaMalloc(&cycles, sizeof(long long) * sms));
  check(cudaMalloc(&sink, 16));
  constexpr std::size_t kBytes = std::size_t{128} << 20;
  check(cudaMalloc(&data, kBytes));
  check(cudaMemset(data, 0, kBytes));
  measure_all<op_ffma, op_fadd, op_fmul, op_fmin_, op_hfma2, op_hadd2, op_bfma2, op_dfma, op_iadd, op_lop3, op_shf, op_shl, op_imad, op_imad_hi, op_imin, op_prmt, op_isetp_sel, op_popc, op_clz, op_brev, op_dp4a, op_ex2, op_tanh_, op_shfl, op_ballot, op_redux, op_match, op_ffma_iadd, op_ffma_imad, op_iadd_imad, op_ffma_ex2, op_hfma2_ffma, op_dfma_ffma, op_hmma_16816_f32,
              op_bmma_16816_f32, op_hmma_16816_f16, op_tf32_1688, op_imma_16832, op_dmma_884>();
  measure_strides<op_lds_32, op_sts_32, op_lds_32_shfl, op_lds_32_ex2, op_reds_add, op_reds_max, op_reds_inc, op_atoms_cas>({0, 4, 8});
  measure_strides<op_lds_64, op_sts_64>({0, 8});
  measure_strides<op_lds_128, op_sts_128>({0, 16});
  std::uint32_t *const numbers = reinterpret_cast<std::uint32_t *>(data);
  const auto atomics = [&](auto kernel, const char *what, int words, int apart, int of_warp) {
    constexpr int kTimes = 32;
    const float ns = fastest([&] { kernel<<<2 * sms, kThreads>>>(numbers, words, apart, of_warp, kTimes, sink); });
    const double requests = 2.0 * sms * kWarps * kTimes;
    std::printf("{\"kind\":\"global_atomics\",\"what\":\"%s\",\"words\":%d,\"apart\":%d,\"of_warp\":%d,\"requests\":%.0f,\"ns\":%.0f,\"requests_a_ns\":%.3f}\n", what, words, apart,
                of_warp, requests, ns, requests / ns);
  };
  for (const auto &[words, apart, of_warp] : std::vector<std::array<int, 3>>{{1, 0, 0}, {32, 1, 0}, {8, 1, 0}, {1 << 20, 0, 8}, {1 << 20, 1, 32}, {1 << 20, 8, 256}, {1 << 20, 32, 1024}}) {
    atomics(global_atomics<false>, "red", words, apart, of_warp);
    atomics(global_atomics<true>, "atom", words, apart, of_warp);
  }
  const auto report = [&](const char *what, std::size_t bytes, int times, float ns) {
    std::printf("{\"kind\":\"l2\",\"what\":\"%s\",\"bytes\":%zu,\"times\":%d,\"ns\":%.0f,\"gbs\":%.1f}\n", what, bytes, times, ns, static_cast<double>(bytes) * times / ns);
  };
  for (const std::size_t mib : {2, 4, 8, 16, 32}) {
    const std::size_t bytes = mib << 20;
    const int times = static_cast<int>((std::size_t{1} << 30) / bytes);
    report("copy", 2 * bytes, times, fastest([&] { copy<<<2 * sms, kThreads>>>(reinterpret_cast<int4 *>(data), reinterpret_cast<int4 *>(data) + bytes / 16, bytes / 16, times); }));
  }
  return 0;
}
