// What kernels see of a tensor of any number of dimensions, in the layout that PyTorch passes.
#pragma once

#include <smem_lint_host/torch_tensor.h>

#define MAX_TENSORINFO_DIMS 25

namespace at::cuda::detail {

template <class T, class Index> struct TensorInfo {
  TensorInfo();
  TensorInfo(T *, int, Index[MAX_TENSORINFO_DIMS], Index[MAX_TENSORINFO_DIMS]);
  void reduceDim(int);
  int collapseDims(int = -1);
  C10_HOST_DEVICE bool isContiguous() const { return dims == 1 && strides[0] == 1; }
  T *data;
  Index sizes[MAX_TENSORINFO_DIMS], strides[MAX_TENSORINFO_DIMS];
  int dims;
};

/// The offset of an element by its number, with the last dimension counting fastest. `Dims` is -1 where they are known when the kernel runs.
template <class T, class Index, int Dims> struct IndexToOffset {
  static C10_HOST_DEVICE Index get(Index number, const TensorInfo<T, Index> &info) {
    Index offset = 0;
    for (int d = (Dims == -1 ? info.dims : Dims) - 1; d > 0; --d) {
      offset += number % info.sizes[d] * info.strides[d];
      number /= info.sizes[d];
    }
    return offset + number * info.strides[0];
  }
};

template <class T, class Index> TensorInfo<T, Index> getTensorInfo(const Tensor &);

} // namespace at::cuda::detail
