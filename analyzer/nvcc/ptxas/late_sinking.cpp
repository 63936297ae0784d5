#include "nvcc/ptxas/late_sinking.h"

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/between.h"
#include "nvcc/facts/memory_order.h"
#include "nvcc/facts/read_only_memory.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

/// The block that leads to all that uses `value`, directly or by arithmetic with it in its own block, which moves with it.
const llvm::BasicBlock *used_below(const llvm::Instruction &value, const llvm::DominatorTree &tree) {
  const llvm::BasicBlock *common = nullptr;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> seen{&value};
  std::vector<const llvm::Instruction *> open{&value};
  while (!open.empty()) {
    const llvm::Instruction *next = open.back();
    open.pop_back();
    for (const llvm::Use &use : next->uses()) {
      const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      const llvm::BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block == value.getParent()) {
        if (phi || user->mayReadOrWriteMemory() || user->isTerminator())
          return nullptr;
        if (seen.insert(user).second)
          open.push_back(user);
      } else {
        common = common ? tree.findNearestCommonDominator(common, block) : block;
      }
    }
  }
  return common;
}

/// Do branches hand `value` on, and nothing that all lanes come to uses it (`S s = in[t]; if (c) x = next(&s); … if (d) x += next(&s);`)? A loop's counterparts of it count as used before the loop.
bool is_handed_on(const llvm::Instruction &value, const llvm::DominatorTree &tree, const llvm::PostDominatorTree &post,
                  const llvm::LoopInfo &loops) {
  bool handed_on = false;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> seen{&value};
  std::vector<const llvm::Instruction *> open{&value};
  while (!open.empty()) {
    const llvm::Instruction *next = open.back();
    open.pop_back();
    for (const llvm::Use &use : next->uses()) {
      const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      const bool begins_loop = phi && loops.isLoopHeader(phi->getParent());
      const llvm::BasicBlock *block = begins_loop ? phi->getIncomingBlock(use) : user->getParent();
      const bool moves = !user->mayReadOrWriteMemory() && !user->isTerminator();
      if (!begins_loop && (phi || (moves && block == value.getParent()))) {
        handed_on |= phi != nullptr;
        if (seen.insert(user).second)
          open.push_back(user);
      } else if (post.dominates(block, value.getParent()) || !tree.dominates(value.getParent(), block)) {
        return false;
      }
    }
  }
  return handed_on;
}

/// Does nothing but the end of the kernel follow on `block`, once a branch has led there?
bool is_last(const llvm::BasicBlock &block, const llvm::PostDominatorTree &post) {
  const auto *node = post.getNode(&block);
  const auto *behind = node ? node->getIDom() : nullptr;
  const llvm::BasicBlock *next = behind ? behind->getBlock() : nullptr;
  return !next || (llvm::isa<llvm::ReturnInst>(next->getTerminator()) && next->sizeWithoutDebug() == 1);
}

bool keeps_in_place(const llvm::Instruction &between, const SourceAccess &load) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&between))
    return store->getPointerAddressSpace() == llvm::cast<llvm::LoadInst>(load.instruction)->getPointerAddressSpace();
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(between))
    return true;
  return between.mayWriteToMemory() && kept_apart_by(between).loads;
}

/// Such as a shuffle or vote, inline PTX as well, which cicc sinks no load past and ptxas does.
bool passes_loads(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->isConvergent() && !is_barrier_to_loads(instruction);
}

} // namespace

void note_late_sinking(llvm::Function &kernel, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                       const std::vector<SourceAccess> &accesses, const ReadOnlyMemory &read_only) {
  if (kernel.size() < 2)
    return;
  const llvm::PostDominatorTree post(kernel);
  llvm::DenseMap<const llvm::DILocation *, unsigned> loads_at;
  for (const SourceAccess &access : accesses)
    if (access.location.kind == AccessLocation::Kind::Load && access.location.debug_loc)
      ++loads_at[access.location.debug_loc];
  for (const SourceAccess &access : accesses) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
    if (!load || load->isVolatile())
      continue;
    if (is_handed_on(*load, tree, post, loops)) {
      raise_uncertainty(Uncertainty::LoadSinking, kernel, access.location);
      continue;
    }
    const llvm::BasicBlock *target = used_below(*load, tree);
    if (!target || target == load->getParent() || post.dominates(target, load->getParent()))
      continue;
    const auto between = [&](auto &&is_one) { return any_between(*load, target->front(), is_one); };
    // Fields of a structure are loaded one by one only when the model's cicc has sunk what it sinks.
    const bool is_field = loads_at.lookup(access.location.debug_loc) > 1;
    if (read_only.crosses_barriers(access) ||
        ((is_field || is_last(*target, post) || between(passes_loads)) &&
         !between([&](const llvm::Instruction &each) { return keeps_in_place(each, access); })))
      raise_uncertainty(Uncertainty::LoadSinking, kernel, access.location);
  }
}

} // namespace smem::lower
