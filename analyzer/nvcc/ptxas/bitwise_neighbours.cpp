#include "nvcc/ptxas/bitwise_neighbours.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/machine.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

constexpr std::uint64_t kMostValuesOfCounter = 8; ///< that the unrolled body is looked at
constexpr std::uint32_t kMostValuesOfOthers =
    64; ///< of values for what the loop does not change: enough for a mask or remainder to wrap
constexpr unsigned kMostIterations =
    32;                           ///< of a loop that becomes straight code, within which the first neighbours are
constexpr unsigned kDeepest = 24; ///< operations between the counter and an address

/// Whether what the loop does not change has the ones that it always has: with these `(4 * t + 3) ^ k` is `4 * t + 3 - k`. Of zeros nvcc knows itself that what fills them is added.
enum class Ones { Any, Known };

/// Integers of one iteration, where what comes from outside of the loop is made up, the same in all iterations.
class Iteration {
public:
  Iteration(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, std::uint64_t number, std::uint32_t choice,
            Ones ones)
      : loop_(loop), evolution_(evolution), number_(number), ones_(ones), made_up_(choice + 1) {}

  /// What is added to the array's address, if integer operations lead there.
  std::optional<std::int32_t> offset_of(const llvm::Value &pointer) {
    std::uint64_t sum = 0; // wraps around as addresses do
    const llvm::Value *from = &pointer;
    for (from = from->stripPointerCasts(); const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(from);
         from = gep->getPointerOperand()->stripPointerCasts()) {
      const llvm::DataLayout &layout = loop_.getHeader()->getDataLayout();
      const unsigned width = layout.getIndexTypeSizeInBits(gep->getType());
      llvm::MapVector<llvm::Value *, llvm::APInt> scales;
      llvm::APInt constant(width, 0);
      if (!gep->collectOffset(layout, width, scales, constant))
        return std::nullopt;
      sum += static_cast<std::uint64_t>(constant.getSExtValue());
      for (const auto &[index, scale] : scales) {
        const llvm::Constant *value = value_of(*index, 0);
        const auto *number = value ? llvm::dyn_cast<llvm::ConstantInt>(value) : nullptr;
        if (!number)
          return std::nullopt;
        sum += number->getValue().sextOrTrunc(64).getZExtValue() * static_cast<std::uint64_t>(scale.getSExtValue());
      }
    }
    return llvm::isa<llvm::GlobalVariable>(from) ? std::optional(static_cast<std::int32_t>(sum)) : std::nullopt;
  }

private:
  llvm::Constant *value_of(llvm::Value &value, unsigned depth) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(&value))
      return constant;
    if (!value.getType()->isIntegerTy() || depth > kDeepest)
      return nullptr;
    const auto [known, fresh] = known_.try_emplace(&value, nullptr);
    if (!fresh)
      return known->second;
    llvm::Constant *result = compute(value, depth);
    return known_[&value] = result;
  }

  llvm::Constant *compute(llvm::Value &value, unsigned depth) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !loop_.contains(instruction))
      return llvm::ConstantInt::get(value.getContext(), made_up_of(value));
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&value));
        recurrence && recurrence->getLoop() == &loop_ && recurrence->isAffine()) {
      const auto *start = llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStart());
      const auto *step = llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution_));
      if (start && step) {
        const llvm::APInt number = llvm::APInt(64, number_).zextOrTrunc(start->getAPInt().getBitWidth());
        return llvm::ConstantInt::get(value.getContext(), start->getAPInt() + step->getAPInt() * number);
      }
    }
    if (llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory() ||
        llvm::isa<llvm::CallBase>(instruction))
      return nullptr;
    llvm::SmallVector<llvm::Constant *> operands;
    for (llvm::Value *operand : instruction->operands())
      if (operands.push_back(value_of(*operand, depth + 1)); !operands.back())
        return nullptr;
    if (const auto *bits = llvm::dyn_cast<llvm::PossiblyDisjointInst>(instruction); bits && bits->isDisjoint())
      return llvm::ConstantExpr::getAdd(operands[0], operands[1]); // what is made up has any bits
    return llvm::ConstantFoldInstOperands(instruction, operands, instruction->getDataLayout());
  }

  llvm::APInt made_up_of(const llvm::Value &value) {
    const llvm::APInt any = llvm::APInt(64, made_up()).zextOrTrunc(value.getType()->getIntegerBitWidth());
    return ones_ == Ones::Any ? any : any | llvm::computeKnownBits(&value, loop_.getHeader()->getDataLayout()).One;
  }

  /// Mostly a little before a multiple of a power of two, where what masks and remainders make of an index begins again.
  std::uint64_t made_up() {
    constexpr unsigned deepest = 12, most_times = 64, most_before = 8;
    const std::uint64_t unit = std::uint64_t{1} << made_up_() % deepest, times = 1 + made_up_() % most_times;
    const std::uint64_t before = made_up_() % most_before;
    return unit * times > before ? unit * times - before : before;
  }

  const llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  std::uint64_t number_;
  Ones ones_;
  std::minstd_rand made_up_; ///< gives the same in all iterations
  llvm::DenseMap<const llvm::Value *, llvm::Constant *> known_;
};

