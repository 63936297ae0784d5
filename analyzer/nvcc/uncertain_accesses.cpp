#include "nvcc/uncertain_accesses.h"

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/access_record.h"
#include "nvcc/cicc/memory_intrinsics.h"
#include "nvcc/cicc/tail_merging.h"
#include "nvcc/uncertainty.h"
#include "nvcc/cicc/byte_copies.h"
#include "nvcc/cicc/chased_loads.h"
#include "nvcc/cicc/dot_products.h"
#include "nvcc/cicc/fallen_through.h"
#include "nvcc/cicc/joined_indices.h"
#include "nvcc/cicc/known_by_condition.h"
#include "nvcc/cicc/local_pointers.h"
#include "nvcc/cicc/parted_members.h"
#include "nvcc/cicc/repeated_stores.h"
#include "nvcc/cicc/selected_addresses.h"
#include "nvcc/cicc/speculated_loads.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/read_only_memory.h"
#include "nvcc/facts/warp_uniform.h"
#include "nvcc/facts/machine.h"
#include "nvcc/ptxas/common_addresses.h"
#include "nvcc/ptxas/late_sinking.h"
#include "nvcc/ptxas/loads_before_exits.h"
#include "nvcc/ptxas/repeated_conditions.h"
#include "nvcc/repeated_addresses.h"

namespace smem::lower {
namespace {

using Kind = AccessLocation::Kind;

class Finder {
public:
  Finder(llvm::Function &kernel, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
         llvm::UniformityInfo &uniformity, llvm::ScalarEvolution &evolution, const CompilerRules &rules)
      : rules_(rules), kernel_(kernel), tree_(tree), loops_(loops), uniformity_(uniformity), evolution_(evolution),
        regions_(kernel), read_only_(kernel) {
    for (llvm::Instruction &instruction : llvm::instructions(kernel))
      if (const std::optional<SourceAccess> access = access_of(instruction))
        accesses_.push_back(*access);
  }

  void run() {
    note_equal_tails(kernel_, tree_, loops_);
    note_local_pointer_accesses(kernel_);
    note_selected_addresses(kernel_, loops_, /*unrolled=*/true);
    note_speculated_loads(kernel_, rules_);
    note_repeated_conditions(kernel_, tree_, uniformity_);
    for (const SourceAccess &access : accesses_) {
      repeated_in_loop(access);
      selected(access);
      partly_used(access);
      guarded_by_counter(access);
    }
    llvm::append_range(lost_,
                       note_repeated_addresses(kernel_, accesses_, tree_, loops_, evolution_, regions_, read_only_));
    llvm::append_range(lost_, stores_made_one(accesses_, tree_, loops_, evolution_));
    note_known_by_condition(kernel_, tree_, accesses_);
    note_unaligned_copies(kernel_, accesses_);
    note_joined_indices(kernel_, accesses_);
    note_late_sinking(kernel_, tree_, loops_, accesses_, read_only_);
    note_loads_before_exits(kernel_, tree_, accesses_);
    note_common_addresses(kernel_, tree_, loops_, evolution_, read_only_, rules_);
    unread_arrays();
    members();
    note_fallen_through(kernel_, tree_, uniformity_, accesses_, rules_);
    what_feeds_uncertain_stores();
    around_lost();
    note_chased_loads(kernel_, loops_);
    note_dot_products(kernel_, rules_); // each of whose lines is that of one of them
  }

private:
  void raise_uncertainty(Uncertainty kind, const SourceAccess &access) {
    smem::raise_uncertainty(kind, kernel_, access.location);
  }

  unsigned line_of(const SourceAccess &access) const {
    return users_location(*kernel_.getParent(), access.location.debug_loc)->getLine();
  }

  /// An address that stays the same in a loop. Barriers keep loads in it, but for those of memory that is only read.
  void repeated_in_loop(const SourceAccess &access) {
    const llvm::SCEV *address = evolution_.getSCEV(access.pointer);
    for (const llvm::Loop *loop = loops_.getLoopFor(access.instruction->getParent()); loop;
         loop = loop->getParentLoop())
      if (evolution_.isLoopInvariant(address, loop) && (!has_barrier(*loop) || read_only_.crosses_barriers(access))) {
        raise_uncertainty(Uncertainty::RedundantAccess, access);
        if (access.location.kind == Kind::Load) {
          lost_.push_back(access);
          hoisted_.insert(access.instruction);
        }
      }
  }

