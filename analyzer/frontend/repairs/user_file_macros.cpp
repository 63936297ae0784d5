#include "frontend/repairs/user_file_macros.h"

#include <algorithm>

#include <clang/Basic/DiagnosticSema.h>

namespace smem {

Next WithoutNvcc::after(Progress &progress) {
  Repairs &repairs = progress.repairs;
  if (!repairs.user_file_macros.nvcc) { // in vain
    repairs.user_file_macros.nvcc = true;
    repairs.assumed_definition.clear();
    return Next::Again;
  }
  if (tried_ || !progress.attempt.asks_for_nvcc)
    return Next::Step;
  tried_ = true;
  repairs.user_file_macros.nvcc = false;
  repairs.assumed_definition = "__NVCC__ is not defined, as the file compiles only without it";
  return Next::Again;
}

Next HostOfDevice::after(Progress &progress) {
  const std::vector<SourceError> &errors = progress.attempt.errors;
  const bool clash = std::ranges::find(errors, clang::diag::err_cuda_ovl_target, &SourceError::id) != errors.end();
  const bool concerned =
      clash || std::ranges::find(errors, clang::diag::err_missing_default_ctor, &SourceError::id) != errors.end();
  bool &macro = progress.repairs.user_file_macros.host_of_device;
  if (state_ == State::Fresh && concerned) {
    state_ = State::Trying;
    errors_ = errors.size();
    macro = true;
    return Next::Again;
  }
  if (state_ == State::Trying) {
    state_ = State::Settled;
    if (clash || errors.size() >= errors_) { // nothing was gained
      macro = false;
      return Next::Again;
    }
  }
  return Next::Step;
}

} // namespace smem
