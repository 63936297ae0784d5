#include "nvcc/cicc/instrumentation.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>

#include "nvcc/cicc/access_history.h"
#include "nvcc/cicc/is_pass.h"

namespace smem {
namespace {

/// The function that a pass has run over, where it was just one.
llvm::Function *function_of(llvm::Any unit) {
  if (const auto *function = llvm::any_cast<const llvm::Function *>(&unit))
    return const_cast<llvm::Function *>(*function);
  if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&unit))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

/// Passes that can make a function several times as large.
bool enlarges(llvm::StringRef pass) {
  return is_pass<llvm::LoopFullUnrollPass, llvm::SimpleLoopUnswitchPass, llvm::LoopUnrollPass, llvm::JumpThreadingPass>(
      pass);
}

/// Follows accesses through the passes.
void watch(llvm::PassInstrumentationCallbacks &callbacks, AccessHistory &history) {
  callbacks.registerBeforeNonSkippedPassCallback([&history](llvm::StringRef pass, llvm::Any unit) {
    if (llvm::Function *function = function_of(unit))
      history.look_at(*function, pass);
    else
      history.look_at_all();
  });
  callbacks.registerAfterPassCallback(
      [&history](llvm::StringRef pass, llvm::Any unit, const llvm::PreservedAnalyses &preserved) {
        if (pass.contains("PassManager") || pass.contains("Adaptor")) {
          if (llvm::any_cast<const llvm::Function *>(&unit))
            history.leave(*function_of(unit));
          return;
        }
        if (preserved.areAllPreserved())
          return;
        if (llvm::Function *function = function_of(unit))
          history.changed(*function, pass);
        else
          history.forget();
      });
  // Loop passes that did away with their loop.
  callbacks.registerAfterPassInvalidatedCallback(
      [&history](llvm::StringRef pass, const llvm::PreservedAnalyses &) { history.changed(pass); });
}

} // namespace

void instrument_passes(llvm::PassInstrumentationCallbacks &callbacks, AccessHistory &history, std::stop_token stop) {
  watch(callbacks, history);
  // The target puts NVVMIntrRangePass into each pipeline, which tells how large threadIdx can be: nvcc does not. llvm_settings.h makes sure of the name, which is
  // none of LLVM's headers.
  callbacks.registerShouldRunOptionalPassCallback([stop, &history](llvm::StringRef pass, llvm::Any unit) {
    if (stop.stop_requested() || pass == "NVVMIntrRangePass")
      return false;
    llvm::Function *function = enlarges(pass) ? function_of(unit) : nullptr;
    return !function || !history.is_too_large(*function);
  });
}

} // namespace smem
