#include "nvcc/ptxas/straight_iterations.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/memory_order.h"
#include "nvcc/facts/read_only_memory.h"
#include "nvcc/ptxas/address_offset.h"

namespace smem {
namespace {

constexpr std::size_t kMostBytes = 1U << 16U; ///< of all iterations: accesses that are compared

/// One iteration's bytes, of an access whose address is `rest` and a constant.
struct Bytes {
  std::int64_t begin, end;
  std::size_t access;
};

struct Candidate {
  SourceAccess access;
  const llvm::SCEV *base, *offset;
  const llvm::Loop *loop; ///< of known length, if it lies in one
  unsigned region;
  bool crosses_barriers;
};

class StraightIterations {
public:
  StraightIterations(llvm::Function &kernel, const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution,
                     const CompilerRules &rules)
      : rules_(rules), evolution_(evolution), regions_(kernel, lower::is_barrier_to_loads) {
    const ReadOnlyMemory read_only(kernel);
    for (const SourceAccess &access : accesses_of(kernel)) {
      if (access.location.kind == AccessLocation::Kind::Atomic || !llvm::getLoadStorePointerOperand(access.instruction))
        continue;
      const llvm::Loop *loop = loops.getLoopFor(access.instruction->getParent());
      if (loop && !(loop->isInnermost() && evolution.getSmallConstantTripCount(loop)))
        loop = nullptr;
      const auto [base, offset] = base_and_offset(*access.pointer, evolution);
      all_.push_back(
          {access, base, offset, loop, regions_.of(*access.instruction), read_only.crosses_barriers(access)});
    }
  }

  std::vector<SourceAccess> run() {
    llvm::MapVector<const llvm::SCEV *, std::vector<std::size_t>> of_base;
    for (std::size_t i = 0; i < all_.size(); ++i)
      of_base[all_[i].base].push_back(i);
    for (const auto &[base, accesses] : of_base) {
      const auto other_loop = [&](std::size_t i) { return all_[i].loop != all_[accesses.front()].loop; };
      if (llvm::any_of(accesses, other_loop))
        compare(accesses);
    }
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (leaves_outer_loop(all_[i]))
        met_.insert(i);
    std::vector<SourceAccess> result;
    for (const std::size_t i : met_)
      result.push_back(all_[i].access);
    return result;
  }

private:
  using BytesOfRest = std::map<const llvm::SCEV *, std::vector<Bytes>>;

  /// What is added to `offset`, or to where it starts in the loops around.
  static const llvm::SCEVConstant *constant_of(const llvm::SCEV *offset) {
    while (const auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(offset))
      offset = steps->getStart();
    const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(offset);
    return llvm::dyn_cast<llvm::SCEVConstant>(sum ? sum->getOperand(0) : offset);
  }

  /// Appends what `candidate` accesses at a distance of `offset`.
  void append(BytesOfRest &bytes, std::size_t candidate, const llvm::SCEV *offset) {
    llvm::Instruction &access = *all_[candidate].access.instruction;
    const auto size = static_cast<std::int64_t>(
        access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
    const llvm::SCEVConstant *constant = constant_of(offset);
    const llvm::SCEV *rest = constant ? evolution_.getMinusSCEV(offset, constant) : offset;
    const std::int64_t begin = constant ? constant->getAPInt().getSExtValue() : 0;
    bytes[rest].push_back({begin, begin + size, candidate});
    ++count_;
  }

  void append_iterations(BytesOfRest &bytes, std::size_t candidate) {
    const Candidate &one = all_[candidate];
    if (!one.loop || evolution_.isLoopInvariant(one.offset, one.loop))
      return append(bytes, candidate, one.offset);
    const unsigned trips = evolution_.getSmallConstantTripCount(one.loop);
    const unsigned ends = rules_.straight_iterations;
    for (unsigned i = 0; i < trips; ++i) {
      if (count_ >= kMostBytes) { // too many to tell
        met_.insert(candidate);
        return;
      }
      if (i == ends)
        i = std::max(i, trips - std::min(trips, ends));
      llvm::LoopToScevMapT at{{one.loop, evolution_.getConstant(one.offset->getType(), i)}};
      append(bytes, candidate, llvm::SCEVLoopAddRecRewriter::rewrite(one.offset, at, evolution_));
    }
  }

  /// Straight iterations that the loop around them does not change are loaded before it.
  bool leaves_outer_loop(const Candidate &one) const {
    const llvm::Loop *outer = one.loop ? one.loop->getParentLoop() : nullptr;
    const auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(one.offset);
    if (!outer || one.access.location.kind != AccessLocation::Kind::Load || !steps || steps->getLoop() != one.loop ||
        !evolution_.isLoopInvariant(steps->getStart(), outer))
      return false;
    return one.crosses_barriers || llvm::none_of(outer->blocks(), [&](const llvm::BasicBlock *block) {
             return llvm::any_of(*block, [&](const llvm::Instruction &instruction) {
               return lower::is_barrier_to_loads(instruction) || may_write_there(instruction, *one.access.pointer);
             });
           });
  }

  /// ptxas tells shared arrays apart, and memories.
  static bool may_write_there(const llvm::Instruction &instruction, const llvm::Value &pointer) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || store->getPointerAddressSpace() != pointer.getType()->getPointerAddressSpace())
      return false;
    const llvm::Value *to = llvm::getUnderlyingObject(store->getPointerOperand());
    const llvm::Value *from = llvm::getUnderlyingObject(&pointer);
    return to == from || !llvm::isa<llvm::GlobalVariable>(to) || !llvm::isa<llvm::GlobalVariable>(from);
  }

  bool are_apart(const Candidate &one, const Candidate &other) const {
    return one.loop == other.loop || (one.region != other.region && !(one.crosses_barriers && other.crosses_barriers));
  }

  void compare(const std::vector<std::size_t> &accesses) {
    BytesOfRest of_rest;
    for (const std::size_t i : accesses)
      append_iterations(of_rest, i);
    if (count_ >= kMostBytes) // too many to tell
      met_.insert(accesses.begin(), accesses.end());
    for (auto &[rest, bytes] : of_rest) {
      llvm::sort(bytes, [](const Bytes &a, const Bytes &b) {
        return std::pair(a.begin, a.access) < std::pair(b.begin, b.access);
      });
      // What no iteration changes, as far as it is known, is there once for each of them.
      bytes.erase(
          std::unique(bytes.begin(), bytes.end(),
                      [](const Bytes &a, const Bytes &b) { return a.begin == b.begin && a.access == b.access; }),
          bytes.end());
      for (std::size_t i = 0; i < bytes.size(); ++i)
        for (std::size_t k = i + 1; k < bytes.size() && bytes[k].begin < bytes[i].end; ++k)
          if (!are_apart(all_[bytes[i].access], all_[bytes[k].access])) {
            met_.insert(bytes[i].access);
            met_.insert(bytes[k].access);
          }
    }
  }

  const CompilerRules &rules_;
  llvm::ScalarEvolution &evolution_;
  BarrierRegions regions_;
  std::vector<Candidate> all_;
  std::set<std::size_t> met_;
  std::size_t count_ = 0;
};

} // namespace

std::vector<SourceAccess> accesses_beside_iterations(llvm::Function &kernel, const llvm::LoopInfo &loops,
                                                     llvm::ScalarEvolution &evolution, const CompilerRules &rules) {
  return StraightIterations(kernel, loops, evolution, rules).run();
}

} // namespace smem
