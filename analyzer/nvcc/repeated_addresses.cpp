#include "nvcc/repeated_addresses.h"

#include <map>
#include <utility>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/access_record.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/memory_order.h"
#include "nvcc/facts/read_only_memory.h"
#include "nvcc/facts/value_numbers.h"
#include "nvcc/ptxas/address_offset.h"
#include "nvcc/ptxas/stores_elsewhere.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

using AccessKind = AccessLocation::Kind;

/// What ptxas certainly keeps loads apart by: not inline PTX that exchanges registers or computes on tensor cores.
bool keeps_loads_apart(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return is_barrier(instruction) && (!call->isInlineAsm() || is_barrier_to_loads(instruction));
}

bool is_convergent(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->isConvergent();
}

class Repeated {
public:
  Repeated(llvm::Function &kernel, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
           llvm::ScalarEvolution &evolution, const BarrierRegions &regions, const ReadOnlyMemory &read_only)
      : kernel_(kernel), tree_(tree), loops_(loops), evolution_(evolution), regions_(regions), read_only_(read_only),
        wider_regions_(kernel, keeps_loads_apart), parts_(kernel, is_convergent),
        stores_elsewhere_(kernel, tree, evolution) {}

  /// One address twice with no barrier in between: on one line that is what an unrolled loop comes to, on several a load may move before
  /// the branches that lead to both.
  std::vector<SourceAccess> run(const std::vector<SourceAccess> &accesses) {
    ValueNumbers numbers(kernel_.getDataLayout());
    std::map<std::pair<AccessKind, const llvm::SCEV *>, Accesses> by_evolution;
    std::map<std::pair<AccessKind, ValueNumbers::Number>, Accesses> by_number;
    std::map<ValueNumbers::Number, Accesses> of_any_kind;
    for (const SourceAccess &access : accesses)
      if (access.location.known() && !access.instruction->isVolatile()) { // what is volatile stays
        by_evolution[{access.location.kind, evolution_.getSCEV(access.pointer)}].push_back(&access);
        if (record_of(*access.instruction).inline_ptx != AccessRecord::InlinePtx::Statement) {
          const ValueNumbers::Number number = numbers.of(*access.pointer);
          by_number[{access.location.kind, number}].push_back(&access);
          of_any_kind[number].push_back(&access);
        }
      }
    for (const auto &[address, all] : by_evolution)
      at_one_address(address.first, all);
    for (const auto &[address, all] : by_number)
      at_one_address(address.first, all);
    for (const auto &[address, all] : of_any_kind) {
      across_ptx(all);
      across_stores(all);
    }
    forwarded(accesses);
    return std::move(lost_);
  }

private:
  using Accesses = std::vector<const SourceAccess *>;

  void raise_uncertainty(const SourceAccess &access) {
    smem::raise_uncertainty(Uncertainty::RedundantAccess, kernel_, access.location);
  }

  unsigned line_of(const SourceAccess &access) const {
    return users_location(*kernel_.getParent(), access.location.debug_loc)->getLine();
  }

  void at_one_address(AccessKind kind, const Accesses &all) {
    std::map<unsigned, Accesses> of_regions;
    for (const SourceAccess *again : all) {
      Accesses &before = of_regions[regions_.of(*again->instruction)];
      before.push_back(again);
      const auto earlier = llvm::ArrayRef(before).drop_back();
      if (!earlier.empty()) {
        if (kind == AccessKind::Atomic || read_only_.crosses_barriers(*again) || !are_on_separate_ways(earlier, *again))
          repeated(kind, *earlier.front(), *again);
      } else if (again != all.front() && kind == AccessKind::Load && read_only_.crosses_barriers(*again) &&
                 read_only_.crosses_barriers(*all.front())) {
        // ptxas loads it once for all iterations, barriers or not, under the condition that it is loaded on; and elsewhere what cicc has not.
        if (line_of(*again) == line_of(*all.front())) {
          repeated(kind, *all.front(), *again);
        } else if (!is_read_only_to_llvm(*again)) {
          raise_uncertainty(*all.front());
          raise_uncertainty(*again);
        }
      }
    }
  }

  /// One of which is run: of a loop that has become two by a condition that it does not change.
  bool are_of_two_loops(const llvm::Instruction &first, const llvm::Instruction &again) const {
    const llvm::Loop *one = loops_.getLoopFor(first.getParent()), *other = loops_.getLoopFor(again.getParent());
    return one && other && !one->contains(other) && !other->contains(one) &&
           !llvm::isPotentiallyReachable(&first, &again, nullptr, &tree_, &loops_) &&
           !llvm::isPotentiallyReachable(&again, &first, nullptr, &tree_, &loops_);
  }

  /// Of one line, and so that a thread comes to another of them by a barrier only, as in the copies of a loop's body: none makes another unnecessary, and where branches meet they may be one.
  bool are_on_separate_ways(llvm::ArrayRef<const SourceAccess *> before, const SourceAccess &again) const {
    constexpr std::size_t kMostValuesCompared = 16;
    return before.size() <= kMostValuesCompared && llvm::all_of(before, [&](const SourceAccess *access) {
             return line_of(*access) == line_of(again) &&
                    evolution_.getSCEV(access->pointer) == evolution_.getSCEV(again.pointer) &&
                    !regions_.may_follow(*access->instruction, *again.instruction) &&
                    !regions_.may_follow(*again.instruction, *access->instruction);
           });
  }

