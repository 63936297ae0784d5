// Cooperative groups: grid, cluster, block, tiles of a block, and the active lanes of a
// warp. Ranks and sizes are exact; grid synchronisation is modelled as a block barrier,
// since what it does to other blocks moves none of their addresses.
#pragma once
#include "smem_lint_cuda_prelude.h"

namespace cooperative_groups {

namespace details {
SMEM_LINT_DEVICE unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
SMEM_LINT_DEVICE unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
SMEM_LINT_DEVICE unsigned block_rank_of_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

template <typename T> constexpr bool shuffles_directly = __is_arithmetic(T) && sizeof(T) >= 4;

// A shuffle of any trivially copyable type: directly, or word by word.
template <typename T, typename F> SMEM_LINT_DEVICE T shuffle(const T &value, F &&exchange) {
  if constexpr (shuffles_directly<T>) {
    return exchange(value);
  } else {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned buffer[words];
    buffer[words - 1] = 0;
    __builtin_memcpy(buffer, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; ++i)
      buffer[i] = exchange(buffer[i]);
    T result;
    __builtin_memcpy((void *)&result, buffer, sizeof(T));
    return result;
  }
}
template <typename T> struct bare {
  typedef T type;
};
template <typename T> struct bare<T &> {
  typedef T type;
};
template <typename T> struct bare<const T> {
  typedef T type;
};
template <typename T> struct bare<const T &> {
  typedef T type;
};
template <typename T> struct bare<T &&> {
  typedef T type;
};
} // namespace details

// Of any kind, decided at run time: a block, or lanes of one warp.
class thread_group {
public:
  SMEM_LINT_METHOD unsigned long long size() const { return size_; }
  SMEM_LINT_METHOD unsigned long long num_threads() const { return size_; }
  SMEM_LINT_METHOD unsigned long long thread_rank() const {
    return mask_ ? (unsigned)__popc(mask_ & ((1u << details::lane()) - 1)) : details::block_rank_of_thread();
  }
  SMEM_LINT_METHOD void sync() const {
    if (mask_)
      __syncwarp(mask_);
    else
      __barrier_sync(0);
  }
  SMEM_LINT_METHOD thread_group(unsigned mask, unsigned size) : mask_(mask), size_(size) {}

protected:
  unsigned mask_; // 0 for a whole block
  unsigned size_;
};

class thread_block {
public:
  struct arrival_token {};
  SMEM_LINT_METHOD static void sync() { __barrier_sync(0); }
  SMEM_LINT_METHOD arrival_token barrier_arrive() const { return {}; }
  SMEM_LINT_METHOD void barrier_wait(arrival_token &&) const { __barrier_sync(0); }
  SMEM_LINT_METHOD static unsigned size() { return details::block_size(); }
  SMEM_LINT_METHOD static unsigned num_threads() { return details::block_size(); }
  SMEM_LINT_METHOD static unsigned thread_rank() { return details::block_rank_of_thread(); }
  SMEM_LINT_METHOD static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  SMEM_LINT_METHOD static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  SMEM_LINT_METHOD static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  SMEM_LINT_METHOD static dim3 dim_threads() { return group_dim(); }
  SMEM_LINT_METHOD operator thread_group() const { return thread_group(0, details::block_size()); }
};
SMEM_LINT_DEVICE thread_block this_thread_block() { return thread_block(); }

template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
  char scratch[MaxBlockSize / 32 * 8];
};
template <unsigned MaxBlockSize> SMEM_LINT_DEVICE thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return thread_block();
}

