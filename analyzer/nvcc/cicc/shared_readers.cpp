#include "nvcc/cicc/shared_readers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "nvcc/facts/machine.h"

namespace smem {
namespace {

bool is_read(const llvm::Value &pointer) {
  for (const llvm::Use &use : pointer.uses()) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
    if (store && use.getOperandNo() == store->getPointerOperandIndex())
      continue;
    const bool moves = llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(use.getUser());
    if (!moves || is_read(*use.getUser()))
      return true;
  }
  return false;
}

constexpr llvm::StringRef kReader = "smem_lint.reader";

void add_reader(llvm::Module &module) {
  llvm::Function *reader = nullptr;
  llvm::IRBuilder<> builder(module.getContext());
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != kShared || !variable.hasLocalLinkage() || !is_read(variable))
      continue;
    if (!reader) {
      reader = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false),
                                      llvm::GlobalValue::ExternalLinkage, kReader, module);
      builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", reader));
    }
    builder.CreateLoad(builder.getInt8Ty(), &variable, /*isVolatile=*/true);
  }
  if (reader)
    builder.CreateRetVoid();
}

} // namespace

llvm::PreservedAnalyses AddReader::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  add_reader(module);
  return llvm::PreservedAnalyses::none();
}

void remove_reader(llvm::Module &module) {
  if (llvm::Function *reader = module.getFunction(kReader))
    reader->eraseFromParent();
}

} // namespace smem
