#include "nvcc/facts/place.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Metadata.h>

namespace smem {

llvm::MDNode *place_of(const llvm::DILocation &location) {
  llvm::LLVMContext &context = location.getContext();
  const auto number = [&](unsigned value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  return llvm::MDNode::get(context, {location.getScope()->getNonLexicalBlockFileScope(), number(location.getLine()),
                                     number(location.getColumn())});
}

} // namespace smem
