#include "nvcc/ptxas/waiting_loops.h"

#include <optional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/special_registers.h"

namespace smem::lower {
namespace {

/// One value for a warp, as far as its computation shows without phis and memory.
bool is_shared_by_lanes(const llvm::Value *value) {
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  llvm::SmallVector<const llvm::Value *, 16> work{value};
  while (!work.empty()) {
    const llvm::Value *next = work.pop_back_val();
    if (llvm::isa<llvm::Argument, llvm::GlobalValue>(next) || !seen.insert(next).second)
      continue;
    const auto *user = llvm::dyn_cast<llvm::User>(next);
    const auto *read = llvm::dyn_cast<llvm::IntrinsicInst>(next);
    const std::optional<SpecialRegister> reg = read ? special_register_of(read->getIntrinsicID()) : std::nullopt;
    const bool is_of_block = reg && is_same_in_block(*reg);
    const bool computes = llvm::isa<llvm::Constant, llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator,
                                    llvm::CmpInst, llvm::SelectInst>(next);
    if (!user || (!computes && !is_of_block))
      return false;
    work.append(user->value_op_begin(), user->value_op_end());
  }
  return true;
}

/// May it find, in each lane by itself, what another thread writes meanwhile?
bool finds_others(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return true;
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return (load->isVolatile() || load->isAtomic()) && !is_shared_by_lanes(load->getPointerOperand());
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || call->getType()->isVoidTy())
    return false;
  if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
    const llvm::StringRef code = assembly->getAsmString();
    const bool is_ordered =
        code.contains(".volatile") || code.contains(".relaxed") || code.contains(".acquire") || code.contains(".mmio");
    return code.contains("atom.") ||
           (code.contains("ld.") && is_ordered && !llvm::all_of(call->args(), is_shared_by_lanes));
  }
  const llvm::Function *callee = call->getCalledFunction();
  return callee && callee->getName().starts_with("llvm.nvvm.atomic");
}

using Work = llvm::SmallVector<const llvm::Instruction *, 32>;

/// `if (atomicCAS(...) == 0) done = true;`: the branches by which a phi has one of several values.
void add_choices(const llvm::PHINode &phi, const llvm::Loop &loop, const llvm::DominatorTree &tree, Work &work) {
  llvm::BasicBlock *common = nullptr;
  for (llvm::BasicBlock *block : phi.blocks())
    if (loop.contains(block))
      common = common ? tree.findNearestCommonDominator(common, block) : block;
  for (const llvm::BasicBlock *block : phi.blocks())
    for (const llvm::DomTreeNode *node = loop.contains(block) ? tree.getNode(block) : nullptr;
         node && loop.contains(node->getBlock()); node = node->getIDom()) {
      work.push_back(node->getBlock()->getTerminator());
      if (node->getBlock() == common)
        break;
    }
}

bool ends_by_others(const llvm::Loop &loop, const llvm::BasicBlock &exiting, const llvm::DominatorTree &tree) {
  llvm::SmallPtrSet<const llvm::Instruction *, 32> seen;
  Work work{exiting.getTerminator()};
  while (!work.empty()) {
    const llvm::Instruction *instruction = work.pop_back_val();
    if (!seen.insert(instruction).second)
      continue;
    if (finds_others(*instruction))
      return true;
    if (llvm::isa<llvm::LoadInst>(instruction)) // a plain one, wherever it is from
      continue;
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      if (llvm::count_if(phi->blocks(), [&](const llvm::BasicBlock *block) { return loop.contains(block); }) > 1)
        add_choices(*phi, loop, tree, work);
    for (const llvm::Value *operand : instruction->operands())
      if (const auto *from = llvm::dyn_cast<llvm::Instruction>(operand); from && loop.contains(from))
        work.push_back(from);
  }
  return false;
}

} // namespace

std::vector<const llvm::BasicBlock *> waiting_loops(llvm::Function &kernel) {
  const llvm::DominatorTree tree(kernel);
  const llvm::LoopInfo loops(tree);
  std::vector<const llvm::BasicBlock *> headers;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock *> exiting;
    loop->getExitingBlocks(exiting);
    if (llvm::any_of(exiting, [&](const llvm::BasicBlock *block) { return ends_by_others(*loop, *block, tree); }))
      headers.push_back(loop->getHeader());
  }
  return headers;
}

} // namespace smem::lower
