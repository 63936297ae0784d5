#include "nvcc/facts/cluster_address.h"

#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

namespace smem::lower {
namespace {

bool is_mapping(const llvm::Value *value) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(value);
  if (!call)
    return false;
  if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
    return llvm::StringRef(assembly->getAsmString()).contains("mapa");
  return call->getIntrinsicID() == llvm::Intrinsic::nvvm_mapa ||
         call->getIntrinsicID() == llvm::Intrinsic::nvvm_mapa_shared_cluster;
}

} // namespace

bool is_cluster_address(const llvm::Value *address) {
  constexpr unsigned kMostValues = 64;
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  std::vector<const llvm::Value *> work{address};
  while (!work.empty() && seen.size() < kMostValues) {
    const llvm::Value *value = work.back();
    work.pop_back();
    if (!seen.insert(value).second)
      continue;
    if (is_mapping(value))
      return true;
    const auto *operation = llvm::dyn_cast<llvm::Operator>(value);
    if (operation && !llvm::isa<llvm::CallBase, llvm::LoadInst>(value))
      for (const llvm::Value *operand : operation->operands())
        work.push_back(operand);
  }
  return false;
}

} // namespace smem::lower
