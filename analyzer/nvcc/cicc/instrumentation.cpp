#include "nvcc/cicc/instrumentation.h"

#include <memory>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Transforms/IPO/ArgumentPromotion.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/DivRemPairs.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/MergedLoadStoreMotion.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/SpeculativeExecution.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "nvcc/cicc/access_history.h"
#include "nvcc/cicc/is_pass.h"
#include "nvcc/cicc/local_pointers.h"
#include "nvcc/cicc/reconvergence.h"
#include "nvcc/lines/merged_locations.h"
#include "nvcc/lines/original_locations.h"

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

/// Where nvcc keeps the place of an access that moves, and where it does not: it does where a branch becomes a select, where a store leaves its
/// loop, where two calls of one function become one, and where a load leaves its loop after loops have been unrolled; it does not where one does before.
void keep_locations(llvm::PassInstrumentationCallbacks &callbacks) {
  const auto merged = std::make_shared<MergedLocations>();
  callbacks.registerBeforeNonSkippedPassCallback([merged](llvm::StringRef pass, llvm::Any unit) {
    if (is_pass<llvm::SimplifyCFGPass>(pass)) {
      if (llvm::Function *function = function_of(unit))
        merged->before(*function);
    } else if (is_pass<llvm::LoopFullUnrollPass>(pass)) {
      if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&unit))
        before_unrolling(**loop);
    }
  });
  callbacks.registerAfterPassCallback(
      [merged](llvm::StringRef pass, llvm::Any unit, const llvm::PreservedAnalyses &preserved) {
        if (preserved.areAllPreserved())
          return;
        if (is_pass<llvm::SimplifyCFGPass>(pass)) {
          if (llvm::Function *function = function_of(unit)) {
            merged->after();
            after_speculation(*function);
            before_hoisting(*function);
          }
        } else if (is_pass<llvm::LICMPass>(pass)) {
          if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&unit)) {
            llvm::SmallVector<llvm::BasicBlock *> exits;
            (*loop)->getExitBlocks(exits);
            after_hoisting(*(*loop)->getHeader()->getParent(), exits);
          }
        }
      });
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
            history.settle(*function_of(unit));
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

/// Pointers in local variables, before they are looked through.
void note_local_pointers(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([](llvm::StringRef pass, llvm::Any unit) {
    if (is_pass<llvm::EarlyCSEPass, llvm::GVNPass>(pass))
      if (llvm::Function *function = function_of(unit))
        note_local_pointer_accesses(*function);
  });
}

/// Clang concludes from the language's promise that loops end that their counters stay in the range of their type, and says so at the sum;
/// nvcc does not.
void keep_wrapping(llvm::PassInstrumentationCallbacks &callbacks) {
  const auto sums_of = [](llvm::Any unit) {
    std::vector<llvm::OverflowingBinaryOperator *> sums;
    if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&unit))
      for (llvm::BasicBlock *block : (*loop)->blocks())
        for (llvm::Instruction &instruction : *block)
          if (instruction.getOpcode() == llvm::Instruction::Add)
            sums.push_back(llvm::cast<llvm::OverflowingBinaryOperator>(&instruction));
    return sums;
  };
  const auto may_wrap = std::make_shared<std::vector<llvm::Instruction *>>();
  callbacks.registerBeforeNonSkippedPassCallback([=](llvm::StringRef pass, llvm::Any unit) {
    if (!is_pass<llvm::IndVarSimplifyPass>(pass))
      return;
    may_wrap->clear();
    for (llvm::OverflowingBinaryOperator *sum : sums_of(unit))
      if (!sum->hasNoSignedWrap())
        may_wrap->push_back(llvm::cast<llvm::Instruction>(sum));
  });
  callbacks.registerAfterPassCallback([=](llvm::StringRef pass, llvm::Any unit, const llvm::PreservedAnalyses &) {
    if (!is_pass<llvm::IndVarSimplifyPass>(pass))
      return;
    for (llvm::OverflowingBinaryOperator *sum : sums_of(unit))
      if (auto *instruction = llvm::cast<llvm::Instruction>(sum); llvm::is_contained(*may_wrap, instruction))
        instruction->setHasNoSignedWrap(false);
  });
}

} // namespace

void instrument_passes(llvm::PassInstrumentationCallbacks &callbacks, AccessHistory &history, std::stop_token stop) {
  keep_convergence_points(callbacks);
  keep_locations(callbacks);
  keep_wrapping(callbacks);
  note_local_pointers(callbacks);
  watch(callbacks, history);
  // The first would merge the stores of both blocks of a branch, the second take vector loads apart, the third hide how large a remainder can
  // be before loops are unrolled, the fourth drop what only unused bits come from, however far from there, the fifth empty blocks that loads go
  // to, the sixth move loads out of a function to the lines that call it, the last tell how large threadIdx can be: nvcc does none of it.
  // llvm_settings.h makes sure of the name that is none of LLVM's headers.
  callbacks.registerShouldRunOptionalPassCallback([stop](llvm::StringRef pass, llvm::Any) {
    return !stop.stop_requested() &&
           !is_pass<llvm::MergedLoadStoreMotionPass, llvm::VectorCombinePass, llvm::DivRemPairsPass, llvm::BDCEPass,
                    llvm::SpeculativeExecutionPass, llvm::ArgumentPromotionPass>(pass) &&
           pass != "NVVMIntrRangePass";
  });
}

} // namespace smem
