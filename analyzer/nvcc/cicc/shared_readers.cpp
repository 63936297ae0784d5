#include "nvcc/cicc/shared_readers.h"

#include <algorithm>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "nvcc/facts/machine.h"
#include "nvcc/uncertainty.h"

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

/// The function that reads all of `variables`, of which it may read some already.
void add_reader(llvm::Module &module, llvm::ArrayRef<llvm::GlobalVariable *> variables) {
  if (variables.empty())
    return;
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Function *reader = module.getFunction(kReader);
  if (!reader) {
    reader = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false),
                                    llvm::GlobalValue::ExternalLinkage, kReader, module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", reader));
    builder.CreateRetVoid();
  }
  builder.SetInsertPoint(reader->getEntryBlock().getTerminator());
  for (llvm::GlobalVariable *variable : variables)
    builder.CreateLoad(builder.getInt8Ty(), variable, /*isVolatile=*/true);
}

bool is_own_shared(const llvm::GlobalVariable &variable) {
  return variable.getAddressSpace() == kShared && variable.hasLocalLinkage();
}

/// Adds the loads through `pointer`; false if it is used otherwise.
bool add_loads(llvm::Value &pointer, std::vector<llvm::LoadInst *> &loads) {
  return llvm::all_of(pointer.users(), [&](llvm::User *user) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      loads.push_back(load);
      return load->isSimple();
    }
    return llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user) && add_loads(*user, loads);
  });
}

void read_unwritten(llvm::Module &module) {
  std::vector<llvm::GlobalVariable *> read;
  for (llvm::GlobalVariable &variable : module.globals()) {
    std::vector<llvm::LoadInst *> loads;
    if (!is_own_shared(variable) || !add_loads(variable, loads))
      continue;
    const auto known = [&](const llvm::LoadInst *load) {
      llvm::APInt offset(module.getDataLayout().getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
      return load->getPointerOperand()->stripAndAccumulateConstantOffsets(module.getDataLayout(), offset, true) ==
             &variable;
    };
    const auto rest = std::partition(loads.begin(), loads.end(), known);
    if (rest == loads.end())
      continue;
    read.push_back(&variable);
    // In a loop they are all alike: no barrier changes what nothing writes.
    std::for_each(rest, loads.end(), [](llvm::LoadInst *load) {
      raise_uncertainty(Uncertainty::LoopInvariantAccess, *load->getFunction(),
                        {AccessLocation::Kind::Load, load->getDebugLoc().get()});
    });
    for (auto load = loads.begin(); load != rest; ++load) {
      (*load)->replaceAllUsesWith(llvm::UndefValue::get((*load)->getType()));
      (*load)->eraseFromParent();
    }
  }
  add_reader(module, read);
}

} // namespace

llvm::PreservedAnalyses AddReader::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  std::vector<llvm::GlobalVariable *> read;
  for (llvm::GlobalVariable &variable : module.globals())
    if (is_own_shared(variable) && is_read(variable))
      read.push_back(&variable);
  add_reader(module, read);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ReadUnwritten::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  read_unwritten(module);
  return llvm::PreservedAnalyses::none();
}

void remove_reader(llvm::Module &module) {
  if (llvm::Function *reader = module.getFunction(kReader))
    reader->eraseFromParent();
}

} // namespace smem