  /// `for (k ...) if (k > x) access;`: ptxas may let every lane begin with its own first k that passes. `if (k != x)`: cicc makes a loop up to x and
  /// one from there on where it knows that x is within the range, which it did in 7 of 7 probes, and in none of 3 where the length is constant.
  void guarded_by_counter(const SourceAccess &access) {
    const llvm::Loop *loop = loops_.getLoopFor(access.instruction->getParent());
    if (loop && has_barrier(*loop)) // which all lanes come to in each iteration
      return;
    const auto *guard = loop ? llvm::dyn_cast<llvm::BranchInst>(loop->getHeader()->getTerminator()) : nullptr;
    const auto *test =
        guard && guard->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(guard->getCondition()) : nullptr;
    if (!test || !loop->contains(guard->getSuccessor(0)) || !loop->contains(guard->getSuccessor(1)))
      return;
    if (test->isEquality() && evolution_.getSmallConstantTripCount(loop) != 0)
      return;
    const auto counts = [&](unsigned operand) {
      const auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(test->getOperand(operand)));
      const llvm::Value *bound = test->getOperand(1 - operand);
      return counter && counter->getLoop() == loop && !is_warp_uniform(*bound, uniformity_) &&
             evolution_.isLoopInvariant(evolution_.getSCEV(test->getOperand(1 - operand)), loop);
    };
    if (counts(0) || counts(1))
      raise_uncertainty(Uncertainty::LoopPeeling, access);
  }

  /// Is memory behind `pointer` accessed otherwise than by stores?
  static bool is_read(const llvm::Value &pointer) {
    return llvm::any_of(pointer.uses(), [](const llvm::Use &use) {
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
      if (store && use.getOperandNo() == store->getPointerOperandIndex())
        return false;
      const bool moves = llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(use.getUser());
      return !moves || is_read(*use.getUser());
    });
  }

  void unread_arrays() {
    for (const SourceAccess &access : accesses_)
      if (const llvm::Value *base = llvm::getUnderlyingObject(access.pointer);
          access.shared && llvm::isa<llvm::GlobalVariable>(base) && !is_read(*base))
        raise_uncertainty(Uncertainty::DeadStore, access);
  }

  /// Of two loads one of which is used just one may be done.
  void selected(const SourceAccess &access) {
    if (access.location.kind == Kind::Load && access.instruction->hasOneUse() &&
        llvm::isa<llvm::SelectInst>(access.instruction->user_back()))
      raise_uncertainty(Uncertainty::IfConversion, access);
  }

  /// A vector of which only some elements are used.
  void partly_used(const SourceAccess &access) {
    const auto *type = access.location.kind == Kind::Load
                           ? llvm::dyn_cast<llvm::FixedVectorType>(access.instruction->getType())
                           : nullptr;
    if (!type)
      return;
    llvm::SmallBitVector used(type->getNumElements());
    llvm::SmallPtrSet<const llvm::Value *, 4> seen; // through what branches and loops make of it, too
    std::vector<const llvm::Value *> open{access.instruction};
    while (!open.empty()) {
      const llvm::Value *value = open.back();
      open.pop_back();
      if (!seen.insert(value).second)
        continue;
      for (const llvm::User *user : value->users()) {
        if (llvm::isa<llvm::PHINode>(user)) {
          open.push_back(user);
          continue;
        }
        const auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(user);
        const auto *index = element ? llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand()) : nullptr;
        if (!index || index->uge(used.size()))
          return;
        used.set(static_cast<unsigned>(index->getZExtValue()));
      }
    }
    if (!used.all())
      raise_uncertainty(Uncertainty::Vectorisation, access);
  }

