// Folders of one framework, for which there is one stand-in, are one line.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
// CHECK: :[[#@LINE-3]]:1: note: <torch/extension.h> and 2 more headers of PyTorch are not installed; host code is followed by a stand-in for them
// CHECK-NOT: stand-in
__global__ void k(int *p) { p[threadIdx.x] = 1; }
