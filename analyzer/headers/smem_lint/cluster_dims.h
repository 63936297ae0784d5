// Clang 19 does not know the attribute: an annotation carries the size of the cluster to smem-lint.
#undef __cluster_dims__
#define __cluster_dims__(...) __attribute__((annotate("smem-lint cluster_dims", __VA_ARGS__)))
