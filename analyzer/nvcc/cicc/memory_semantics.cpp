#include "nvcc/cicc/memory_semantics.h"

#include <algorithm>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/machine.h"

namespace smem {

void forget_types(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa_struct, nullptr);
    }
}

void relax_atomics(llvm::Module &module) {
  constexpr auto relaxed = llvm::AtomicOrdering::Monotonic;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        atomic->setOrdering(relaxed);
      } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        exchange->setSuccessOrdering(relaxed);
        exchange->setFailureOrdering(relaxed);
      }
}

void free_computing_ptx(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!assembly || assembly->hasSideEffects() || !call->doesNotAccessMemory() ||
          llvm::StringRef(assembly->getAsmString()).contains(".sync"))
        continue;
      call->removeFnAttr(llvm::Attribute::Convergent);
      call->addFnAttr(llvm::Attribute::WillReturn);
    }
}

void keep_vector_atomics(llvm::Module &module) {
  for (llvm::Function &function : module) {
    const llvm::DISubprogram *source = function.getSubprogram();
    if (!source || !source->getFilename().ends_with("__clang_cuda_intrinsics.h"))
      continue;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!assembly || assembly->hasSideEffects() || !llvm::StringRef(assembly->getAsmString()).starts_with("atom."))
        continue;
      call->setCalledOperand(llvm::InlineAsm::get(assembly->getFunctionType(), assembly->getAsmString(),
                                                  assembly->getConstraintString(), /*hasSideEffects=*/true));
      call->removeFnAttr(llvm::Attribute::Memory);
    }
  }
}

void align_dynamic_shared(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.isDeclaration() && variable.getAddressSpace() == kShared)
      variable.setAlignment(std::max(llvm::Align(kWidestAccess), variable.getAlign().valueOrOne()));
}

} // namespace smem
