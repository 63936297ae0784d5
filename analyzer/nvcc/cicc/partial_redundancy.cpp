#include "nvcc/cicc/partial_redundancy.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/read_only_memory.h"
#include "nvcc/facts/value_numbers.h"
#include "nvcc/ptxas/address_offset.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Is there a barrier behind `first` in its block, or before `second` in its? Loads stay on their side of it.
bool waits_between(const llvm::Instruction &first, const llvm::Instruction &second) {
  using Iterator = llvm::BasicBlock::const_iterator;
  const auto any = [](Iterator begin, Iterator end) { return std::any_of(begin, end, is_barrier); };
  return any(first.getIterator(), first.getParent()->end()) || any(second.getParent()->begin(), second.getIterator());
}

/// What a pointer leads into; of one that a loop moves, what it began in.
const llvm::Value *object_of(const llvm::Value &pointer) {
  const llvm::Value *object = llvm::getUnderlyingObject(&pointer);
  if (const auto *moved = llvm::dyn_cast<llvm::PHINode>(object))
    for (const llvm::Use &from : moved->incoming_values())
      if (const llvm::Value *before = llvm::getUnderlyingObject(from); before != moved)
        return before;
  return object;
}

/// An access, or that of one iteration of a loop that may become straight code.
struct Place {
  SourceAccess access;
  const llvm::BasicBlock *block = nullptr; ///< of such a loop the first one, which is entered once at least
};

using Address = std::pair<const llvm::SCEV *, const llvm::SCEV *>; ///< a base and an offset of 32 bits

/// Where an access leads to, and in each iteration of the innermost loop around it where their number is known.
std::vector<std::pair<Address, Place>> places_of(const SourceAccess &access, const llvm::LoopInfo &loops,
                                                 llvm::ScalarEvolution &evolution, const CompilerRules &rules) {
  const auto [base, offset] = base_and_offset(*access.pointer, evolution);
  const llvm::BasicBlock *block = access.instruction->getParent();
  std::vector<std::pair<Address, Place>> places{{{base, offset}, {access, block}}};
  const auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(offset);
  const llvm::Loop *loop = loops.getLoopFor(block);
  const unsigned trips =
      steps && steps->getLoop() == loop && steps->isAffine() ? evolution.getSmallConstantTripCount(loop) : 0;
  for (unsigned i = 0; i < trips && trips <= rules.full_unroll_size; ++i)
    places.push_back({{base, steps->evaluateAtIteration(evolution.getConstant(offset->getType(), i), evolution)},
                      {access, loop->getHeader()}});
  return places;
}

} // namespace

void note_partial_redundancy(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                             const CompilerRules &rules) {
  if (function.size() < 3)
    return;
  // Most functions end here: where an address comes from is found faster than what it is.
  std::map<const llvm::Value *, std::vector<SourceAccess>> by_object;
  std::vector<SourceAccess> loads;
  for (const SourceAccess &access : accesses_of(function)) {
    if (access.location.kind != AccessLocation::Kind::Atomic)
      by_object[object_of(*access.pointer)].push_back(access);
    if (access.location.kind == AccessLocation::Kind::Load)
      loads.push_back(access);
  }
  std::erase_if(by_object, [](const auto &entry) { return entry.second.size() < 2; });
  if (by_object.empty())
    return;
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const auto &post = analyses.getResult<llvm::PostDominatorTreeAnalysis>(function);
  const BarrierRegions regions(function);
  const ReadOnlyMemory read_only(function);
  ValueNumbers numbers(function.getDataLayout());
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  std::map<Address, std::vector<Place>> by_evolution;
  std::map<ValueNumbers::Number, std::vector<Place>> by_number;
  for (const auto &[object, accesses] : by_object)
    for (const SourceAccess &access : accesses) {
      for (const auto &[address, place] : places_of(access, loops, evolution, rules))
        by_evolution[address].push_back(place);
      by_number[numbers.of(*access.pointer)].push_back({access, access.instruction->getParent()});
    }
  // Before the branch the load has no line: it is counted on the last one that there was.
  const auto note_receiver = [&](const SourceAccess &hoisted) {
    const SourceAccess *nearest = nullptr;
    for (const SourceAccess &load : loads) { // in the order of the code
      if (load.instruction == hoisted.instruction)
        break;
      if (load.shared == hoisted.shared && load.instruction->getParent() != hoisted.instruction->getParent())
        nearest = &load;
    }
    if (nearest)
      raise_uncertainty(Uncertainty::SourceLine, function, nearest->location);
  };
  const auto note = [&](const std::vector<Place> &all) {
    for (const auto &[some, branch] : all) {
      const bool crosses_barriers =
          some.location.kind == AccessLocation::Kind::Load && read_only.crosses_barriers(some);
      bool is_hoisted = false;
      bool is_kept = false; // in a register, by a store
      for (const auto &[always, behind] : all) {
        if (always.location.kind == AccessLocation::Kind::Store)
          continue; // a later one
        if (branch == behind || tree.dominates(branch, behind) || tree.dominates(behind, branch) ||
            !post.dominates(behind, branch) ||
            (!crosses_barriers && (waits_between(*some.instruction, *always.instruction) ||
                                   (some.location.kind == AccessLocation::Kind::Store &&
                                    regions.of(*some.instruction) != regions.of(*always.instruction)))))
          continue;
        if (some.location.kind == AccessLocation::Kind::Load) {
          raise_uncertainty(Uncertainty::RedundantAccess, function, some.location);
          is_hoisted = true;
        } else {
          is_kept = true;
        }
        raise_uncertainty(Uncertainty::RedundantAccess, function, always.location);
        if (!crosses_barriers)
          continue;
        // What is left of the block is not worth a branch, and has no line then.
        for (llvm::Instruction &other : *some.instruction->getParent())
          if (const std::optional<SourceAccess> access = access_of(other);
              access && access->location.kind == AccessLocation::Kind::Store)
            raise_uncertainty(Uncertainty::SourceLine, function, access->location);
      }
      if (is_hoisted)
        note_receiver(some);
      if (!is_kept)
        continue;
      // What was loaded before the branch for it is loaded in either block then.
      for (const auto &[before, block] : all)
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
