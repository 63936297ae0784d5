#include "nvcc/cicc/unrolled_alike.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/machine.h"

namespace smem {
namespace {

constexpr std::uint64_t kMostValuesOfScale =
    1 << 16; ///< of a type's size and a row's length, of which a few are multiplied

constexpr std::size_t kMostValuesOfLoop = 64; ///< accesses of one array that are compared with each other

/// Of one loop, between whose iterations every thread passes a barrier.
class Halves {
public:
  Halves(const llvm::Loop &loop, const BarrierRegions &regions) : loop_(loop), regions_(regions) {}

  bool begins_with(const SourceAccess &access) const {
    return regions_.may_follow(*loop_.getHeader()->getFirstNonPHI(), *access.instruction);
  }
  bool ends_with(const SourceAccess &access) const {
    return regions_.may_follow(*access.instruction, *loop_.getLoopLatch()->getTerminator());
  }

private:
  const llvm::Loop &loop_;
  const BarrierRegions &regions_;
};

bool passes_barrier(const llvm::Loop &loop, const llvm::DominatorTree &tree) {
  return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock *block) {
    return tree.dominates(block, loop.getLoopLatch()) && llvm::any_of(*block, is_barrier_itself);
  });
}

/// Does each iteration move `value` by that many bytes or more, or by what is not known, in one term of a sum?
bool moves_far(const llvm::SCEV *value, const llvm::Loop &loop, llvm::ScalarEvolution &evolution,
               std::uint64_t factor = 1) {
  if (const auto *moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value)) {
    if (moving->getLoop() != &loop || !moving->isAffine())
      return false;
    const auto *step = llvm::dyn_cast<llvm::SCEVConstant>(moving->getStepRecurrence(evolution));
    return !step || step->getAPInt().abs().uge(llvm::divideCeil(std::uint64_t{kWidestAccess}, factor));
  }
  const llvm::SCEV *term = nullptr;
  for (const llvm::SCEV *operand : value->operands()) {
    if (evolution.isLoopInvariant(operand, &loop))
      continue;
    if (term)
      return false;
    term = operand;
  }
  if (!term)
    return false;
  if (llvm::isa<llvm::SCEVAddExpr, llvm::SCEVSignExtendExpr, llvm::SCEVZeroExtendExpr>(value))
    return moves_far(term, loop, evolution, factor);
  const auto *scale = llvm::isa<llvm::SCEVMulExpr>(value) && value->operands().size() == 2
                          ? llvm::dyn_cast<llvm::SCEVConstant>(value->operands()[0])
                          : nullptr;
  return scale && scale->getAPInt().isStrictlyPositive() && scale->getAPInt().ult(kMostValuesOfScale) &&
         moves_far(term, loop, evolution, factor * scale->getAPInt().getZExtValue());
}

} // namespace

bool is_unrolled_alike(const SourceAccess &access, const llvm::Loop &loop, std::span<const SourceAccess> accesses,
                       const BarrierRegions &regions, const llvm::DominatorTree &tree,
                       llvm::ScalarEvolution &evolution) {
  const llvm::BasicBlock *latch = loop.getLoopLatch();
  if (!latch || access.location.kind == AccessLocation::Kind::Atomic)
    return false;
  const llvm::Value *array = llvm::getUnderlyingObject(access.pointer);
  std::vector<const SourceAccess *> others; // of the array, in the loop
  for (const SourceAccess &other : accesses)
    if (other.instruction != access.instruction && loop.contains(other.instruction) &&
        llvm::getUnderlyingObject(other.pointer) == array)
      others.push_back(&other);
  if (others.size() > kMostValuesOfLoop)
    return false;
  if (access.shared && llvm::isa<llvm::GlobalVariable>(array) && passes_barrier(loop, tree)) {
    const Halves halves(loop, regions);
    const bool begins = halves.begins_with(access), ends = halves.ends_with(access);
    return llvm::none_of(others, [&](const SourceAccess *other) {
      return (begins && halves.ends_with(*other)) || (ends && halves.begins_with(*other));
    });
  }
  return loop.isInnermost() && tree.dominates(access.instruction->getParent(), latch) &&
         moves_far(evolution.getSCEV(access.pointer), loop, evolution) &&
         llvm::all_of(others, [&](const SourceAccess *other) {
           return evolution.getSCEV(other->pointer) == evolution.getSCEV(access.pointer);
         });
}

} // namespace smem
