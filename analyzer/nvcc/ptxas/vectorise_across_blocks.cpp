#include "nvcc/ptxas/vectorise_across_blocks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>

#include "nvcc/access_record.h"
#include "nvcc/ptxas/address_sums.h"
#include "nvcc/facts/memory_order.h"
#include "nvcc/facts/between.h"
#include "nvcc/uncertainty.h"
#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

/// Shared loads of different blocks that are of one aligned window.
class AcrossBlocks {
public:
  AcrossBlocks(llvm::Function &kernel, AddressSums &addresses, const llvm::DominatorTree &tree,
               const llvm::LoopInfo &loops)
      : kernel_(kernel), addresses_(addresses), tree_(tree), loops_(loops) {}

  void run() {
    for (llvm::BasicBlock &block : kernel_) {
      for (llvm::Instruction &instruction : block)
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            load && load->isSimple() && load->getPointerAddressSpace() == kShared)
          add(*load);
        else if (is_barrier_to_loads(instruction))
          barriers_.push_back(&instruction);
      note_guarded(block);
    }
    note_equal_guards();
    note_equal_guards_of_stores();
    for (auto &[base, words] : by_base_)
      for (std::size_t i = 1; i < words.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (words[j].load->getParent() != words[i].load->getParent() && meet(words[j], words[i]))
            break;
    for (auto &[base, words] : by_bits_)
      for (std::size_t i = 1; i < words.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (words[j].load->getParent() != words[i].load->getParent() && (words[i].uncertain || words[j].uncertain))
            meet(words[j], words[i]);
  }

private:
  using Base = std::vector<std::pair<const llvm::Value *, std::uint32_t>>;
  struct Word {
    llvm::LoadInst *load;
    std::uint32_t size, offset, alignment;
    bool whole; ///< one value of 64 bits, which merges with its like only
    bool uncertain;
  };

  void add(llvm::LoadInst &load) {
    const auto size =
        static_cast<std::uint32_t>(kernel_.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue());
    if (size != 4 && size != 8)
      return;
    const AddressSum sum = addresses_.of(load.getPointerOperand());
    add_bitwise(load, size, sum);
    const std::uint32_t alignment = std::min<std::uint32_t>(16, addresses_.alignment(sum));
    if (alignment >= 2 * size && sum.constant % size == 0)
      by_base_[Base(sum.factors.begin(), sum.factors.end())].push_back({&load, size, sum.constant, alignment,
                                                                        size == 8 && !load.getType()->isVectorTy(),
                                                                        sum.by_bits || !addresses_.is_plain(sum)});
  }

  /// `4 * (t ^ 1) + i`, of which LLVM makes `4 * t ^ 5` and so on: neighbours by the bits that are flipped.
  void add_bitwise(llvm::LoadInst &load, std::uint32_t size, const AddressSum &sum) {
    Base base;
    Word word{&load, size, sum.constant, kWidestAccess, size == 8 && !load.getType()->isVectorTy(), false};
    for (const auto &[value, factor] : sum.factors) {
      const auto *flipped = llvm::dyn_cast<llvm::BinaryOperator>(value);
      const auto *bits = flipped && flipped->getOpcode() == llvm::Instruction::Xor
                             ? llvm::dyn_cast<llvm::ConstantInt>(flipped->getOperand(1))
                             : nullptr;
      if (!bits || factor == 0 || factor > kWidestAccess) {
        base.emplace_back(value, factor);
        continue;
      }
      const auto all = static_cast<std::uint32_t>(bits->getValue().zextOrTrunc(32).getZExtValue());
      const std::uint32_t low = all & (kWidestAccess / factor - 1);
      // Elsewhere what is flipped may be taken away as well as added.
      const llvm::KnownBits known = llvm::computeKnownBits(flipped->getOperand(0), kernel_.getDataLayout());
      if ((static_cast<std::uint32_t>(known.Zero.zextOrTrunc(32).getZExtValue()) & low) != low) {
        base.emplace_back(value, factor);
        continue;
      }
      base.emplace_back(flipped->getOperand(0), factor);
      if (all != low)
        base.emplace_back(nullptr, all - low);
      word.offset += factor * low;
      word.uncertain = true;
    }
    std::ranges::sort(base);
    by_bits_[std::move(base)].push_back(word);
  }

  /// Moves the second to the first if both are of one window and one load then; else both are uncertain, for ptxas may yet move it.
  bool meet(const Word &first, Word &second) {
    const std::uint32_t window = std::min(first.alignment, second.alignment);
    if (first.whole != second.whole || first.offset == second.offset ||
        first.offset / window != second.offset / window || !is_clear(*first.load, *second.load))
      return false;
    const std::uint32_t pair = 2 * first.size;
    const bool two_words = !first.whole && std::max(first.size, second.size) == 8; // int2, for instance
    if (first.offset / pair != second.offset / pair || first.uncertain || second.uncertain || two_words) {
      for (const Word *word : {&first, static_cast<const Word *>(&second)})
        raise_uncertainty(Uncertainty::Vectorisation, kernel_,
                          {AccessLocation::Kind::Load, word->load->getDebugLoc().get()});
      return false;
    }
    second.load->moveAfter(first.load);
    if (const auto *array =
            llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(second.load->getPointerOperand()));
        array && array != llvm::getUnderlyingObject(first.load->getPointerOperand())) {
      AccessRecord record = record_of(*second.load);
      record.arrays = {array};
      set_record(*second.load, record);
    }
    llvm::IRBuilder<> builder(second.load);
    second.load->setOperand(0, builder.CreatePtrAdd(first.load->getPointerOperand(),
                                                    builder.getInt64(static_cast<std::int64_t>(
                                                        static_cast<std::int32_t>(second.offset - first.offset)))));
    return true;
  }

