// What the per-instruction counters show of Hopper's own ways to touch shared memory: bulk copies (TMA), operands of wgmma,
// distributed shared memory, barriers in shared memory. One small kernel for each, one launch of one block or one cluster.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -lineinfo hopper.cu -o hopper -lcuda
//   smem-validate measure --all-instructions -o hopper.jsonl -- ./hopper
//
// The results are in ../RULES.md.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace {

#define CHECK(call)                                                                     \
  do {                                                                                  \
    const cudaError_t status = (call);                                                  \
    if (status != cudaSuccess) {                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                     \
    }                                                                                   \
  } while (0)

constexpr int kWords = 4096;  // of the shared arrays, 16 KB
constexpr int kRounds = 8;    // executions of the instruction in question

__device__ unsigned address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void init(uint64_t *barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(barrier)));
  asm volatile("fence.mbarrier_init.release.cluster;");
}
__device__ void expect(uint64_t *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes) : "memory");
}
__device__ void wait(uint64_t *barrier, unsigned phase) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(address(barrier)),
      "r"(phase)
      : "memory");
}
__device__ unsigned in_block(unsigned local, unsigned rank) {
  unsigned remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(local), "r"(rank));
  return remote;
}
__device__ void cluster_sync() { asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); }

// --- Bulk copies ------------------------------------------------------------------------------------------------------------

__global__ void bulk_load(const unsigned *in, unsigned *out, unsigned bytes) {
  __shared__ __align__(128) unsigned tile[kWords];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    init(&barrier);
    for (int i = 0; i < kRounds; ++i) {
      expect(&barrier, bytes);
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address(tile)), "l"(in),
                   "r"(bytes), "r"(address(&barrier))
                   : "memory");
      wait(&barrier, i & 1);
    }
    out[0] = tile[0];
  }
}

__global__ void bulk_store(unsigned *out, unsigned bytes) {
  __shared__ __align__(128) unsigned tile[kWords];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int i = 0; i < kRounds; ++i)
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(address(tile)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

__global__ void bulk_reduce(unsigned *out, unsigned bytes) {
  __shared__ __align__(128) unsigned tile[kWords];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int i = 0; i < kRounds; ++i)
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(out), "r"(address(tile)), "r"(bytes)
                   : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

__global__ void bulk_prefetch(const unsigned *in, unsigned bytes) {
  if (threadIdx.x == 0)
    for (int i = 0; i < kRounds; ++i) asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in), "r"(bytes) : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) bulk_to_other_block(unsigned *out, unsigned bytes) {
  __shared__ __align__(128) unsigned tile[2 * kWords];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    init(&barrier);
    expect(&barrier, bytes);
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    const unsigned other = 1 - blockIdx.x;
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     in_block(address(tile + kWords), other)),
                 "r"(address(tile)), "r"(bytes), "r"(in_block(address(&barrier), other))
                 : "memory");
    wait(&barrier, 0);
    out[blockIdx.x] = tile[kWords];
  }
  cluster_sync();
}

// A tile of `rows` rows of 128 bytes.
__global__ void tensor_load(const __grid_constant__ CUtensorMap map, unsigned *out, unsigned bytes) {
  __shared__ __align__(1024) unsigned tile[kWords];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    init(&barrier);
    for (int i = 0; i < kRounds; ++i) {
      expect(&barrier, bytes);
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(address(tile)),
                   "l"(&map), "r"(0), "r"(0), "r"(address(&barrier))
                   : "memory");
      wait(&barrier, i & 1);
    }
    out[0] = tile[0];
  }
}

__global__ void tensor_store(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(1024) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int i = 0; i < kRounds; ++i)
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(0), "r"(0), "r"(address(tile))
                   : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// The rest of what the engines do: reductions of tiles, prefetches, reductions into and copies to other blocks, and the arrival of
// cp.async on a barrier.
__global__ void tensor_reduce(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(1024) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(&map), "r"(0), "r"(0) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int i = 0; i < kRounds; ++i)
      asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(0), "r"(0),
                   "r"(address(tile))
                   : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

__global__ void __cluster_dims__(2, 1, 1) bulk_multicast(const unsigned *in, unsigned *out, unsigned bytes) {
  __shared__ __align__(128) unsigned tile[kWords];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    init(&barrier);
    expect(&barrier, bytes);
  }
  cluster_sync();
  if (threadIdx.x == 0 && blockIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                     address(tile)),
                 "l"(in), "r"(bytes), "r"(address(&barrier)), "h"(static_cast<unsigned short>(3))
                 : "memory");
  if (threadIdx.x == 0) {
    wait(&barrier, 0);
    out[blockIdx.x] = tile[0];
  }
  cluster_sync();
}

