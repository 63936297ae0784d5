#include "nvcc/cicc/load_sinking.h"

#include <vector>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "nvcc/facts/barrier_regions.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

using Instructions = llvm::SmallPtrSet<llvm::Instruction *, 16>;

/// Is a value used in `target` or after it, where nothing leads but through it? What a phi at its head takes is used before it.
bool is_in(const llvm::BasicBlock &target, const llvm::Use &use, const llvm::DominatorTree &tree) {
  const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
  return tree.dominates(&target, phi ? phi->getIncomingBlock(use) : user->getParent());
}

/// Those of `block` that only `target` and each other use, last first. Loads stay before what may write, or at least before barriers.
std::vector<llvm::Instruction *> used_in_target_only(llvm::BasicBlock &block, const llvm::BasicBlock &target,
                                                     const llvm::DominatorTree &tree, bool pass_writes) {
  std::vector<llvm::Instruction *> found;
  Instructions members;
  bool writes_behind = false;
  for (llvm::Instruction &instruction : llvm::reverse(block)) {
    const bool movable =
        !instruction.isTerminator() && !llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) &&
        !instruction.mayHaveSideEffects() &&
        !(instruction.mayReadFromMemory() && (writes_behind || !llvm::isa<llvm::LoadInst>(instruction))) &&
        !instruction.use_empty();
    writes_behind |= pass_writes ? is_barrier(instruction) : instruction.mayWriteToMemory();
    if (!movable)
      continue;
    const bool only_there = llvm::all_of(instruction.uses(), [&](const llvm::Use &use) {
      return members.contains(llvm::cast<llvm::Instruction>(use.getUser())) || is_in(target, use, tree);
    });
    if (!only_there)
      continue;
    members.insert(&instruction);
    found.push_back(&instruction);
  }
  return found;
}

/// `candidates` in groups that have nothing to do with each other.
std::vector<std::vector<llvm::Instruction *>> connected(const std::vector<llvm::Instruction *> &candidates) {
  std::vector<std::vector<llvm::Instruction *>> groups;
  Instructions open(candidates.begin(), candidates.end());
  for (llvm::Instruction *seed : candidates) {
    if (!open.contains(seed))
      continue;
    Instructions group;
    std::vector<llvm::Instruction *> work{seed};
    while (!work.empty()) {
      llvm::Instruction *next = work.back();
      work.pop_back();
      if (!open.erase(next))
        continue;
      group.insert(next);
      for (llvm::Value *operand : next->operands())
        if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand); instruction && open.contains(instruction))
          work.push_back(instruction);
      for (llvm::User *user : next->users())
        if (auto *instruction = llvm::cast<llvm::Instruction>(user); open.contains(instruction))
          work.push_back(instruction);
    }
    std::vector<llvm::Instruction *> &ordered = groups.emplace_back();
    for (llvm::Instruction *candidate : candidates)
      if (group.contains(candidate))
        ordered.push_back(candidate);
  }
  return groups;
}

/// The one value that `instruction` is another form of: shared addresses have 32 bits, and constants go into the access.
const llvm::Value *source_of(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) ||
      (instruction.getOpcode() == llvm::Instruction::Add && llvm::isa<llvm::Constant>(instruction.getOperand(1))))
    return instruction.getOperand(0);
  if (!llvm::isa<llvm::GetElementPtrInst>(instruction))
    return nullptr;
  const llvm::Value *source = nullptr;
  for (const llvm::Value *operand : instruction.operands())
    if (!llvm::isa<llvm::Constant>(operand)) {
      if (source)
        return nullptr;
      source = operand;
    }
  return source;
}

