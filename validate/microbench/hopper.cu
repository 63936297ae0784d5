// What the per-instruction counters show of Hopper's own ways to touch shared memory: bulk copies (TMA), operands of wgmma,
// distributed shared memory, barriers in shared memory. One small kernel for each, one launch of one block or one cluster.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -lineinfo hopper.cu -o hopper -lcuda
//   smem-validate measure --all-instructions -o hopper.jsonl -- ./hopper
//
// The results are in ../RULES.md.
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

// --- wgmma ------------------------------------------------------------------------------------------------------------------

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
        : "l"(a), "l"(b), "r"(1));
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
        : "r"(a), "r"(a), "r"(a), "r"(a), "l"(b), "r"(1));
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
        : "l"(a), "l"(b), "r"(1));
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
        : "l"(a), "l"(b), "r"(1));
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
        : "l"(a), "l"(b), "r"(1));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0] + d[3];
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
    CHECK(cudaDeviceSynchronize());
  }
  for (const auto swizzle : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B}) {
    const CUtensorMap map = tensor_map(data, 16, swizzle);
    tensor_load<<<1, 32>>>(map, out, tile_bytes(16, swizzle));
    tensor_store<<<1, 32>>>(map);
    CHECK(cudaDeviceSynchronize());
  }
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
  CHECK(cudaDeviceSynchronize());
  for (const int stride : {0, 1, 2, 8, 32, 33}) {
    own_load<<<1, 32>>>(out, stride);
    for (const int distance : {0, 1}) {
      cluster_load<<<2, 32>>>(out, stride, distance);
      cluster_load_128<<<2, 32>>>(out, stride / 4 * 4, distance);
      cluster_store<<<2, 32>>>(out, stride, distance);
      cluster_atomic<<<2, 32>>>(out, stride, distance);
      if (stride) cluster_store_async<<<2, 32>>>(out, stride, distance);
    }
    CHECK(cudaDeviceSynchronize());
  }
  std::puts("hopper: done");
  return 0;
}