__global__ void __cluster_dims__(2, 1, 1) bulk_reduce_to_other_block(unsigned *out, unsigned bytes) {
  __shared__ __align__(128) unsigned tile[2 * kWords];
  __shared__ uint64_t barrier;
  for (int i = threadIdx.x; i < 2 * kWords; i += blockDim.x) tile[i] = i;
  if (threadIdx.x == 0) {
    init(&barrier);
    expect(&barrier, bytes);
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    const unsigned other = 1 - blockIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];" ::"r"(
                     in_block(address(tile + kWords), other)),
                 "r"(address(tile)), "r"(bytes), "r"(in_block(address(&barrier), other))
                 : "memory");
    wait(&barrier, 0);
    out[blockIdx.x] = tile[kWords];
  }
  cluster_sync();
}

__global__ void copy_arrives(const unsigned *in, unsigned *out) {
  __shared__ __align__(128) unsigned tile[kWords];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(address(&barrier)));
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(address(tile + 4 * threadIdx.x)), "l"(in + 4 * threadIdx.x) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address(&barrier)) : "memory");
  wait(&barrier, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// --- wgmma ------------------------------------------------------------------------------------------------------------------

// The operands differ from round to round: of products with the same ones, one after the other, ptxas leaves some out.
__host__ __device__ uint64_t descriptor(unsigned start, unsigned leading, unsigned stride, unsigned swizzle) {
  const auto field = [](uint64_t bytes) { return bytes >> 4 & 0x3fff; };
  return field(start) | field(leading) << 16 | field(stride) << 32 | static_cast<uint64_t>(swizzle) << 62;
}

__global__ void wgmma_shared_operands(float *out, unsigned leading, unsigned stride, unsigned swizzle) {
  __shared__ __align__(1024) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = 0;
  __syncthreads();
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  const uint64_t a = descriptor(address(tile), leading, stride, swizzle), b = descriptor(address(tile + kWords / 2), leading, stride, swizzle);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < kRounds; ++i)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "l"(a + 2 * i), "l"(b), "r"(1));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d0 + d1 + d2 + d3;
}

__global__ void wgmma_register_operand(float *out, unsigned leading, unsigned stride, unsigned swizzle) {
  __shared__ __align__(1024) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = 0;
  __syncthreads();
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  const uint64_t b = descriptor(address(tile), leading, stride, swizzle);
  const unsigned a = threadIdx.x;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < kRounds; ++i)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, 1, 1, 0;\n}"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "r"(a), "r"(a), "r"(a), "r"(a), "l"(b + 2 * i), "r"(1));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d0 + d1 + d2 + d3;
}

// Other shapes: 16 and 64 columns, and 32-bit operands.
__global__ void wgmma_16_columns(float *out, uint64_t a, uint64_t b) {
  float d[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < kRounds; ++i)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;\n}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
        : "l"(a + 2 * i), "l"(b), "r"(1));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0] + d[7];
}

__global__ void wgmma_64_columns(float *out, uint64_t a, uint64_t b) {
  float d[32] = {};
#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < kRounds; ++i)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 0, 0;\n}"
        : FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28)
        : "l"(a + 2 * i), "l"(b), "r"(1));
#undef FOUR
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0] + d[31];
}

__global__ void wgmma_tf32(float *out, uint64_t a, uint64_t b) {
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < kRounds; ++i)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, p, 1, 1;\n}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(a + 2 * i), "l"(b), "r"(1));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0] + d[3];
}

// Other types, and A in registers: D has four registers a thread, in each of the forms that the instruction wants.
#define WGMMA(name, type, constraint, instruction, scales, register_scales)                                                      \
  __global__ void name(float *out, uint64_t a, uint64_t b) {                                                                     \
    type d0 = 0, d1 = 0, d2 = 0, d3 = 0;                                                                                         \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                                      \
    for (int i = 0; i < kRounds; ++i)                                                                                            \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n" instruction " {%0, %1, %2, %3}, %4, %5, p" scales ";\n}"          \
                   : "+" constraint(d0), "+" constraint(d1), "+" constraint(d2), "+" constraint(d3)                              \
                   : "l"(a + 2 * i), "l"(b), "r"(1));                                                                                    \
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");                             \
    out[threadIdx.x] = static_cast<float>(d0 + d1 + d2 + d3);                                                                    \
  }                                                                                                                              \
  __global__ void name##_register_operand(float *out, unsigned a, uint64_t b) {                                                  \
    type d0 = 0, d1 = 0, d2 = 0, d3 = 0;                                                                                         \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                                      \
    for (int i = 0; i < kRounds; ++i)                                                                                            \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n" instruction " {%0, %1, %2, %3}, {%4, %4, %4, %4}, %5, p"          \
                   register_scales ";\n}"                                                                                        \
                   : "+" constraint(d0), "+" constraint(d1), "+" constraint(d2), "+" constraint(d3)                              \
                   : "r"(a), "l"(b + 2 * i), "r"(1));                                                                            \
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");                             \
    out[threadIdx.x] = static_cast<float>(d0 + d1 + d2 + d3);                                                                    \
  }
