#include "nvcc/cicc/access_history.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "nvcc/cicc/tail_merging.h"
#include "nvcc/cicc/is_pass.h"
#include "nvcc/cicc/partial_redundancy.h"
#include "nvcc/cicc/plain_repeats.h"
#include "nvcc/cicc/selected_addresses.h"
#include "nvcc/cicc/structure_copies.h"
#include "nvcc/cicc/unrolled_alike.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/warp_uniform.h"

namespace smem {

namespace {

/// Passes that make one of accesses that they find to be of one address, by facts that nvcc need not know.
bool combines(llvm::StringRef pass) {
  return is_pass<llvm::GVNPass, llvm::EarlyCSEPass, llvm::DSEPass, llvm::InstCombinePass, llvm::LICMPass,
                 llvm::MemCpyOptPass>(pass);
}

/// Passes that put an access where there was none, to make another unnecessary.
bool inserts(llvm::StringRef pass) { return is_pass<llvm::GVNPass, llvm::LICMPass>(pass); }

/// Passes that make several of one where a branch is known to go another way each time.
bool duplicates(llvm::StringRef pass) { return is_pass<llvm::JumpThreadingPass, llvm::SimplifyCFGPass>(pass); }

/// Whether an address is made of a number that a loop changes.
bool moves_in_loop(const llvm::Value &value, unsigned depth = 0) {
  constexpr unsigned kDeepest = 10; ///< operations
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth == kDeepest || instruction->mayReadOrWriteMemory())
    return false;
  return llvm::isa<llvm::PHINode>(instruction) ||
         llvm::any_of(instruction->operands(),
                      [&](const llvm::Value *operand) { return moves_in_loop(*operand, depth + 1); });
}

/// All others may put accesses on lines that had none, which is seen behind several of them as well.
bool matters(llvm::StringRef pass) { return combines(pass) || inserts(pass) || duplicates(pass); }

} // namespace

AccessHistory::Line AccessHistory::line_of(const llvm::Function &function, AccessLocation location) {
  const auto [known, fresh] = users_locations_.try_emplace(location.debug_loc);
  if (fresh)
    known->second = users_location(*function.getParent(), location.debug_loc);
  return {location.kind, known->second->getFile(), known->second->getLine()};
}

AccessHistory::State AccessHistory::state_of(llvm::Function &function, const State *before) {
  State state;
  const auto repeats = plain_repeats(function);
  for (const SourceAccess &access : accesses_of(function, /*without_location=*/before != nullptr)) {
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(access.instruction); load && is_unused_field(*load))
      continue;
    const Access now{access.instruction, access.location.kind, access.location.debug_loc,
                     repeats.contains(access.instruction)};
    if (access.location.known()) {
      state.push_back(now);
    } else if (!llvm::isa<llvm::MemTransferInst>(access.instruction)) {
      const auto known = std::ranges::lower_bound(*before, now.key(), {}, &Access::key);
      if (known != before->end() && known->key() == now.key())
        state.push_back(*known);
    }
  }
  std::ranges::sort(state, {}, &Access::key);
  return state;
}

void AccessHistory::look_at(llvm::Function &function, llvm::StringRef pass) {
  at_ = &function;
  if (matters(pass))
    settle(function);
  if (states_.count(&function) || given_up_.contains(&function))
    return;
  inherit_uncertainties(function);
  states_.insert({&function, {state_of(function, nullptr)}});
}

void AccessHistory::settle(llvm::Function &function) {
  const auto known = states_.find(&function);
  if (known != states_.end() && std::exchange(known->second.changed, false))
    changed(function, known->second, {});
}

void AccessHistory::leave(llvm::Function &function) {
  settle(function);
  if (given_up_.contains(&function))
    give_up(function, state_of(function, nullptr));
}

void AccessHistory::changed(llvm::Function &function, llvm::StringRef pass) {
  const auto known = states_.find(&function);
  if (known == states_.end())
    return;
  if (matters(pass))
    changed(function, known->second, pass);
  else
    known->second.changed = true;
}

void AccessHistory::changed(llvm::StringRef pass) {
  if (at_) { // a pass of a loop that is there no more
    changed(*at_, pass);
    return;
  }
  for (auto &[function, known] : states_)
    changed(*function, known, pass);
}

void AccessHistory::give_up(llvm::Function &function, const State &accesses) {
  given_up_.insert(&function);
  std::vector<AccessLocation> locations;
  for (const Access &access : accesses)
    locations.push_back({access.kind, access.location});
  constexpr std::array kWhatever{Uncertainty::RedundantAccess, Uncertainty::IfConversion, Uncertainty::SourceLine};
  raise_uncertainties(kWhatever, function, locations);
}

bool AccessHistory::is_too_large(llvm::Function &function) {
  if (!given_up_.contains(&function) && function.getInstructionCount() > most_.size)
    give_up(function, state_of(function, nullptr));
  return given_up_.contains(&function);
}

