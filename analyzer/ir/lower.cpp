#include "ir/lower.h"

#include <algorithm>
#include <vector>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "nvcc/facts/kernels.h"
#include "nvcc/pipeline.h"
#include "ir/kernel_lowering.h"
#include "program/slice.h"

namespace smem {
namespace {

/// `asm("exit;")` ends the thread: as the kernel's own return does, once its callees are part of it.
void end_at_exit(llvm::Function &kernel) {
  std::vector<llvm::CallInst *> exits;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
        if (const llvm::StringRef text = llvm::StringRef(assembly->getAsmString()).trim();
            (text == "exit;" || text == "ret;") && (exits.empty() || exits.back()->getParent() != call->getParent()))
          exits.push_back(call); // the first of its block: what follows goes with it
  for (llvm::CallInst *call : exits) {
    llvm::BasicBlock *block = call->getParent();
    llvm::changeToUnreachable(call);
    block->getTerminator()->eraseFromParent();
    llvm::ReturnInst::Create(kernel.getContext(), block);
  }
  if (!exits.empty())
    llvm::removeUnreachableBlocks(kernel);
}

} // namespace

namespace {

bool calls_through_pointers(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && !call->isInlineAsm() && !call->getCalledFunction();
    });
  });
}

/// Without the other kernels, and without the functions that have no caller then; all of them where these may say what a pointer is to.
void keep_kernels(llvm::Module &module, const std::set<std::string> &kernels) {
  if (calls_through_pointers(module))
    return;
  std::set<const llvm::Function *> kept;
  for (llvm::Function *kernel : kernels_of(module))
    if (kernels.contains(kernel->getName().str()))
      kept.insert(kernel);
    else
      kernel->deleteBody();
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (!function.isDeclaration() && function.use_empty() && !kept.contains(&function)) {
        function.eraseFromParent();
        changed = true;
      }
  }
}

std::vector<Program> lower_kernels(llvm::Module &module, const SourceIndex &index, const LowerOptions &options,
                                   const CompilerRules &rules, lower::Keep keep, ArithmeticOfKernels *arithmetic) {
  lower::Locations locations(options);
  std::vector<Program> programs;
  for (llvm::Function *kernel : kernels_of(module)) {
    if (options.stop.stop_requested())
      break;
    end_at_exit(*kernel);
    lower::KernelLowering lowering(*kernel, index, locations, rules);
    programs.push_back(lowering.run());
    if (arithmetic)
      if (KernelArithmetic found = lowering.arithmetic(programs.back()); !found.empty())
        arithmetic->emplace(programs.back().mangled, std::move(found));
    lower::slice(programs.back(), keep);
  }
  return programs;
}

} // namespace

std::vector<Program> lower_module(llvm::Module &module, const SourceIndex &index, const LowerOptions &options,
                                  const CompilerRules &rules, ArithmeticOfKernels *arithmetic) {
  shape_kernels(module, rules, options.stop);
  return lower_kernels(module, index, options, rules, lower::Keep::Counts, arithmetic);
}

std::vector<Program> lower_source_module(llvm::Module &module, const std::set<std::string> &kernels,
                                         const SourceIndex &index, const LowerOptions &options,
                                         const CompilerRules &rules) {
  keep_kernels(module, kernels);
  shape_source_kernels(module, rules, options.whole_program, options.stop);
  return lower_kernels(module, index, options, rules, lower::Keep::Order, nullptr);
}

} // namespace smem
