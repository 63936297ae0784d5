// What sm_90's functions of a cluster of blocks are, under the names that CUDA's own cooperative groups call.
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
SMEM_LINT_DEVICE dim3 __clusterDim() {
  return dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(),
              __nvvm_read_ptx_sreg_cluster_nctaid_z());
}
SMEM_LINT_DEVICE dim3 __clusterRelativeBlockIdx() {
  return dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(),
              __nvvm_read_ptx_sreg_cluster_ctaid_z());
}
SMEM_LINT_DEVICE dim3 __clusterGridDimInClusters() {
  return dim3(__nvvm_read_ptx_sreg_nclusterid_x(), __nvvm_read_ptx_sreg_nclusterid_y(),
              __nvvm_read_ptx_sreg_nclusterid_z());
}
SMEM_LINT_DEVICE dim3 __clusterIdx() {
  return dim3(__nvvm_read_ptx_sreg_clusterid_x(), __nvvm_read_ptx_sreg_clusterid_y(),
              __nvvm_read_ptx_sreg_clusterid_z());
}
#endif

#endif
