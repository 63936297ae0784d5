#include "nvcc/ptxas/address_offset.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Operator.h>

namespace smem {

std::pair<const llvm::SCEV *, const llvm::SCEV *> base_and_offset(llvm::Value &pointer,
                                                                  llvm::ScalarEvolution &evolution) {
  llvm::Type *type = llvm::Type::getInt32Ty(pointer.getContext());
  const llvm::SCEV *offset = evolution.getZero(type);
  for (llvm::Value *from = &pointer;;) {
    const llvm::SCEV *address = evolution.getSCEV(from->stripPointerCasts());
    const llvm::SCEV *base = evolution.getPointerBase(address);
    offset = evolution.getAddExpr(offset, evolution.getTruncateOrNoop(evolution.removePointerBase(address), type));
    const auto *value = llvm::dyn_cast<llvm::SCEVUnknown>(base);
    if (!value || !llvm::isa<llvm::AddrSpaceCastOperator>(value->getValue()))
      return {base, offset};
    from = value->getValue();
  }
}

} // namespace smem