WGMMA(wgmma_bf16, float, "f", "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", ", 1, 1, 0, 0", ", 1, 1, 0")
WGMMA(wgmma_e4m3, float, "f", "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3", ", 1, 1", ", 1, 1")
WGMMA(wgmma_e5m2, float, "f", "wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e4m3", ", 1, 1", ", 1, 1")
WGMMA(wgmma_s8, int, "r", "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8", "", "")
WGMMA(wgmma_u8, int, "r", "wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.u8.s8", "", "")
WGMMA(wgmma_b1, int, "r", "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc", "", "")
#undef WGMMA

// Both operands transposed, half the accumulator's width; and a sparse A, of which half the elements are there.
__global__ void wgmma_transposed(float *out, uint64_t a, uint64_t b) {
  unsigned d0 = 0, d1 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < kRounds; ++i)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, p, 1, 1, 1, 1;\n}"
        : "+r"(d0), "+r"(d1)
        : "l"(a + 2 * i), "l"(b), "r"(1));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d0 + d1;
}

__global__ void wgmma_sparse(float *out, uint64_t a, uint64_t b) {
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < kRounds; ++i)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, %7, 0, p, 1, 1, 0, 0;\n}"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "l"(a + 2 * i), "l"(b), "r"(1), "r"(0x44444444));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d0 + d1 + d2 + d3;
}

// 256 columns: 128 registers of D.
__global__ void wgmma_256_columns(float *out, uint64_t a, uint64_t b) {
  float d[128] = {};
#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < kRounds; ++i)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, p, 1, 1, 0, 0;\n}"
        : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80), SIXTEEN(96), SIXTEEN(112)
        : "l"(a + 2 * i), "l"(b), "r"(1));
#undef SIXTEEN
#undef FOUR
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  float sum = 0;
  for (int i = 0; i < 128; ++i) sum += d[i];
  out[threadIdx.x] = sum;
}

// A pipeline as matrix products have it: the line that each product is counted on is not its own.
__device__ __forceinline__ void multiply(float (&d)[4], uint64_t a, uint64_t b) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(b), "r"(1));
}
__global__ void wgmma_pipeline(float *out, uint64_t a, uint64_t b, int rounds) {
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  multiply(d, a, b);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  for (int k = 0; k < rounds; ++k) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    multiply(d, a + 2 * k, b);
    multiply(d, a, b + 2 * k);
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
    __syncthreads();
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  if (threadIdx.x < 128) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    multiply(d, a, b);
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// What becomes of products with the same operands.
__global__ void wgmma_repeated(float *out, uint64_t a, uint64_t b) {
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int i = 0; i < kRounds; ++i) multiply(d, a, b);
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// --- Distributed shared memory ----------------------------------------------------------------------------------------------
// One warp a block; lane l uses word l * stride of the block with the given rank, relative to its own (0: its own).

__global__ void __cluster_dims__(2, 1, 1) cluster_load(unsigned *out, int stride, int distance) {
  __shared__ __align__(128) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += 32) tile[i] = i;
  cluster_sync();
  const unsigned from = in_block(address(tile + threadIdx.x * stride), (blockIdx.x + distance) % 2);
  unsigned sum = 0, value;
  for (int i = 0; i < kRounds; ++i) {
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
    sum += value;
  }
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

__global__ void __cluster_dims__(2, 1, 1) cluster_load_128(unsigned *out, int stride, int distance) {
  __shared__ __align__(128) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += 32) tile[i] = i;
  cluster_sync();
  const unsigned from = in_block(address(tile + threadIdx.x * stride), (blockIdx.x + distance) % 2);
  unsigned sum = 0, x, y, z, w;
  for (int i = 0; i < kRounds; ++i) {
    asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(from) : "memory");
    sum += x + y + z + w;
  }
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

