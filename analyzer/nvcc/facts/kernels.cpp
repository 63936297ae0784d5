#include "nvcc/facts/kernels.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace smem {

std::vector<llvm::Function *> kernels_of(const llvm::Module &module) {
  llvm::SmallPtrSet<const llvm::Function *, 8> annotated;
  if (const llvm::NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    for (const llvm::MDNode *node : annotations->operands())
      for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
        const auto *key = llvm::dyn_cast<llvm::MDString>(node->getOperand(i));
        const auto *function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
        if (function && key && key->getString() == "kernel")
          annotated.insert(function);
      }
  std::vector<llvm::Function *> kernels;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() &&
        (function.getCallingConv() == llvm::CallingConv::PTX_Kernel || annotated.count(&function)))
      kernels.push_back(const_cast<llvm::Function *>(&function));
  return kernels;
}

} // namespace smem