class grid_group {
public:
  SMEM_LINT_METHOD bool is_valid() const { return true; }
  SMEM_LINT_METHOD void sync() const {
    __syncthreads();
    __threadfence();
    __syncthreads();
  }
  SMEM_LINT_METHOD static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  SMEM_LINT_METHOD static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  SMEM_LINT_METHOD static unsigned long long size() { return num_blocks() * details::block_size(); }
  SMEM_LINT_METHOD static unsigned long long num_threads() { return size(); }
  SMEM_LINT_METHOD static unsigned long long thread_rank() {
    return block_rank() * details::block_size() + details::block_rank_of_thread();
  }
  SMEM_LINT_METHOD static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  SMEM_LINT_METHOD static dim3 dim_blocks() { return group_dim(); }
  SMEM_LINT_METHOD static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  SMEM_LINT_METHOD static dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  SMEM_LINT_METHOD static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
};
SMEM_LINT_DEVICE grid_group this_grid() { return grid_group(); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
class cluster_group {
public:
  struct arrival_token {};
  SMEM_LINT_METHOD static void sync() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
  SMEM_LINT_METHOD static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return {};
  }
  SMEM_LINT_METHOD static void barrier_wait() { __cluster_barrier_wait(); }
  SMEM_LINT_METHOD static void barrier_wait(arrival_token &&) { __cluster_barrier_wait(); }
  SMEM_LINT_METHOD static unsigned query_shared_rank(const void *p) { return __cluster_query_shared_rank(p); }
  template <typename T> SMEM_LINT_METHOD static T *map_shared_rank(T *p, int rank) {
    return (T *)__cluster_map_shared_rank(p, rank);
  }
  SMEM_LINT_METHOD static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  SMEM_LINT_METHOD static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  SMEM_LINT_METHOD static dim3 dim_blocks() { return __clusterDim(); }
  SMEM_LINT_METHOD static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  SMEM_LINT_METHOD static dim3 thread_index() {
    const dim3 b = block_index();
    return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y, b.z * blockDim.z + threadIdx.z);
  }
  SMEM_LINT_METHOD static unsigned thread_rank() {
    return block_rank() * details::block_size() + details::block_rank_of_thread();
  }
  SMEM_LINT_METHOD static dim3 dim_threads() {
    const dim3 b = dim_blocks();
    return dim3(b.x * blockDim.x, b.y * blockDim.y, b.z * blockDim.z);
  }
  SMEM_LINT_METHOD static unsigned num_threads() { return num_blocks() * details::block_size(); }
  SMEM_LINT_METHOD static unsigned size() { return num_threads(); }
};
SMEM_LINT_DEVICE cluster_group this_cluster() { return cluster_group(); }
#endif

