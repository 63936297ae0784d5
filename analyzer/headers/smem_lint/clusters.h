// sm_90's functions of a cluster of blocks, under the names that CUDA's own cooperative groups call.
#ifndef SMEM_LINT_CLUSTERS_H
#define SMEM_LINT_CLUSTERS_H

#include "attributes.h"
#include "vector_types.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
SMEM_LINT_DEVICE void __cluster_barrier_arrive() { __nvvm_barrier_cluster_arrive(); }
SMEM_LINT_DEVICE void __cluster_barrier_arrive_relaxed() { __nvvm_barrier_cluster_arrive_relaxed(); }
SMEM_LINT_DEVICE void __cluster_barrier_wait() { __nvvm_barrier_cluster_wait(); }
SMEM_LINT_DEVICE void __threadfence_cluster() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }
SMEM_LINT_DEVICE void *__cluster_map_shared_rank(const void *p, unsigned rank) {
  return __nvvm_mapa(const_cast<void *>(p), (int)rank);
}
SMEM_LINT_DEVICE unsigned __cluster_query_shared_rank(const void *p) {
  return __nvvm_getctarank(const_cast<void *>(p));
}
SMEM_LINT_DEVICE unsigned __isClusterShared(const void *p) { return __nvvm_isspacep_shared_cluster(p); }
SMEM_LINT_DEVICE unsigned __isCtaShared(const void *p) { return __nvvm_isspacep_shared(p); }
SMEM_LINT_DEVICE unsigned __clusterDimIsSpecified() { return __nvvm_is_explicit_cluster(); }
SMEM_LINT_DEVICE unsigned __clusterRelativeBlockRank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
SMEM_LINT_DEVICE unsigned __clusterSizeInBlocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }

#pragma push_macro("SL_1")
#undef SL_1
#define SL_1(NAME, REGISTER)                                                                                           \
  SMEM_LINT_DEVICE dim3 NAME() {                                                                                       \
    return dim3(__nvvm_read_ptx_sreg_##REGISTER##_x(), __nvvm_read_ptx_sreg_##REGISTER##_y(),                          \
                __nvvm_read_ptx_sreg_##REGISTER##_z());                                                                \
  }
SL_1(__clusterDim, cluster_nctaid)
SL_1(__clusterRelativeBlockIdx, cluster_ctaid)
SL_1(__clusterGridDimInClusters, nclusterid)
SL_1(__clusterIdx, clusterid)
#pragma pop_macro("SL_1")
#endif

#endif
