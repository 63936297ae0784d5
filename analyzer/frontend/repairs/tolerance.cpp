#include "frontend/repairs/tolerance.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "frontend/repairs/extent.h"

namespace smem {

Next Tolerance::after(Progress &progress) {
  if (progress.repairs.tolerant)
    return Next::Done;
  progress.repairs.tolerant = true;
  if (!progress.attempt.errors.empty()) // AskedDefinitions wants to see what the headers leave out
    progress.repairs.with_prefix = false;
  progress.refusal = progress.result.diagnostics;
  return Next::Again;
}

Next NothingToAnalyse::after(Progress &progress) {
  const FrontendResult &result = progress.result;
  if (!result.ok || !(result.lacks_headers ? extent_of(result).kernels == 0
                                           : progress.repairs.tolerant && result.index.kernels.empty()))
    return Next::Step;
  progress.without_kernels = true;
  return Next::Done;
}

void NothingToAnalyse::finish(Progress &progress) {
  if (!progress.without_kernels && (!progress.result.lacks_headers || progress.result.ok))
    return;
  if (progress.result.lacks_headers) {
    progress.refusal = progress.before;
    std::ranges::move(progress.about_headers, std::back_inserter(progress.refusal));
  }
  progress.result = {};
  progress.result.diagnostics = std::move(progress.refusal);
}

} // namespace smem