__global__ void __cluster_dims__(2, 1, 1) cluster_store(unsigned *out, int stride, int distance) {
  __shared__ __align__(128) unsigned tile[kWords];
  const unsigned to = in_block(address(tile + threadIdx.x * stride), (blockIdx.x + distance) % 2);
  cluster_sync();
  for (int i = 0; i < kRounds; ++i) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(i) : "memory");
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x * stride];
}

__global__ void __cluster_dims__(2, 1, 1) cluster_atomic(unsigned *out, int stride, int distance) {
  __shared__ __align__(128) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += 32) tile[i] = i;
  const unsigned to = in_block(address(tile + threadIdx.x * stride), (blockIdx.x + distance) % 2);
  cluster_sync();
  unsigned sum = 0, value;
  for (int i = 0; i < kRounds; ++i) {
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(value) : "r"(to), "r"(threadIdx.x + 2) : "memory");
    sum += value;
  }
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

__global__ void __cluster_dims__(2, 1, 1) cluster_store_async(unsigned *out, int stride, int distance) {
  __shared__ __align__(128) unsigned tile[kWords];
  __shared__ uint64_t barrier;
  const unsigned rank = (blockIdx.x + distance) % 2;
  if (threadIdx.x == 0) {
    init(&barrier);
    expect(&barrier, 32 * 4);
  }
  cluster_sync();
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(in_block(address(tile + threadIdx.x * stride), rank)),
               "r"(threadIdx.x), "r"(in_block(address(&barrier), rank))
               : "memory");
  wait(&barrier, 0);
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x * stride];
}

// Stores of 128 bits, reductions, compare-and-swap.
__global__ void __cluster_dims__(2, 1, 1) cluster_more(unsigned *out, int stride, int distance) {
  __shared__ __align__(128) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += 32) tile[i] = i;
  const unsigned rank = (blockIdx.x + distance) % 2, to = in_block(address(tile + threadIdx.x * stride), rank);
  cluster_sync();
  unsigned value;
  unsigned long long wide;
  for (int i = 0; i < kRounds; ++i) {
    asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(to), "r"(i) : "memory");
    asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(wide) : "r"(to) : "memory");
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(to), "r"(threadIdx.x + 2) : "memory");
    asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(to) : "memory");
    asm volatile("atom.shared::cluster.cas.b32 %0, [%1], %2, %3;" : "=r"(value) : "r"(to), "r"(i), "r"(threadIdx.x) : "memory");
  }
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = value + static_cast<unsigned>(wide);
}

// Lanes 0 to 15 in block 0 of the cluster, the others in block 1.
__global__ void __cluster_dims__(2, 1, 1) cluster_both(unsigned *out, int stride) {
  __shared__ __align__(128) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += 32) tile[i] = i;
  cluster_sync();
  const unsigned from = in_block(address(tile + threadIdx.x * stride), threadIdx.x / 16);
  unsigned sum = 0, value;
  for (int i = 0; i < kRounds; ++i) {
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
    sum += value;
  }
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

// Through generic pointers, in a cluster of two by two blocks: rank = x + 2 y.
__global__ void __cluster_dims__(2, 2, 1) cluster_generic(unsigned *out, int stride, int distance) {
  __shared__ __align__(128) unsigned tile[kWords];
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  for (int i = threadIdx.x; i < kWords; i += 32) tile[i] = i;
  cluster.sync();
  unsigned *other = cluster.map_shared_rank(tile, (cluster.block_rank() + distance) % cluster.num_blocks());
  const unsigned value = other[threadIdx.x * stride];
  cluster.sync();
  other[threadIdx.x * stride + 1] = value;
  atomicAdd(&other[threadIdx.x * stride], threadIdx.x + 2);
  cluster.sync();
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 32 + threadIdx.x] = tile[threadIdx.x * stride] + value;
}

// The same addresses in the block's own memory, as a generic access: what the others are compared with.
__global__ void own_load(unsigned *out, int stride) {
  __shared__ __align__(128) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += 32) tile[i] = i;
  __syncwarp();
  unsigned sum = 0, value;
  for (int i = 0; i < kRounds; ++i) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address(tile + threadIdx.x * stride)) : "memory");
    sum += value;
  }
  out[threadIdx.x] = sum;
}

