#include "nvcc/ptxas/dead_inline_ptx.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ptx/ptx_parser.h"

namespace smem::lower {
namespace {

/// What does nothing but compute its result.
constexpr std::array<std::string_view, 34> kPure{"ld",  "ldmatrix", "mma",  "mov", "cvt",  "cvta", "add",  "sub", "mul",
                                                 "mad", "fma",      "div",  "min", "max",  "neg",  "abs",  "shl", "shr",
                                                 "and", "or",       "xor",  "not", "lop3", "prmt", "shf",  "bfe", "bfi",
                                                 "sad", "setp",     "selp", "ex2", "lg2",  "rcp",  "rsqrt"};

/// Accesses that happen whether or not their result is used.
constexpr std::array<std::string_view, 4> kKept{"volatile", "relaxed", "acquire", "mmio"};

bool is_pure(const ptx::Instruction &instruction) {
  return std::find(kPure.begin(), kPure.end(), instruction.opcode[0]) != kPure.end() &&
         std::none_of(kKept.begin(), kKept.end(), [&](std::string_view word) { return instruction.has(word); });
}

bool only_computes(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!assembly || call->getType()->isVoidTy())
    return false;
  const llvm::InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
  if (llvm::any_of(constraints,
                   [](const llvm::InlineAsm::ConstraintInfo &constraint) { return constraint.isIndirect; }))
    return false;
  const ptx::Statement statement = ptx::parse(assembly->getAsmString());
  return !statement.branches && statement.not_understood.empty() &&
         std::all_of(statement.instructions.begin(), statement.instructions.end(), is_pure);
}

} // namespace

void drop_unused_ptx(llvm::Function &kernel) {
  std::vector<llvm::CallInst *> statements;
  llvm::SmallPtrSet<const llvm::Instruction *, 32> used;
  std::vector<const llvm::Instruction *> work;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (only_computes(instruction))
      statements.push_back(llvm::cast<llvm::CallInst>(&instruction));
    else if ((instruction.mayHaveSideEffects() || instruction.isTerminator()) && used.insert(&instruction).second)
      work.push_back(&instruction);
  if (statements.empty())
    return;
  while (!work.empty()) {
    const llvm::Instruction *next = work.back();
    work.pop_back();
    for (const llvm::Value *operand : next->operands())
      if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
          instruction && used.insert(instruction).second)
        work.push_back(instruction);
  }
  for (llvm::CallInst *statement : statements)
    if (!used.count(statement)) {
      statement->replaceAllUsesWith(llvm::PoisonValue::get(statement->getType()));
      statement->eraseFromParent();
    }
}

} // namespace smem::lower
