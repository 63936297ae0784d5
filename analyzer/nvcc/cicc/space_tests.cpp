#include "nvcc/cicc/space_tests.h"

#include <optional>
#include <vector>

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/Local.h>

#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

std::optional<bool> answer_to(const llvm::IntrinsicInst &call) {
  unsigned space = call.getArgOperand(0)->getType()->getPointerAddressSpace();
  if (space == kGeneric)
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(call.getArgOperand(0))))
      space = variable->getAddressSpace() == kGeneric ? kGlobal : variable->getAddressSpace();
  if (space == kGeneric)
    return std::nullopt;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_isspacep_shared:
  case llvm::Intrinsic::nvvm_isspacep_shared_cluster: return space == kShared;
  case llvm::Intrinsic::nvvm_isspacep_global: return space == kGlobal;
  case llvm::Intrinsic::nvvm_isspacep_const: return space == kConstant;
  case llvm::Intrinsic::nvvm_isspacep_local: return space == kLocal;
  default: return std::nullopt;
  }
}

} // namespace

void answer_space_tests(llvm::Function &kernel) {
  std::vector<llvm::IntrinsicInst *> tests;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); call && answer_to(*call))
      tests.push_back(call);
  if (tests.empty())
    return;
  for (llvm::IntrinsicInst *test : tests)
    llvm::replaceAndRecursivelySimplify(test, llvm::ConstantInt::getBool(test->getType(), *answer_to(*test)));
  for (llvm::BasicBlock &block : kernel)
    llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  llvm::removeUnreachableBlocks(kernel);
}

} // namespace smem::lower