// The lanes of a warp that are active together.
class coalesced_group {
public:
  SMEM_LINT_METHOD explicit coalesced_group(unsigned mask, unsigned rank = 0, unsigned count = 1)
      : mask_(mask), meta_rank_(rank), meta_size_(count) {}
  SMEM_LINT_METHOD unsigned size() const { return (unsigned)__popc(mask_); }
  SMEM_LINT_METHOD unsigned num_threads() const { return size(); }
  SMEM_LINT_METHOD unsigned thread_rank() const { return (unsigned)__popc(mask_ & ((1u << details::lane()) - 1)); }
  SMEM_LINT_METHOD unsigned meta_group_rank() const { return meta_rank_; }
  SMEM_LINT_METHOD unsigned meta_group_size() const { return meta_size_; }
  SMEM_LINT_METHOD void sync() const { __syncwarp(mask_); }
  SMEM_LINT_METHOD int any(int p) const { return __ballot_sync(mask_, p) != 0; }
  SMEM_LINT_METHOD int all(int p) const { return __ballot_sync(mask_, p) == mask_; }
  SMEM_LINT_METHOD unsigned ballot(int p) const { return pack(__ballot_sync(mask_, p)); }
  template <typename T> SMEM_LINT_METHOD unsigned match_any(T v) const { return pack(__match_any_sync(mask_, v)); }
  template <typename T> SMEM_LINT_METHOD unsigned match_all(T v, int &p) const {
    return pack(__match_all_sync(mask_, v, &p));
  }
  template <typename T> SMEM_LINT_METHOD T shfl(T v, int rank) const {
    const unsigned mask = mask_, lane = rank == 0 ? __ffs(mask) - 1 : size() == 32 ? rank : __fns(mask, 0, rank + 1);
    return details::shuffle(
        v, [=](auto w) __attribute__((device, always_inline, nodebug)) { return __shfl_sync(mask, w, lane, 32); });
  }
  template <typename T> SMEM_LINT_METHOD T shfl_down(T v, unsigned delta) const {
    const unsigned mask = mask_;
    unsigned lane = size() == 32 ? details::lane() + delta : __fns(mask, details::lane(), delta + 1);
    if (lane > 31)
      lane = details::lane();
    return details::shuffle(
        v, [=](auto w) __attribute__((device, always_inline, nodebug)) { return __shfl_sync(mask, w, lane, 32); });
  }
  template <typename T> SMEM_LINT_METHOD T shfl_up(T v, int delta) const {
    const unsigned mask = mask_;
    unsigned lane = size() == 32 ? details::lane() - delta : __fns(mask, details::lane(), -(delta + 1));
    if (lane > 31)
      lane = details::lane();
    return details::shuffle(
        v, [=](auto w) __attribute__((device, always_inline, nodebug)) { return __shfl_sync(mask, w, lane, 32); });
  }
  SMEM_LINT_METHOD unsigned lanes() const { return mask_; }
  SMEM_LINT_METHOD operator thread_group() const { return thread_group(mask_, size()); }

private:
  // Lane bits of the warp as rank bits of the group.
  SMEM_LINT_METHOD unsigned pack(unsigned bits) const {
    unsigned packed = 0, rank = 0;
    for (unsigned rest = mask_; rest; rest &= rest - 1, ++rank)
      packed |= (bits >> (__ffs(rest) - 1) & 1) << rank;
    return packed;
  }
  unsigned mask_, meta_rank_, meta_size_;
};
SMEM_LINT_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// A tile of Size threads: part of a warp, or several whole warps.
template <unsigned Size, typename Parent = void> class thread_block_tile {
public:
  SMEM_LINT_METHOD thread_block_tile() {}
  template <typename Other> SMEM_LINT_METHOD thread_block_tile(const thread_block_tile<Size, Other> &) {}
  SMEM_LINT_METHOD static unsigned size() { return Size; }
  SMEM_LINT_METHOD static unsigned num_threads() { return Size; }
  SMEM_LINT_METHOD static unsigned thread_rank() {
    return Size > 32 ? details::block_rank_of_thread() & (Size - 1) : details::lane() & (Size - 1);
  }
  SMEM_LINT_METHOD static unsigned meta_group_rank() { return details::block_rank_of_thread() / Size; }
  SMEM_LINT_METHOD static unsigned meta_group_size() { return (details::block_size() + Size - 1) / Size; }
  SMEM_LINT_METHOD static unsigned lanes() {
    return Size >= 32 ? 0xffffffffu : (0xffffffffu >> (32 - Size % 32)) << (details::lane() & ~(Size - 1));
  }
  SMEM_LINT_METHOD static void sync() {
    if (Size <= 32)
      __syncwarp(lanes());
    else // of this group alone
      asm volatile("bar.sync %0, %1;" ::"r"(meta_group_rank() + 1), "r"(Size) : "memory");
  }
  SMEM_LINT_METHOD int any(int p) const { return ballot(p) != 0; }
  SMEM_LINT_METHOD int all(int p) const { return (__ballot_sync(lanes(), p) & lanes()) == lanes(); }
  SMEM_LINT_METHOD unsigned ballot(int p) const {
    return (__ballot_sync(lanes(), p) & lanes()) >> (details::lane() & ~(Size - 1) & 31);
  }
  template <typename T> SMEM_LINT_METHOD unsigned match_any(T v) const {
    return (__match_any_sync(lanes(), v) & lanes()) >> (details::lane() & ~(Size - 1) & 31);
  }
  template <typename T> SMEM_LINT_METHOD unsigned match_all(T v, int &p) const {
    return (__match_all_sync(lanes(), v, &p) & lanes()) >> (details::lane() & ~(Size - 1) & 31);
  }
  template <typename T> SMEM_LINT_METHOD T shfl(T v, int rank) const {
    const unsigned mask = lanes();
    return details::shuffle(
        v, [=](auto w) __attribute__((device, always_inline, nodebug)) { return __shfl_sync(mask, w, rank, Size); });
  }
  template <typename T> SMEM_LINT_METHOD T shfl_down(T v, unsigned delta) const {
    const unsigned mask = lanes();
    return details::shuffle(v, [=](auto w) __attribute__((device, always_inline, nodebug)) {
      return __shfl_down_sync(mask, w, delta, Size);
    });
  }
  template <typename T> SMEM_LINT_METHOD T shfl_up(T v, unsigned delta) const {
    const unsigned mask = lanes();
    return details::shuffle(v, [=](auto w) __attribute__((device, always_inline, nodebug)) {
      return __shfl_up_sync(mask, w, delta, Size);
    });
  }
  template <typename T> SMEM_LINT_METHOD T shfl_xor(T v, unsigned bits) const {
    const unsigned mask = lanes();
    return details::shuffle(v, [=](auto w) __attribute__((device, always_inline, nodebug)) {
      return __shfl_xor_sync(mask, w, bits, Size);
    });
  }
  SMEM_LINT_METHOD operator thread_group() const { return thread_group(lanes(), Size); }
};

