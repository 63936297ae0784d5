// What host code of PyTorch's extensions says of tensors before it launches: checks of several, indices, options of a device. Its launches are found.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not='in part' %s
#include <ATen/ATen.h>
#include <ATen/TensorUtils.h>
#include <torch/extension.h>
// CHECK-DAG: {{^}}areas  grid=(64) block=(512)
__global__ void areas(const float *v, float *out) { out[threadIdx.x] = v[threadIdx.x]; }
at::Tensor checked(const at::Tensor verts, const at::Tensor faces) {
  at::TensorArg verts_t{verts, "verts", 1}, faces_t{faces, "faces", 2};
  at::CheckedFrom c = "checked";
  at::checkAllSameGPU(c, {verts_t, faces_t});
  at::checkAllSameType(c, {verts_t});
  at::Tensor out = at::zeros({64}, verts.options());
  areas<<<64, 512>>>(verts.data_ptr<float>(), out.data_ptr<float>());
  return out;
}

// CHECK-DAG: {{^}}rows  grid=(3) block=(96)
__global__ void rows(const float *v, float *out) { out[threadIdx.x] = v[threadIdx.x]; }
using namespace at::indexing;
void indexed(const at::Tensor t, at::IntList shape) {
  const int i = 2;
  at::TensorOptions options(t.device());
  at::Tensor ids[2];
  ids[0] = at::arange({4}, options.dtype(at::kLong));
  ids[1] = at::arange(4);
  at::Tensor part = t.index({i, Slice(None, 3), Ellipsis}).index({ids[0]}), first = t.index({torch::indexing::None});
  part.index_put_({Slice(), 0}, 0);
  at::sum_out(part, t, 0);
  rows<<<3, 96>>>(part.data_ptr<float>(), first.data_ptr<float>());
}