  /// The condition that leads into a block, and whether it holds there.
  static std::pair<const llvm::Value *, bool> guard_of(const llvm::BasicBlock &block) {
    const llvm::BasicBlock *before = block.getSinglePredecessor();
    const auto *branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional())
      return {};
    return {branch->getCondition(), branch->getSuccessor(0) == &block};
  }

  /// Accesses of a block that a condition leads into, by that condition and the window that they are of.
  void note_guarded(llvm::BasicBlock &block) {
    const auto guard = guard_of(block);
    if (!guard.first)
      return;
    for (llvm::Instruction &instruction : block) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      const bool simple = (load && load->isSimple()) || (store && store->isSimple());
      const unsigned space = simple ? llvm::getLoadStoreAddressSpace(&instruction) : kGeneric;
      if (space != kShared && (store || space != kGlobal))
        continue;
      const AddressSum sum = addresses_.of(llvm::getLoadStorePointerOperand(&instruction));
      auto &guarded = store ? guarded_stores_ : guarded_;
      guarded[{guard, Base(sum.factors.begin(), sum.factors.end()), sum.constant / kWidestAccess}].push_back(
          {&instruction, sum.constant});
    }
  }

  /// Two branches with one condition that something stands between: nvcc may move that into the first, and makes one load of neighbours in them then.
  void note_equal_guards() {
    for (const auto &[key, loads] : guarded_)
      for (const auto &[load, offset] : loads)
        if (llvm::any_of(loads, [&](const auto &other) {
              return other.first->getParent() != load->getParent() && other.second != offset &&
                     !has_barrier_between(*load, *other.first);
            }))
          raise_uncertainty(Uncertainty::Vectorisation, kernel_,
                            {AccessLocation::Kind::Load, load->getDebugLoc().get()});
  }

  /// A barrier on every way to one of two shared loads, and not on every way to the other, keeps them apart.
  bool has_barrier_between(const llvm::Instruction &one, const llvm::Instruction &other) const {
    return llvm::getLoadStorePointerOperand(&one)->getType()->getPointerAddressSpace() == kShared &&
           llvm::any_of(barriers_, [&](const llvm::Instruction *barrier) {
             return tree_.dominates(barrier, &one) != tree_.dominates(barrier, &other);
           });
  }

  /// Across an atomic on global memory ptxas was seen to merge stores that have one predicate, for all lanes, and not to.
  void note_equal_guards_of_stores() {
    const auto is_atomic = [](const llvm::Instruction &instruction) {
      return llvm::isa<llvm::AtomicRMWInst>(instruction);
    };
    for (const auto &[key, stores] : guarded_stores_)
      for (std::size_t i = 1; i < stores.size(); ++i)
        if (const auto &[before, offset] = stores[i - 1]; before->getParent() != stores[i].first->getParent() &&
                                                          offset != stores[i].second &&
                                                          any_between(*before, *stores[i].first, is_atomic))
          for (const llvm::Instruction *store : {before, stores[i].first})
            raise_uncertainty(Uncertainty::Vectorisation, kernel_,
                              {AccessLocation::Kind::Store, store->getDebugLoc().get()});
  }

  static bool ends_region(const llvm::Instruction &instruction) {
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple())
      return store->getPointerAddressSpace() == kShared;
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return !(load && load->isSimple()) && kept_apart_by(instruction).loads;
  }

  /// Does every way to `second` lead through `first` with nothing that ends a region in between?
  bool is_clear(const llvm::Instruction &first, const llvm::Instruction &second) const {
    const llvm::BasicBlock *from = first.getParent(), *to = second.getParent();
    const llvm::Loop *loop = loops_.getLoopFor(from);
    const bool leaves = loop && loop->isLoopExiting(from); // what ptxas makes of such a loop is another matter
    const bool branches = from->getTerminator()->getNumSuccessors() > 1; // else there is, or was, a loop in between
    if (leaves || !branches || !tree_.dominates(from, to) || loop != loops_.getLoopFor(to))
      return false;
    return !any_between(first, second, ends_region);
  }

  llvm::Function &kernel_;
  AddressSums &addresses_;
  const llvm::DominatorTree &tree_;
  const llvm::LoopInfo &loops_;
  std::map<Base, std::vector<Word>> by_base_, by_bits_;
  std::vector<const llvm::Instruction *> barriers_;
  using Guard = std::pair<const llvm::Value *, bool>;
  using Guarded =
      std::map<std::tuple<Guard, Base, std::uint32_t>, std::vector<std::pair<llvm::Instruction *, std::uint32_t>>>;
  Guarded guarded_, guarded_stores_;
};

} // namespace

void hoist_adjacent_loads(llvm::Function &kernel, AddressSums &addresses, const llvm::DominatorTree &tree,
                          const llvm::LoopInfo &loops) {
  AcrossBlocks(kernel, addresses, tree, loops).run();
}

} // namespace smem::lower
