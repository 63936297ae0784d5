#include "nvcc/cicc/partial_redundancy.h"

#include <algorithm>
#include <map>
#include <vector>

#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/value_numbers.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Is there a barrier behind `first` in its block, or before `second` in its? Loads stay on their side of it.
bool waits_between(const llvm::Instruction &first, const llvm::Instruction &second) {
  using Iterator = llvm::BasicBlock::const_iterator;
  const auto any = [](Iterator begin, Iterator end) { return std::any_of(begin, end, is_barrier); };
  return any(first.getIterator(), first.getParent()->end()) || any(second.getParent()->begin(), second.getIterator());
}

/// `__ldg()`, and what `__restrict__` pointers lead to: such loads cross barriers where nothing writes.
bool crosses_barriers(const SourceAccess &access) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
  return load && (load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || is_restricted(*access.pointer));
}

} // namespace

void note_partial_redundancy(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  if (function.size() < 3)
    return;
  // Most functions end here: where an address comes from is found faster than what it is.
  std::map<const llvm::Value *, std::vector<SourceAccess>> by_object;
  for (const SourceAccess &access : accesses_of(function))
    if (access.location.kind != AccessLocation::Kind::Atomic)
      by_object[llvm::getUnderlyingObject(access.pointer)].push_back(access);
  std::erase_if(by_object, [](const auto &entry) { return entry.second.size() < 2; });
  if (by_object.empty())
    return;
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const auto &post = analyses.getResult<llvm::PostDominatorTreeAnalysis>(function);
  const BarrierRegions regions(function);
  ValueNumbers numbers(function.getDataLayout());
  std::map<const llvm::SCEV *, std::vector<SourceAccess>> by_evolution;
  std::map<ValueNumbers::Number, std::vector<SourceAccess>> by_number;
  for (const auto &[object, accesses] : by_object)
    for (const SourceAccess &access : accesses) {
      by_evolution[evolution.getSCEV(access.pointer)].push_back(access);
      by_number[numbers.of(*access.pointer)].push_back(access);
    }
  const auto note = [&](const std::vector<SourceAccess> &all) {
    for (const SourceAccess &some : all) {
      bool is_kept = false; // in a register, by a store
      for (const SourceAccess &always : all) {
        if (always.location.kind == AccessLocation::Kind::Store)
          continue; // a later one
        const llvm::BasicBlock *branch = some.instruction->getParent(), *behind = always.instruction->getParent();
        if (branch == behind || tree.dominates(branch, behind) || tree.dominates(behind, branch) ||
            !post.dominates(behind, branch) ||
            (!crosses_barriers(some) && (waits_between(*some.instruction, *always.instruction) ||
                                         (some.location.kind == AccessLocation::Kind::Store &&
                                          regions.of(*some.instruction) != regions.of(*always.instruction)))))
          continue;
        if (some.location.kind == AccessLocation::Kind::Load)
          raise_uncertainty(Uncertainty::RedundantAccess, function, some.location);
        else
          is_kept = true;
        raise_uncertainty(Uncertainty::RedundantAccess, function, always.location);
        if (!crosses_barriers(some))
          continue;
        // What is left of the block is not worth a branch, and has no line then.
        for (llvm::Instruction &other : *some.instruction->getParent())
          if (const std::optional<SourceAccess> access = access_of(other);
              access && access->location.kind == AccessLocation::Kind::Store)
            raise_uncertainty(Uncertainty::SourceLine, function, access->location);
      }
      if (!is_kept)
        continue;
      // What was loaded before the branch for it is loaded in either block then.
      for (const SourceAccess &before : all)
        if (before.location.kind == AccessLocation::Kind::Load && tree.dominates(before.instruction, some.instruction))
          raise_uncertainty(Uncertainty::RedundantAccess, function, before.location);
    }
  };
  for (const auto &[address, all] : by_evolution)
    note(all);
  for (const auto &[address, all] : by_number)
    note(all);
}

} // namespace smem