/// How many of `group`, last first, can go into `target` with no more values alive at its beginning than before.
std::size_t how_many(const std::vector<llvm::Instruction *> &group, const llvm::BasicBlock &target,
                     const llvm::DominatorTree &tree) {
  Instructions moved;
  llvm::SmallPtrSet<const llvm::Value *, 16> needed;
  unsigned saved = 0;
  std::size_t best = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    llvm::Instruction *instruction = group[i];
    moved.insert(instruction);
    needed.erase(instruction);
    saved += llvm::any_of(instruction->uses(), [&](const llvm::Use &use) { return is_in(target, use, tree); });
    for (const llvm::Value *operand : instruction->operands()) {
      bool alive = false;
      while (const auto *input = llvm::dyn_cast<llvm::Instruction>(operand)) {
        alive |= llvm::any_of(input->users(), [&](const llvm::User *user) {
          return tree.dominates(&target, llvm::cast<llvm::Instruction>(user)->getParent());
        });
        const llvm::Value *source = source_of(*input);
        if (!source)
          break;
        operand = source;
      }
      if (!alive && llvm::isa<llvm::Instruction>(operand) && !moved.contains(llvm::cast<llvm::Instruction>(operand)))
        needed.insert(operand);
    }
    if (needed.size() <= saved)
      best = i + 1;
  }
  return best;
}

/// Is `target` reached from `block` alone, but for its own iterations?
bool is_then_or_else(const llvm::BasicBlock &target, const llvm::BasicBlock &block, const llvm::DominatorTree &tree) {
  if (&target == &block || (target.getUniquePredecessor() == &block && !target.getSinglePredecessor()))
    return false;
  return llvm::all_of(llvm::predecessors(&target), [&](const llvm::BasicBlock *before) {
    return before == &block || tree.dominates(&target, before);
  });
}

bool sink_into(llvm::BasicBlock &target, llvm::BasicBlock &block, llvm::DominatorTree &tree) {
  for (const llvm::Instruction *candidate : used_in_target_only(block, target, tree, /*pass_writes=*/true))
    if (llvm::isa<llvm::LoadInst>(candidate))
      raise_uncertainty(Uncertainty::LoadSinking, *block.getParent(),
                        {AccessLocation::Kind::Load, candidate->getDebugLoc().get()});
  std::vector<llvm::Instruction *> moving;
  for (const std::vector<llvm::Instruction *> &group :
       connected(used_in_target_only(block, target, tree, /*pass_writes=*/false)))
    moving.insert(moving.end(), group.begin(),
                  group.begin() + static_cast<std::ptrdiff_t>(how_many(group, target, tree)));
  const bool loads =
      llvm::any_of(moving, [](const llvm::Instruction *instruction) { return llvm::isa<llvm::LoadInst>(instruction); });
  const bool entered = target.getSinglePredecessor() == &block;
  if (moving.empty() || (!entered && !loads))
    return false;
  llvm::BasicBlock *to = entered ? &target : llvm::SplitEdge(&block, &target, &tree);
  for (llvm::Instruction *instruction : moving)
    instruction->moveBefore(*to, to->getFirstInsertionPt());
  return true;
}

} // namespace

bool takes_loads(llvm::BasicBlock &target, const llvm::DominatorTree &tree) {
  llvm::BasicBlock *block = target.getSinglePredecessor();
  return block && llvm::any_of(used_in_target_only(*block, target, tree, /*pass_writes=*/false),
                               [](const llvm::Instruction *candidate) { return llvm::isa<llvm::LoadInst>(candidate); });
}

llvm::PreservedAnalyses SinkAsNvcc::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  const llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
  for (llvm::BasicBlock *block : order)
    if (block->getTerminator()->getNumSuccessors() > 1)
      for (llvm::BasicBlock *target : llvm::SmallVector<llvm::BasicBlock *>(llvm::successors(block)))
        if (is_then_or_else(*target, *block, tree))
          changed |= sink_into(*target, *block, tree);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses SinkIntoCases::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  bool changed = false;
  for (llvm::BasicBlock &block : function) {
    if (!llvm::isa<llvm::SwitchInst>(block.getTerminator()))
      continue;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (instruction.mayWriteToMemory())
        break;
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      llvm::Instruction *user = load && load->isSimple() && load->hasOneUse() ? load->user_back() : nullptr;
      if (!user || llvm::isa<llvm::PHINode>(user) || user->getParent()->getSinglePredecessor() != &block)
        continue;
      load->moveBefore(*user->getParent(), user->getParent()->getFirstInsertionPt());
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace smem
