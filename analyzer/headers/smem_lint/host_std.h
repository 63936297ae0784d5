// namespace cuda::std.
#pragma once
#include "../smem_lint_cuda_prelude.h"

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
} // namespace cuda