  /// A vector that is put together where it is stored: fields, to nvcc.
  static bool is_assembled(const llvm::Instruction &access) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&access);
    return store && llvm::isa<llvm::InsertElementInst>(store->getValueOperand());
  }

  /// Is `index` a multiple of two or more by a mask (`lane % 8 * 4`)?
  static bool is_masked(const llvm::Value *index) {
    using namespace llvm::PatternMatch;
    const llvm::Value *from = index;
    while (match(from, m_ZExtOrSExt(m_Value(from)))) {}
    const llvm::APInt *mask = nullptr;
    return (match(from, m_And(m_Value(), m_APInt(mask))) && mask->countr_zero() > 0) ||
           match(from, m_Shl(m_And(m_Value(), m_APInt(mask)), m_Value()));
  }

  /// Is `pointer` reached in many steps, one of which is masked? What is a constant further on is then further on by the mask's bits, to
  /// nvcc, and not everywhere a neighbour.
  bool may_lose_neighbours(const llvm::Value &pointer) const {
    unsigned steps = 0;
    bool masked = false;
    for (const auto *step = llvm::dyn_cast<llvm::GEPOperator>(&pointer); step;
         step = llvm::dyn_cast<llvm::GEPOperator>(step->getPointerOperand())) {
      steps += !step->hasAllConstantIndices();
      masked |= llvm::any_of(step->indices(), is_masked);
    }
    return masked && steps > rules_.certain_address_steps;
  }

  /// Members of one structure, accessed on several lines or around others: which of them nvcc takes together depends on what it moves past what.
  void members() {
    constexpr std::int64_t window = kWidestAccess;
    using Group = std::tuple<Kind, const llvm::BasicBlock *, const llvm::Value *, std::int64_t>;
    std::map<Group, std::vector<const SourceAccess *>> groups;
    for (const SourceAccess &access : accesses_) {
      if (access.location.kind == Kind::Atomic || access.shared || !access.location.known())
        continue;
      const llvm::DataLayout &layout = kernel_.getDataLayout();
      llvm::APInt offset(layout.getIndexTypeSizeInBits(access.pointer->getType()), 0);
      const llvm::Value *base =
          access.pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
      groups[{access.location.kind, access.instruction->getParent(), base, offset.getSExtValue() / window}].push_back(
          &access);
    }
    for (const auto &[group, all] : groups) {
      const bool aligned = llvm::any_of(all, [&](const SourceAccess *access) {
        return llvm::getLoadStoreAlignment(access->instruction).value() >
               kernel_.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(access->instruction)).getFixedValue();
      });
      const bool one_line =
          llvm::all_of(all, [&](const SourceAccess *access) { return line_of(*access) == line_of(*all.front()); });
      const bool lost =
          (all.size() > 1 || is_assembled(*all.front()->instruction)) && may_lose_neighbours(*std::get<2>(group));
      if ((aligned && (!one_line || are_parted(all))) || lost)
        for (const SourceAccess *access : all)
          raise_uncertainty(Uncertainty::Vectorisation, *access);
    }
  }

  /// What is loaded for a store that may not be there may not be there either.
  void what_feeds_uncertain_stores() {
    std::vector<std::pair<const llvm::Instruction *, Uncertainty>> work;
    for (const SourceAccess &access : accesses_)
      for (const Uncertainty kind : {Uncertainty::RedundantAccess, Uncertainty::DeadStore, Uncertainty::IfConversion})
        if (access.location.kind == Kind::Store && has_uncertainty(*access.instruction, kind))
          work.emplace_back(access.instruction, kind);
    llvm::SmallPtrSet<const llvm::Instruction *, 16> seen;
    while (!work.empty()) {
      const auto [next, kind] = work.back();
      work.pop_back();
      if (!seen.insert(next).second)
        continue;
      // Results that a function writes through a pointer to a variable: `sincosf(v, &sine, &cosine)`.
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(next))
        if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()->stripPointerCasts()))
          for (const llvm::User *user : variable->users())
            if (llvm::isa<llvm::CallBase, llvm::StoreInst>(user))
              work.emplace_back(llvm::cast<llvm::Instruction>(user), kind);
      for (const llvm::Value *operand : next->operands()) {
        const auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
        // What comes round a loop is loaded for other iterations as well.
        if (!instruction || (llvm::isa<llvm::PHINode>(instruction) && loops_.isLoopHeader(instruction->getParent())))
          continue;
        if (const std::optional<SourceAccess> access = access_of(*const_cast<llvm::Instruction *>(instruction)))
          raise_uncertainty(kind, *access);
        else
          work.emplace_back(instruction, kind);
      }
    }
  }

  /// What has no location is counted with what comes before it in the end. The then and else blocks of a branch stay between barriers; what has moved may have
  /// moved anywhere.
  void around_lost() {
    using Sort = std::pair<Kind, bool>;
    std::set<Sort> anywhere;
    std::set<std::pair<Sort, unsigned>> in_region;
    const auto sort = [](const SourceAccess &access) { return Sort{access.location.kind, access.shared}; };
    // What has been merged may be counted with what stands before a barrier, too, and so may loads of what nothing writes, which pass barriers, and what leaves a loop, where an
    // address that others have in common is computed.
    struct Far {
      llvm::SmallDenseMap<const llvm::BasicBlock *, const llvm::Instruction *, 4> blocks; ///< and the first there
      const llvm::BasicBlock *above = nullptr;                     ///< what dominates all of them
      llvm::SmallPtrSet<const llvm::BasicBlock *, 16> before = {}; ///< blocks that lead there
    };
    std::map<std::pair<Sort, unsigned>, Far> far; // by line: iterations are one by then
    for (const SourceAccess &access : accesses_)
      if (access.location.known() && (has_uncertainty(*access.instruction, Uncertainty::TailMerging) ||
                                      (has_uncertainty(*access.instruction, Uncertainty::RedundantAccess) &&
                                       (access.location.kind == Kind::Store || read_only_.crosses_barriers(access) ||
                                        hoisted_.contains(access.instruction))))) {
        Far &line = far[{sort(access), line_of(access)}];
        const llvm::BasicBlock *block = access.instruction->getParent();
        line.blocks.try_emplace(block, access.instruction);
        line.above = line.above ? tree_.findNearestCommonDominator(line.above, block) : block;
      }
    for (auto &[key, line] : far) {
      line.before.insert(line.above);
      std::vector<const llvm::BasicBlock *> open{line.above};
      while (!open.empty()) {
        const llvm::BasicBlock *block = open.back();
        open.pop_back();
        for (const llvm::BasicBlock *previous : llvm::predecessors(block))
          if (!tree_.properlyDominates(line.above, previous) && line.before.insert(previous).second)
            open.push_back(previous);
      }
    }
    const auto is_before_far = [&](const SourceAccess &access) {
      const llvm::BasicBlock *block = access.instruction->getParent();
      return llvm::any_of(far, [&](const auto &line) {
        if (line.first.first != sort(access))
          return false;
        if (const llvm::Instruction *first = line.second.blocks.lookup(block))
          return access.location.kind == Kind::Load && access.instruction->comesBefore(first);
        return line.second.before.contains(block);
      });
    };
    for (const SourceAccess &access : accesses_)
      if (!access.location.known() || assumed(*access.instruction) == Uncertainty::SourceLine)
        anywhere.insert(sort(access));
      else if ((access.location.kind != Kind::Atomic &&
                has_uncertainty(*access.instruction, Uncertainty::TailMerging)) ||
               (access.location.kind == Kind::Load &&
                has_uncertainty(*access.instruction, Uncertainty::RedundantAccess)))
        in_region.insert({sort(access), regions_.of(*access.instruction)});
    for (const SourceAccess &access : accesses_of(kernel_, /*without_location=*/true))
      if (lower::becomes_loop(*access.instruction, rules_))
        anywhere.insert(sort(access));
    for (const SourceAccess &access : lost_)
      in_region.insert({sort(access), regions_.of(*access.instruction)});
    // A merged store may stand behind address computations of stores behind a barrier, in the block that its branch leads to and in those that follow without a loop.
    std::set<std::pair<Sort, const llvm::BasicBlock *>> joins;
    for (const SourceAccess &access : accesses_)
      if (const llvm::BasicBlock *join = access.instruction->getParent()->getSingleSuccessor();
          join && access.location.kind == Kind::Store && has_uncertainty(*access.instruction, Uncertainty::TailMerging))
        joins.insert({sort(access), join});
    const auto is_behind_join = [&](const SourceAccess &access) {
      const llvm::BasicBlock *block = access.instruction->getParent();
      return llvm::any_of(joins, [&](const auto &join) {
        return join.first == sort(access) && tree_.dominates(join.second, block) &&
               loops_.getLoopFor(join.second) == loops_.getLoopFor(block);
      });
    };
    for (const SourceAccess &access : accesses_)
      if (anywhere.count(sort(access)) || in_region.count({sort(access), regions_.of(*access.instruction)}) ||
          (!uncertainty_of(*access.instruction) && (is_before_far(access) || is_behind_join(access))))
        raise_uncertainty(Uncertainty::SourceLine, access);
  }

  const CompilerRules &rules_;
  llvm::Function &kernel_;
  const llvm::DominatorTree &tree_;
  const llvm::LoopInfo &loops_;
  llvm::UniformityInfo &uniformity_;
  llvm::ScalarEvolution &evolution_;
  BarrierRegions regions_;
  ReadOnlyMemory read_only_;
  std::vector<SourceAccess> accesses_;
  llvm::SmallPtrSet<const llvm::Instruction *, 8> hoisted_; ///< perhaps, out of a loop
  std::vector<SourceAccess> lost_; ///< may be combined or leave their loop, and lose their location then
};

} // namespace

void find_uncertain_accesses(llvm::Function &kernel, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                             llvm::UniformityInfo &uniformity, llvm::ScalarEvolution &evolution,
                             const CompilerRules &rules) {
  Finder(kernel, tree, loops, uniformity, evolution, rules).run();
}

} // namespace smem::lower
