#include "nvcc/facts/memory_order.h"

#include <algorithm>
#include <iterator>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace smem::lower {
namespace {

/// Inline PTX that is about registers, `asm volatile` or not: to ptxas the statement is not there, only what it says.
bool is_computing_ptx(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!assembly)
    return false;
  const llvm::StringRef text = assembly->getAsmString();
  constexpr const char *others[] = {"[",         "sync",       "bar",     "fence", "exit",   "trap",
                                    "call",      "bra",        "vote",    "shfl",  "clock",  "globaltimer",
                                    "nanosleep", "setmaxnreg", "griddep", "brkpt", "pmevent"};
  return std::none_of(std::begin(others), std::end(others), [&](const char *other) { return text.contains(other); });
}

} // namespace

bool orders_memory(const llvm::Instruction &instruction) {
  if (is_computing_ptx(instruction))
    return false;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return false;
  return instruction.mayReadOrWriteMemory();
}

} // namespace smem::lower