CUtensorMap tensor_map(void *data, unsigned rows, CUtensorMapSwizzle swizzle) {
  CUtensorMap map;
  // The rows of a swizzled tile are as long as the pattern.
  const unsigned columns = swizzle == CU_TENSOR_MAP_SWIZZLE_32B ? 8 : swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 16 : 32;
  const cuuint64_t sizes[] = {1024, 1024}, strides[] = {4096};
  const cuuint32_t box[] = {columns, rows}, steps[] = {1, 1};
  const CUresult result = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, data, sizes, strides, box, steps,
                                                 CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "cuTensorMapEncodeTiled: %d\n", result);
    std::exit(1);
  }
  return map;
}

unsigned tile_bytes(unsigned rows, CUtensorMapSwizzle swizzle) {
  return rows * (swizzle == CU_TENSOR_MAP_SWIZZLE_32B ? 32 : swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 64 : 128);
}

}  // namespace

int main() {
  unsigned *data = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&data, 4 << 20));
  CHECK(cudaMemset(data, 1, 4 << 20));
  CHECK(cudaMalloc(&out, 1 << 20));
  for (const unsigned bytes : {16u, 128u, 512u, 4096u}) {
    bulk_load<<<1, 32>>>(data, out, bytes);
    bulk_store<<<1, 32>>>(out, bytes);
    bulk_reduce<<<1, 32>>>(out, bytes);
    bulk_prefetch<<<1, 32>>>(data, bytes);
    bulk_to_other_block<<<2, 32>>>(out, bytes);
    bulk_multicast<<<2, 32>>>(data, out, bytes);
    bulk_reduce_to_other_block<<<2, 32>>>(out, bytes);
    CHECK(cudaDeviceSynchronize());
  }
  for (const auto swizzle : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B}) {
    const CUtensorMap map = tensor_map(data, 16, swizzle);
    tensor_load<<<1, 32>>>(map, out, tile_bytes(16, swizzle));
    tensor_store<<<1, 32>>>(map);
    tensor_reduce<<<1, 32>>>(map);
    CHECK(cudaDeviceSynchronize());
  }
  copy_arrives<<<1, 32>>>(data, out);
  CHECK(cudaDeviceSynchronize());
  struct Layout {
    unsigned leading, stride, swizzle;
  };
  for (const Layout layout : {Layout{128, 256, 0}, Layout{128, 128, 0}, Layout{1024, 128, 0}, Layout{16, 1024, 1}, Layout{16, 512, 2}, Layout{16, 256, 3}}) {
    wgmma_shared_operands<<<1, 128>>>(reinterpret_cast<float *>(out), layout.leading, layout.stride, layout.swizzle);
    wgmma_register_operand<<<1, 128>>>(reinterpret_cast<float *>(out), layout.leading, layout.stride, layout.swizzle);
    CHECK(cudaDeviceSynchronize());
  }
  // Operands anywhere in the first 16 KB of shared memory, which these kernels do not declare: dynamic memory.
  const uint64_t a = descriptor(1024, 128, 256, 0), b = descriptor(1024 + 8192, 128, 256, 0);
  wgmma_16_columns<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b);
  wgmma_64_columns<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b);
  wgmma_tf32<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b);
  wgmma_256_columns<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b);
  wgmma_transposed<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b);
  wgmma_sparse<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b);
#define BOTH(name)                                                             \
  name<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b);          \
  name##_register_operand<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), 0, b);
  BOTH(wgmma_bf16) BOTH(wgmma_e4m3) BOTH(wgmma_e5m2) BOTH(wgmma_s8) BOTH(wgmma_u8) BOTH(wgmma_b1)
#undef BOTH
  wgmma_repeated<<<1, 128, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b);
  wgmma_pipeline<<<2, 256, 4 * kWords>>>(reinterpret_cast<float *>(out), a, b, 5);
  CHECK(cudaDeviceSynchronize());
  for (const int stride : {0, 1, 2, 8, 32, 33}) {
    own_load<<<1, 32>>>(out, stride);
    cluster_both<<<2, 32>>>(out, stride);
    for (const int distance : {0, 1}) {
      cluster_load<<<2, 32>>>(out, stride, distance);
      cluster_load_128<<<2, 32>>>(out, stride / 4 * 4, distance);
      cluster_store<<<2, 32>>>(out, stride, distance);
      cluster_atomic<<<2, 32>>>(out, stride, distance);
      cluster_more<<<2, 32>>>(out, stride / 4 * 4, distance);
      cluster_generic<<<dim3(4, 2), 32>>>(out, stride, distance);
      if (stride) cluster_store_async<<<2, 32>>>(out, stride, distance);
    }
    CHECK(cudaDeviceSynchronize());
  }
  std::puts("hopper: done");
  return 0;
}
