#include "frontend/repairs/hidden_kernels.h"

#include <algorithm>
#include <string>
#include <utility>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace smem {
namespace {

/// What the error that stands for a body is known by.
std::string mark_of(std::size_t number) { return "smem_lint_unbalanced_body_" + std::to_string(number) + "_"; }

} // namespace

Next HiddenKernels::after(Progress &progress) {
  constexpr std::size_t kMostRounds = 3;
  progress.leaves_out_bodies = false;
  if (before_ && (!progress.result.ok || progress.attempt.lost >= lost_)) { // it was not these bodies
    progress.result = std::move(*before_);
    before_.reset();
    return Next::Done;
  }
  before_.reset();
  std::vector<UnbalancedBody> &found = progress.attempt.unbalanced;
  if (!progress.result.ok || found.empty() || rounds_++ >= kMostRounds)
    return Next::Step;
  lost_ = progress.attempt.lost;
  before_ = std::move(progress.result);
  progress.leaves_out_bodies = true;
  const std::string path = found.front().path;
  auto &files = progress.repairs.patched.files;
  std::string text = files.contains(path) ? files[path] : text_of(progress.options, path);
  std::ranges::reverse(found); // from the end, so that offsets stay
  for (UnbalancedBody &body : found) {
    text = without_body(text, body, mark_of(bodies_.size()));
    bodies_.push_back(std::move(body));
  }
  files[path] = std::move(text);
  return Next::Again;
}

void HiddenKernels::finish(Progress &progress) {
  if (before_ && !progress.result.ok) // nothing was gained
    progress.result = std::move(*before_);
}

void HiddenKernels::reword(Diagnostic &diagnostic, const Progress &) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    restore_error(diagnostic, bodies_[i], mark_of(i));
}

} // namespace smem