/// Volatile ones are never merged.
bool is_simple(const llvm::Instruction &access) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&access);
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&access);
  return load ? load->isSimple() : store && store->isSimple();
}

/// Is an index in the loop put together from bits (`(lane & 31) << 8 | k`)? What is added to it after that, LLVM does not know to be added.
bool is_of_bits(const llvm::Loop &loop, const llvm::Value &value) {
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  std::vector<const llvm::Value *> open{&value};
  while (!open.empty()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(open.back());
    open.pop_back();
    if (!instruction || !loop.contains(instruction) || llvm::isa<llvm::PHINode>(instruction) ||
        instruction->mayReadOrWriteMemory() || !seen.insert(instruction).second)
      continue;
    if (instruction->getOpcode() == llvm::Instruction::Or)
      return true;
    open.insert(open.end(), instruction->value_op_begin(), instruction->value_op_end());
  }
  return false;
}

bool steps_on(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::Value &pointer) {
  const llvm::SCEV *address = evolution.getSCEV(&pointer);
  const llvm::SCEV *offset =
      evolution.getTruncateOrNoop(evolution.removePointerBase(address), llvm::Type::getInt32Ty(pointer.getContext()));
  const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(offset);
  return evolution.isLoopInvariant(offset, &loop) ||
         (recurrence && recurrence->getLoop() == &loop && recurrence->isAffine() && !is_of_bits(loop, pointer));
}

/// Are two of `count` iterations always as far apart, and less than one access reaches?
bool keeps_neighbours(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count,
                      const llvm::Value &pointer, Ones ones) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::int64_t> near; // of two iterations: how far apart
  for (std::uint32_t choice = 0; choice < kMostValuesOfOthers; ++choice)
    for (std::uint64_t time = 0; time < kMostValuesOfCounter; ++time) {
      std::vector<std::int64_t> offsets; // of 32 bits, as shared memory's are
      for (std::uint64_t i = 0; i < count; ++i)
        if (const auto offset = Iteration(loop, evolution, time * count + i, choice, ones).offset_of(pointer))
          offsets.push_back(*offset);
        else
          return false;
      if (choice == 0 && time == 0) {
        for (std::uint64_t i = 0; i < count; ++i)
          for (std::uint64_t j = i + 1; j < count; ++j)
            if (const std::int64_t apart = offsets[j] - offsets[i];
                apart != 0 && std::abs(apart) < std::int64_t{kWidestAccess})
              near[{i, j}] = apart;
      } else {
        std::erase_if(near, [&](const auto &pair) {
          return offsets[pair.first.second] - offsets[pair.first.first] != pair.second;
        });
      }
      if (near.empty())
        return false;
    }
  return true;
}

/// Shared accesses whose addresses do not step on by a constant.
std::vector<SourceAccess> candidates(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  std::vector<SourceAccess> accesses;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (const std::optional<SourceAccess> access = access_of(instruction);
          access && access->shared && is_simple(instruction) && !steps_on(loop, evolution, *access->pointer))
        accesses.push_back(*access);
  return accesses;
}

} // namespace

std::vector<llvm::Instruction *> bitwise_neighbours(const llvm::Loop &loop, llvm::ScalarEvolution &evolution,
                                                    unsigned count) {
  std::vector<llvm::Instruction *> result;
  for (const SourceAccess &access : candidates(loop, evolution))
    if (keeps_neighbours(loop, evolution, count, *access.pointer, Ones::Known))
      result.push_back(access.instruction);
  return result;
}

void note_neighbours_by_ones(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count) {
  const unsigned first = std::min(count, kMostIterations);
  for (const SourceAccess &access : candidates(loop, evolution))
    if (keeps_neighbours(loop, evolution, first, *access.pointer, Ones::Known) &&
        !keeps_neighbours(loop, evolution, first, *access.pointer, Ones::Any))
      raise_uncertainty(Uncertainty::Vectorisation, *access.instruction->getFunction(), access.location);
}

} // namespace smem
