#include "nvcc/cicc/repeated_stores.h"

#include <map>
#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/place.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Functions of the module are inlined yet, and few wait.
bool may_wait(const llvm::Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](const llvm::Instruction &instruction) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      return call && call->isConvergent() && (!callee || callee->isDeclaration());
    });
  });
}

/// Does nothing in the address change from one iteration of `outer` to the next?
bool repeats(const llvm::SCEV *address, const llvm::Loop &outer) {
  return !llvm::SCEVExprContains(address, [&](const llvm::SCEV *part) {
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
      return recurrence->getLoop() == &outer;
    const auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    const auto *value = unknown ? llvm::dyn_cast<llvm::Instruction>(unknown->getValue()) : nullptr;
    return value && outer.contains(value);
  });
}

constexpr llvm::StringRef kStoresInNests = "smem_lint.stores_in_nests"; // places, and how deep they are

bool touches_memory(const llvm::BasicBlock &block, const llvm::Instruction *but = nullptr) {
  return llvm::any_of(block, [&](const llvm::Instruction &instruction) {
    return &instruction != but && !instruction.isDebugOrPseudoInst() && instruction.mayReadOrWriteMemory();
  });
}

/// Does a loop make the store under a condition, always to one address, and access nothing else?
bool repeats_under_condition(const SourceAccess &access, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                             llvm::ScalarEvolution &evolution) {
  const llvm::BasicBlock *own = access.instruction->getParent();
  const llvm::Loop *loop = loops.getLoopFor(own);
  if (!loop || !evolution.isLoopInvariant(evolution.getSCEV(access.pointer), loop) ||
      llvm::any_of(loop->blocks(),
                   [&](const llvm::BasicBlock *block) { return touches_memory(*block, access.instruction); }))
    return false;
  const llvm::BasicBlock *latch = loop->getLoopLatch();
  return !latch || !tree.dominates(own, latch);
}

/// Two stores and more in blocks of their own, with nothing that accesses memory in what leads from one to the next.
bool follow_each_other(const std::vector<const SourceAccess *> &stores) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> blocks;
  for (const SourceAccess *store : stores)
    if (!blocks.insert(store->instruction->getParent()).second ||
        touches_memory(*store->instruction->getParent(), store->instruction))
      return false;
  return stores.size() > 1 && llvm::all_of(llvm::drop_begin(stores), [&](const SourceAccess *store) {
           return llvm::all_of(
               llvm::predecessors(store->instruction->getParent()),
               [&](const llvm::BasicBlock *before) { return blocks.contains(before) || !touches_memory(*before); });
         });
}

} // namespace

void remember_nests(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    const llvm::DominatorTree tree(function);
    const llvm::LoopInfo loops(tree);
    for (const SourceAccess &access : accesses_of(function))
      if (const unsigned depth = loops.getLoopDepth(access.instruction->getParent());
          depth >= 2 && access.location.kind == AccessLocation::Kind::Store)
        module.getOrInsertNamedMetadata(kStoresInNests)
            ->addOperand(llvm::MDNode::get(
                context, {place_of(*access.location.debug_loc), llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                                                    llvm::Type::getInt32Ty(context), depth))}));
  }
}

void note_stores_out_of_nests(llvm::Function &kernel, const llvm::LoopInfo &loops) {
  const llvm::NamedMDNode *table = kernel.getParent()->getNamedMetadata(kStoresInNests);
  if (!table)
    return;
  struct Place {
    unsigned depth = 0;
    const llvm::Value *pointer = nullptr; ///< of all its stores
    bool differ = false;                  ///< they have several, as those of an unrolled loop
  };
  llvm::DenseMap<const llvm::Metadata *, Place> places;
  for (const llvm::MDNode *node : table->operands())
    places[node->getOperand(0)].depth =
        static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(1))->getZExtValue());
  const auto find = [&](const SourceAccess &access) {
    return access.location.kind == AccessLocation::Kind::Store ? places.find(place_of(*access.location.debug_loc))
                                                               : places.end();
  };
  const std::vector<SourceAccess> accesses = accesses_of(kernel);
  for (const SourceAccess &access : accesses)
    if (const auto known = find(access); known != places.end()) {
      known->second.differ |= known->second.pointer && known->second.pointer != access.pointer;
      known->second.pointer = access.pointer;
    }
  for (const SourceAccess &access : accesses)
    if (const auto known = find(access); known != places.end() && !known->second.differ &&
                                         known->second.depth >= loops.getLoopDepth(access.instruction->getParent()) + 2)
      raise_uncertainty(Uncertainty::RedundantAccess, kernel, access.location);
}

void note_repeated_stores(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (llvm::all_of(loops, [](const llvm::Loop *loop) { return loop->isInnermost(); }))
    return;
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (const SourceAccess &access : accesses_of(function)) {
    const llvm::Loop *inner = loops.getLoopFor(access.instruction->getParent());
    if (access.location.kind != AccessLocation::Kind::Store || !inner)
      continue;
    const llvm::SCEV *address = evolution.getSCEV(access.pointer);
    for (const llvm::Loop *outer = inner->getParentLoop(); outer && evolution.getSmallConstantTripCount(inner);
         inner = outer, outer = outer->getParentLoop())
      if (repeats(address, *outer) && !may_wait(*outer))
        raise_uncertainty(Uncertainty::RedundantAccess, function, access.location);
  }
}

std::vector<SourceAccess> stores_made_one(std::span<const SourceAccess> accesses, const llvm::DominatorTree &tree,
                                          const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution) {
  std::map<std::pair<const llvm::Metadata *, const llvm::SCEV *>, std::vector<const SourceAccess *>> places;
  std::vector<SourceAccess> found;
  for (const SourceAccess &access : accesses) {
    if (access.location.kind != AccessLocation::Kind::Store || !access.location.known())
      continue;
    places[{place_of(*access.location.debug_loc), evolution.getSCEV(access.pointer)}].push_back(&access);
    if (repeats_under_condition(access, tree, loops, evolution))
      found.push_back(access);
  }
  for (const auto &[place, stores] : places)
    if (follow_each_other(stores))
      for (const SourceAccess *store : stores)
        found.push_back(*store);
  return found;
}

} // namespace smem
