#include "nvcc/cicc/tail_merging.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <llvm/ADT/SetOperations.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#include "nvcc/uncertainty.h"

namespace smem {

namespace {

/// Where the code that only `way` leads to goes on.
llvm::SmallPtrSet<const llvm::BasicBlock *, 4> ends_of(const llvm::BasicBlock &way, const llvm::DominatorTree &tree) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> ends;
  llvm::SmallVector<llvm::BasicBlock *> own;
  tree.getDescendants(const_cast<llvm::BasicBlock *>(&way), own);
  for (const llvm::BasicBlock *block : own)
    for (const llvm::BasicBlock *to : llvm::successors(block))
      if (!tree.dominates(&way, to))
        ends.insert(to);
  return ends;
}

/// Where a branch leads to code of its own; leaving a loop is not a way of this kind. An else block that several conditions lead to (`if (a && b)`) is one of the last of them, if it goes on where
/// the then block does.
std::vector<const llvm::BasicBlock *> ways_of(const llvm::BasicBlock &block, const llvm::DominatorTree &tree,
                                              const llvm::LoopInfo &loops) {
  const llvm::Loop *loop = loops.getLoopFor(&block);
  const auto goes_on_with = [&](const llvm::BasicBlock *other, const llvm::BasicBlock *way) {
    if (!other->getSinglePredecessor())
      return false;
    const auto ends = ends_of(*other, tree);
    return !ends.empty() && !ends.contains(way) && llvm::set_is_subset(ends, ends_of(*way, tree));
  };
  std::vector<const llvm::BasicBlock *> ways;
  for (const llvm::BasicBlock *way : llvm::successors(&block)) {
    if (loop && (!loop->contains(way) || way == loop->getHeader()))
      continue;
    const bool own =
        way->getSinglePredecessor() ||
        (llvm::succ_size(&block) == 2 && llvm::all_of(llvm::successors(&block), [&](const llvm::BasicBlock *other) {
           return other == way || goes_on_with(other, way);
         }));
    if (own)
      ways.push_back(way);
  }
  return ways;
}

using Sort = std::pair<AccessLocation::Kind, bool>;

Sort sort_of(const SourceAccess &access) { return {access.location.kind, access.shared}; }

constexpr llvm::StringRef kTail = "smem_lint.tail";

} // namespace

void mark_equal_tails(llvm::Function &function) {
  const auto jumps = [](const llvm::BasicBlock *block) {
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    return branch && branch->isUnconditional();
  };
  for (llvm::BasicBlock &block : function)
    if (llvm::pred_size(&block) > 1 && llvm::all_of(llvm::predecessors(&block), jumps))
      for (llvm::BasicBlock *from : llvm::predecessors(&block))
        from->getTerminator()->setMetadata(kTail, llvm::MDNode::get(function.getContext(), {}));
}

bool may_have_equal_tail(const llvm::BasicBlock &block) { return block.getTerminator()->hasMetadata(kTail); }

void NoteDroppedTails::before(llvm::Function &function) {
  const auto branches = [](const llvm::BasicBlock &block) { return llvm::succ_size(&block) == 2; };
  if (llvm::none_of(function, branches))
    return;
  const llvm::DominatorTree tree(function);
  const llvm::LoopInfo loops(tree);
  const std::vector<SourceAccess> accesses = accesses_of(function);
  for (const llvm::BasicBlock &block : function) {
    const std::vector<const llvm::BasicBlock *> ways = ways_of(block, tree, loops);
    if (ways.size() != 2)
      continue;
    Sides sides;
    for (const SourceAccess &access : accesses)
      for (const unsigned way : {0, 1})
        if (tree.dominates(ways[way], access.instruction->getParent()))
          sides[way].push_back(access);
    if (!sides[0].empty() && !sides[1].empty())
      branches_.push_back(std::move(sides));
  }
}

void NoteDroppedTails::after(llvm::Function &function, const llvm::PreservedAnalyses &preserved) {
  if (branches_.empty() || preserved.areAllPreserved())
    return;
  // What is gone is known by its address alone: the pass makes no access that could have it now.
  llvm::SmallPtrSet<const llvm::Instruction *, 32> left;
  for (const SourceAccess &access : accesses_of(function, /*without_location=*/true))
    left.insert(access.instruction);
  for (const Sides &sides : branches_)
    for (const unsigned way : {0, 1}) {
      std::map<Sort, bool> others; ///< whether one is left
      for (const SourceAccess &other : sides[1 - way])
        others[sort_of(other)] |= left.contains(other.instruction);
      for (const SourceAccess &access : sides[way])
        if (const auto like = others.find(sort_of(access));
            like != others.end() && !like->second && left.contains(access.instruction))
          raise_uncertainty(Uncertainty::TailMerging, function, access.location);
    }
}

void note_equal_tails(llvm::Function &function, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops) {
  tree.updateDFSNumbers();
  const auto number = [&](const SourceAccess &access) {
    return tree.getNode(access.instruction->getParent())->getDFSNumIn();
  };
  std::vector<SourceAccess> accesses = accesses_of(function);
  std::erase_if(accesses, [&](const SourceAccess &access) { return !tree.getNode(access.instruction->getParent()); });
  std::ranges::stable_sort(accesses, {}, number); // what a way dominates is one part of them
  for (const llvm::BasicBlock &block : function) {
    if (!tree.getNode(&block))
      continue;
    const std::vector<const llvm::BasicBlock *> ways = ways_of(block, tree, loops);
    if (ways.size() < 2)
      continue;
    std::vector<std::pair<const SourceAccess *, const llvm::BasicBlock *>> inside;
    std::set<std::pair<Sort, const llvm::BasicBlock *>> found;
    for (const llvm::BasicBlock *way : ways) {
      const auto *node = tree.getNode(way);
      const auto first = std::ranges::lower_bound(accesses, node->getDFSNumIn(), {}, number);
      for (const SourceAccess &access :
           std::ranges::subrange(first, std::ranges::upper_bound(accesses, node->getDFSNumOut(), {}, number))) {
        inside.emplace_back(&access, way);
        found.insert({sort_of(access), way});
      }
    }
    for (const auto &[access, way] : inside)
      if (llvm::any_of(ways, [&, own = way, sort = sort_of(*access)](const llvm::BasicBlock *other) {
            return other != own && found.count({sort, other});
          }))
        raise_uncertainty(Uncertainty::TailMerging, function, access->location);
  }
}

} // namespace smem