void AccessHistory::changed(llvm::Function &function, Known &known, llvm::StringRef pass) {
  if (given_up_.contains(&function))
    return;
  State &state = known.state;
  State after = state_of(function, &state);
  known.instructions += function.getInstructionCount();
  if (known.instructions > most_.looked_at) {
    give_up(function, state);
    give_up(function, after);
    return;
  }
  struct Change {
    AccessLocation location;
    unsigned before = 0, after = 0;
    bool inserted = false, combined = false;
    bool simplified = false; ///< to the address of another, which a loop changes
  };
  std::map<Line, Change> changes; // of lines where anything did
  const auto differ = [&](const State &some, const State &others) {
    for (const Access &access : some) {
      const auto other = std::ranges::lower_bound(others, access.key(), {}, &Access::key);
      const bool there = other != others.end() && other->key() == access.key();
      // A copy of an unrolled loop that has come to have the address of another.
      const Access *alike = &some == &after && !there && access.repeats                     ? &access
                            : &some == &state && there && !access.repeats && other->repeats ? &*other
                                                                                            : nullptr;
      const bool simplified = alike && moves_in_loop(*llvm::getLoadStorePointerOperand(alike->instruction));
      if (there && *other == access && !simplified)
        continue;
      Change &change =
          changes.try_emplace(line_of(function, access), Change{{access.kind, access.location}}).first->second;
      change.inserted |= &some == &after && !there;
      change.combined |= &some == &state && !there && !access.repeats;
      change.simplified |= simplified;
    }
  };
  differ(state, after);
  differ(after, state);
  if (changes.empty()) {
    state = std::move(after); // addresses may be known to be alike now
    return;
  }
  const auto count = [&](const State &some, unsigned Change::*number) {
    for (const Access &access : some)
      if (const auto change = changes.find(line_of(function, access)); change != changes.end())
        ++(change->second.*number);
  };
  count(state, &Change::before);
  count(after, &Change::after);
  for (const auto &[line, change] : changes) {
    // Several that were one from the start are those of an unrolled loop.
    if (change.before > 1 && change.combined && change.after < change.before && combines(pass))
      raise_uncertainty(Uncertainty::RedundantAccess, function, change.location);
    // Copies of an unrolled loop: that a counter goes four at a time says something of its low bits, from which nvcc does not conclude everywhere.
    if (change.before && change.simplified && (change.before > 1 || change.inserted))
      raise_uncertainty(Uncertainty::RedundantAccess, function, change.location);
    if (change.inserted && inserts(pass))
      raise_uncertainty(Uncertainty::RedundantAccess, function, change.location);
    if (change.before && change.after > change.before && duplicates(pass))
      raise_uncertainty(Uncertainty::IfConversion, function, change.location);
    if (!change.before)
      raise_uncertainty(Uncertainty::SourceLine, function, change.location);
  }
  state = std::move(after);
}

void AccessHistory::note_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                               const CompilerRules &rules) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  note_equal_tails(function, analyses.getResult<llvm::DominatorTreeAnalysis>(function), loops);
  note_selected_addresses(function, loops, /*unrolled=*/false);
  note_partial_redundancy(function, analyses, rules);
  if (loops.empty())
    return;
  auto &uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  const std::vector<SourceAccess> accesses = accesses_of(function);
  const auto note = [&](const llvm::Loop &loop, std::set<Line> &lines, auto excepted) {
    for (const SourceAccess &access : accesses)
      if (loop.contains(access.instruction) && !excepted(access))
        lines.insert(line_of(function, access.location));
  };
  std::optional<BarrierRegions> regions;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock *> exiting;
    loop->getExitingBlocks(exiting);
    if (llvm::any_of(exiting, [&](const llvm::BasicBlock *block) { return diverges(*block, uniformity); }))
      note(*loop, ragged_, [](const SourceAccess &) { return false; });
    if (llvm::findOptionMDForLoop(loop, "llvm.loop.unroll.count")) {
      if (!regions)
        regions.emplace(function, is_barrier_itself);
      const auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
      auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
      note(*loop, told_, [&](const SourceAccess &access) {
        return is_unrolled_alike(access, *loop, accesses, *regions, tree, evolution);
      });
    }
  }
}

void AccessHistory::conclude(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    const llvm::DominatorTree tree(function);
    const llvm::LoopInfo loops(tree);
    const State accesses = state_of(function, nullptr);
    if (given_up_.contains(&function))
      give_up(function, accesses);
    std::set<Line> in_loops;
    for (const Access &access : accesses)
      if (loops.getLoopFor(access.instruction->getParent()))
        in_loops.insert(line_of(function, access));
    for (const Access &access : accesses) {
      const Line line = line_of(function, access);
      if ((in_loops.count(line) ? told_ : ragged_).count(line))
        raise_uncertainty(Uncertainty::Unroll, function, {access.kind, access.location});
    }
  }
}

} // namespace smem