// A tile of a tile counts its tiles within its parent.
template <unsigned Size, unsigned ParentSize, typename Grandparent>
class thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>> : public thread_block_tile<Size, void> {
public:
  SMEM_LINT_METHOD static unsigned meta_group_rank() {
    return thread_block_tile<ParentSize, Grandparent>::thread_rank() / Size;
  }
  SMEM_LINT_METHOD static unsigned meta_group_size() { return ParentSize / Size; }
};

template <unsigned Size, typename Parent>
SMEM_LINT_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}
SMEM_LINT_DEVICE thread_block_tile<1> this_thread() { return thread_block_tile<1>(); }

SMEM_LINT_DEVICE thread_group tiled_partition(const thread_group &, unsigned size) {
  const unsigned mask = size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (details::lane() & ~(size - 1));
  return thread_group(mask, size);
}
SMEM_LINT_DEVICE coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
  const unsigned rank = parent.thread_rank() / size;
  unsigned mask = 0, i = 0;
  for (unsigned rest = parent.lanes(); rest; rest &= rest - 1, ++i)
    if (i / size == rank)
      mask |= rest & -rest;
  return coalesced_group(mask, rank, (parent.size() + size - 1) / size);
}
template <typename Group> SMEM_LINT_DEVICE coalesced_group binary_partition(const Group &parent, bool p) {
  const unsigned all = parent.lanes(), mask = __ballot_sync(all, p);
  return coalesced_group(p ? mask : all & ~mask, p, 2);
}
template <typename Group, typename T> SMEM_LINT_DEVICE coalesced_group labeled_partition(const Group &parent, T label) {
  return coalesced_group(__match_any_sync(parent.lanes(), label));
}

template <typename Group> SMEM_LINT_DEVICE void sync(const Group &g) { g.sync(); }
SMEM_LINT_DEVICE void sync(const grid_group &g) { g.sync(); }
template <typename Group> SMEM_LINT_DEVICE auto thread_rank(const Group &g) -> decltype(g.thread_rank()) {
  return g.thread_rank();
}
template <typename Group> SMEM_LINT_DEVICE auto group_size(const Group &g) -> decltype(g.size()) { return g.size(); }

template <typename Group> SMEM_LINT_DEVICE bool elect_one(const Group &g) { return g.thread_rank() == 0; }
template <typename Group, typename F> SMEM_LINT_DEVICE void invoke_one(const Group &g, F &&f) {
  if (g.thread_rank() == 0)
    f();
}

} // namespace cooperative_groups
