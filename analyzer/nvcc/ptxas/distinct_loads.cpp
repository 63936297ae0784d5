#include "nvcc/ptxas/distinct_loads.h"

#include <map>
#include <set>
#include <string>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "nvcc/access_record.h"

namespace smem::lower {
namespace {

/// A function that does no more than to read what its argument leads to: equal calls are one, as equal loads are.
llvm::Function *reader_like(const llvm::LoadInst &load) {
  auto *type = llvm::FunctionType::get(load.getType(), {load.getPointerOperandType()}, /*isVarArg=*/false);
  auto *reader = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "smem_lint.load",
                                        *const_cast<llvm::Module *>(load.getModule()));
  reader->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
  reader->setDoesNotThrow();
  reader->setWillReturn();
  reader->setNoSync();
  reader->addParamAttr(0, llvm::Attribute::NoCapture);
  return reader;
}

} // namespace

DistinctLoads::DistinctLoads(llvm::Function &kernel) {
  std::vector<llvm::LoadInst *> loads;
  std::map<const llvm::Value *, std::set<std::string>> operators; // of the loads of an object that has any
  std::map<const llvm::LoadInst *, std::string> of_load;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      loads.push_back(load);
      if (const std::string cache = record_of(*load).cache; !cache.empty()) {
        of_load[load] = cache;
        operators[llvm::getUnderlyingObject(load->getPointerOperand())].insert(cache);
      }
    }
  if (operators.empty())
    return;
  for (const llvm::LoadInst *load : loads)
    if (const auto found = operators.find(llvm::getUnderlyingObject(load->getPointerOperand()));
        found != operators.end())
      found->second.insert(of_load[load]);
  std::map<std::tuple<std::string, llvm::Type *, llvm::Type *>, llvm::Function *> readers;
  for (llvm::LoadInst *load : loads) {
    const std::string &cache = of_load[load];
    if (cache.empty() || operators[llvm::getUnderlyingObject(load->getPointerOperand())].size() < 2)
      continue;
    llvm::Function *&reader = readers[{cache, load->getType(), load->getPointerOperandType()}];
    if (!reader)
      readers_.push_back(reader = reader_like(*load));
    llvm::CallInst *call = llvm::IRBuilder<>(load).CreateCall(reader, {load->getPointerOperand()});
    call->copyMetadata(*load);
    call->addParamAttr(0, llvm::Attribute::getWithAlignment(call->getContext(), load->getAlign()));
    load->replaceAllUsesWith(call);
    load->eraseFromParent();
  }
}

DistinctLoads::~DistinctLoads() {
  for (llvm::Function *reader : readers_) {
    while (!reader->use_empty()) {
      auto *call = llvm::cast<llvm::CallInst>(reader->user_back());
      llvm::LoadInst *load = llvm::IRBuilder<>(call).CreateAlignedLoad(call->getType(), call->getArgOperand(0),
                                                                       call->getParamAlign(0).valueOrOne());
      load->copyMetadata(*call);
      call->replaceAllUsesWith(load);
      call->eraseFromParent();
    }
    reader->eraseFromParent();
  }
}

} // namespace smem::lower