  void repeated(AccessKind kind, const SourceAccess &first, const SourceAccess &again) {
    const bool one_line = line_of(first) == line_of(again);
    const bool in_order =
        tree_.dominates(first.instruction, again.instruction) || tree_.dominates(again.instruction, first.instruction);
    // What LLVM computes in two ways nvcc may compute in one.
    const bool seen = evolution_.getSCEV(first.pointer) == evolution_.getSCEV(again.pointer);
    // Inline PTX that is about registers between them: the model's ptxas takes it out, and one of them with it.
    if (parts_.of(*first.instruction) != parts_.of(*again.instruction) && in_order && seen && !one_line)
      return;
    if (one_line && !in_order && are_of_two_loops(*first.instruction, *again.instruction))
      return;
    if (one_line || !seen || (kind == AccessKind::Load && !in_order) || (kind == AccessKind::Store && in_order)) {
      raise_uncertainty(first);
      raise_uncertainty(again);
    }
    if (!one_line && !(in_order && seen) && kind == AccessKind::Load)
      lost_.insert(lost_.end(), {first, again});
  }

  /// `mma`, `ldmatrix`, `cp.async.commit_group` as inline PTX: what stands before and behind it cicc keeps, ptxas perhaps not.
  void across_ptx(const Accesses &all) {
    if (all.size() < 2)
      return;
    std::map<unsigned, std::map<unsigned, Accesses>> parts; // of a wider region
    for (const SourceAccess *access : all)
      if (access->location.kind != AccessKind::Atomic)
        parts[wider_regions_.of(*access->instruction)][regions_.of(*access->instruction)].push_back(access);
    for (const auto &[region, divided] : parts)
      if (divided.size() > 1)
        for (const auto &[part, members] : divided)
          for (const SourceAccess *access : members)
            raise_uncertainty(*access);
  }

  void across_stores(const Accesses &all) {
    if (all.size() < 2 || !all.front()->shared)
      return;
    std::map<unsigned, Accesses> by_region;
    for (const SourceAccess *access : all)
      by_region[regions_.of(*access->instruction)].push_back(access);
    for (const auto &[region, members] : by_region)
      stores_elsewhere_.note(members);
  }

  /// A load of what was stored before, or of a part of it: cicc computes shared addresses in 32 bits, and sees more of them to be one than LLVM does in 64, where an unsigned product
  /// may wrap around before it is extended.
  void forwarded(const std::vector<SourceAccess> &accesses) {
    constexpr std::size_t kMostValuesCompared = 512; // stores of an array between two barriers
    struct Stored {
      const SourceAccess *access;
      const llvm::SCEV *offset;
    };
    std::map<std::pair<const llvm::SCEV *, unsigned>, std::vector<Stored>> stores;
    struct Loaded {
      const SourceAccess *access;
      const llvm::SCEV *base, *offset;
      std::size_t stored; ///< before it
    };
    std::vector<Loaded> loads;
    for (const SourceAccess &access : accesses)
      if (access.shared && access.location.known() && !access.instruction->isVolatile() &&
          llvm::isa<llvm::LoadInst, llvm::StoreInst>(access.instruction)) {
        const auto [base, offset] = base_and_offset(*access.pointer, evolution_);
        std::vector<Stored> &of_base = stores[{base, regions_.of(*access.instruction)}];
        if (access.location.kind == AccessKind::Store)
          of_base.push_back({&access, offset});
        else
          loads.push_back({&access, base, offset, of_base.size()});
      }
    const auto bytes = [&](const SourceAccess &access) {
      return static_cast<std::int64_t>(
          kernel_.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(access.instruction)).getFixedValue());
    };
    for (const auto &[load, base, offset, stored] : loads)
      for (const Stored &store : llvm::ArrayRef(stores[{base, regions_.of(*load->instruction)}])
                                     .take_front(stored)
                                     .take_back(kMostValuesCompared)) {
        const auto *apart = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(offset, store.offset));
        if (!apart || !tree_.dominates(store.access->instruction, load->instruction))
          continue;
        // What LLVM sees it has forwarded, if nothing is in the way; of a part it looks no further than forwarded_through.
        if (bytes(*load) == bytes(*store.access) &&
            llvm::isa<llvm::SCEVConstant>(
                evolution_.getMinusSCEV(evolution_.getSCEV(load->pointer), evolution_.getSCEV(store.access->pointer))))
          continue;
        const std::int64_t first = apart->getAPInt().getSExtValue();
        if (first >= 0 && first + bytes(*load) <= bytes(*store.access)) {
          raise_uncertainty(*load);
          break;
        }
      }
  }

  llvm::Function &kernel_;
  const llvm::DominatorTree &tree_;
  const llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  const BarrierRegions &regions_;
  const ReadOnlyMemory &read_only_;
  BarrierRegions wider_regions_, parts_;
  StoresElsewhere stores_elsewhere_;
  std::vector<SourceAccess> lost_;
};

} // namespace

std::vector<SourceAccess> note_repeated_addresses(llvm::Function &kernel, const std::vector<SourceAccess> &accesses,
                                                  const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                                                  llvm::ScalarEvolution &evolution, const BarrierRegions &regions,
                                                  const ReadOnlyMemory &read_only) {
  return Repeated(kernel, tree, loops, evolution, regions, read_only).run(accesses);
}

} // namespace smem::lower
