#include "nvcc/ptxas/loop_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/machine.h"
#include "nvcc/facts/loop_length.h"

namespace smem {
namespace {

/// What machine code has of a loop's body.
struct Body {
  unsigned instructions = 0, global_loads = 0;
  bool branches = false, calls = false;
  bool scattered = false; ///< a global load whose address is more than a base and the loop's counter
};

bool is_shared(const llvm::Value &pointer) {
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(&pointer));
  return pointer.getType()->getPointerAddressSpace() == kShared || (variable && variable->getAddressSpace() == kShared);
}

Body body_of(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, const CompilerRules &rules) {
  Body body;
  body.branches = loop.getNumBlocks() > 1;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        body.calls |= !llvm::isa<llvm::IntrinsicInst>(call) || call->isConvergent();
        const llvm::Function *callee = call->getCalledFunction();
        if (callee && callee->getName().contains("sqrt"))
          body.instructions += rules.exact_division_size; // as is a division, exact rounding is a long way round
        continue;
      }
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (llvm::isa<llvm::LoadInst>(instruction) && !is_shared(*pointer)) {
        ++body.global_loads;
        const auto *recurrence =
            llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<llvm::Value *>(pointer)));
        const auto *step = recurrence && recurrence->isAffine()
                               ? llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution))
                               : nullptr;
        const auto size = instruction.getDataLayout().getTypeStoreSize(instruction.getType()).getFixedValue();
        body.scattered |= !step || step->getAPInt().abs() != size;
      }
      // Products of floating point mostly fuse with the sum behind them, additions to addresses go into the access.
      const bool folds =
          instruction.getOpcode() == llvm::Instruction::FMul ||
          (instruction.getOpcode() == llvm::Instruction::Add && llvm::isa<llvm::Constant>(instruction.getOperand(1)));
      const bool computes = instruction.isBinaryOp() && !folds;
      const bool divides = instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv;
      body.instructions +=
          divides ? (llvm::isa<llvm::Constant>(instruction.getOperand(1)) ? rules.constant_division_size.value
                                                                          : rules.exact_division_size.value)
          : pointer || computes || llvm::isa<llvm::AtomicRMWInst>(instruction) ||
                  instruction.getOpcode() == llvm::Instruction::FMul
              ? 1
              : 0;
    }
  return body;
}

} // namespace

Chunks chunks_of(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count, const CompilerRules &rules) {
  const auto *branch =
      loop.getLoopLatch() ? llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator()) : nullptr;
  const auto *test =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (loop.getExitingBlock() != loop.getLoopLatch() || !test)
    return Chunks::Unlikely; // rolled, but where its lanes meet again is another matter
  const llvm::SCEVAddRecExpr *counter = nullptr;
  for (const llvm::Use &operand : test->operands())
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(operand));
        recurrence && recurrence->getLoop() == &loop)
      counter = recurrence;
  if (is_inclusive(loop, *branch, *test))
    return Chunks::Unlikely;
  if (!counter || !counter->isAffine() || !llvm::isa<llvm::SCEVConstant>(counter->getStepRecurrence(evolution)))
    return Chunks::No;
  const Body body = body_of(loop, evolution, rules);
  if (body.calls)
    return Chunks::Unlikely;
  if (body.instructions * count > rules.unroll_never_size || body.global_loads * count >= rules.unroll_never_loads)
    return Chunks::No;
  if (body.branches || body.instructions * count > rules.unroll_likely_size ||
      body.global_loads * count > rules.unroll_likely_loads)
    return Chunks::Unlikely;
  // Loops that count from a constant run down to zero in PTX; ptxas unrolls some of these and not others.
  const bool from_constant = llvm::isa<llvm::SCEVConstant>(counter->getStart());
  if (count > 1 && from_constant && body.scattered)
    return Chunks::Unlikely;
  if (count == 1 && (!test->isSigned() || computable_length(loop, evolution) == Computable::No))
    return Chunks::Unlikely;
  return Chunks::Likely;
}

namespace {

/// A shared load or store of 4 or 8 bytes that steps through its array by its size.
struct SteppingWord {
  llvm::Instruction *access;
  std::uint64_t size;
  bool descends;
  bool from_constant; ///< it begins at an address that is known
  std::uint64_t
      alignment; ///< that the address is known by, up to the widest access: all of it, or beside the constant in it
  std::uint64_t phase; ///< of the address, modulo that
};

std::vector<SteppingWord> stepping_words(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, bool stores) {
  std::vector<SteppingWord> result;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto *store = stores ? llvm::dyn_cast<llvm::StoreInst>(&instruction) : nullptr;
      const llvm::Value *accessed = llvm::getLoadStorePointerOperand(&instruction);
      if (!(load && load->isSimple()) && !(store && store->isSimple()))
        continue;
      if (!is_shared(*accessed))
        continue;
      // Addresses in shared memory have 32 bits: whether an index was extended with or without its sign makes no difference.
      const llvm::SCEV *pointer = evolution.getSCEV(const_cast<llvm::Value *>(accessed));
      const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getTruncateOrNoop(
          evolution.removePointerBase(pointer), llvm::Type::getInt32Ty(instruction.getContext())));
      const auto *step = recurrence && recurrence->isAffine() && recurrence->getLoop() == &loop
                             ? llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution))
                             : nullptr;
      const auto size =
          instruction.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
      if (!step || step->getAPInt().abs() != size || (size != 4 && size != 8))
        continue;
      const llvm::SCEV *start = recurrence->getStart();
      const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(start);
      const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(sum ? sum->getOperand(0) : start);
      std::uint64_t alignment = kWidestAccess;
      for (const llvm::SCEV *term : sum ? sum->operands() : llvm::ArrayRef(start))
        if (term != constant)
          alignment = std::min(alignment, std::uint64_t{1} << std::min(evolution.getMinTrailingZeros(term), 16U));
      result.push_back({&instruction, size, step->getAPInt().isNegative(), start == constant, alignment,
                        constant ? constant->getAPInt().urem(alignment) : 0});
    }
  return result;
}

/// Does the access begin at the edge of a window of `alignment` bytes from which it goes on into the window?
bool begins_window(const SteppingWord &load) {
  return load.phase == (load.descends ? load.alignment - std::min(load.alignment, load.size) : 0);
}

/// An access that a constant step takes from one iteration to the next.
struct SteppingAccess {
  llvm::Instruction *access;
  bool shared;
  const llvm::SCEV *base,
      *offset; ///< of 32 bits, as addresses in shared memory have: how far apart two are needs no more
  std::uint64_t size;
  std::uint64_t declared,
      placed;          ///< alignment that is known: by the array's declaration, and if the array's is large enough
  std::size_t row = 0; ///< of loads or of stores that are known to be so far apart
  std::int64_t at = 0; ///< in it
};

/// Rows are found once: loops that are unrolled have hundreds of accesses.
void find_rows(std::vector<SteppingAccess> &all, llvm::ScalarEvolution &evolution) {
  std::vector<const SteppingAccess *> rows; // the first access of each
  for (SteppingAccess &one : all) {
    const auto holds = [&](const SteppingAccess *first) {
      if (first->base != one.base || llvm::isa<llvm::LoadInst>(first->access) != llvm::isa<llvm::LoadInst>(one.access))
        return false;
      const auto *apart = llvm::dyn_cast<llvm::SCEVConstant>(evolution.getMinusSCEV(one.offset, first->offset));
      if (apart)
        one.at = apart->getAPInt().getSExtValue();
      return apart != nullptr;
    };
    one.row = static_cast<std::size_t>(llvm::find_if(rows, holds) - rows.begin());
    if (one.row == rows.size())
      rows.push_back(&one);
  }
}

/// Does a variable of the loop step by what is no constant (`i += blockDim.x`)? Addresses are then computed from it, and else (`i * blockDim.x`) one steps itself.
bool has_variable_step(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  return llvm::any_of(loop.getHeader()->phis(), [&](llvm::PHINode &phi) {
    const auto *recurrence =
        evolution.isSCEVable(phi.getType()) ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi)) : nullptr;
    return recurrence && recurrence->getLoop() == &loop &&
           !llvm::isa<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution));
  });
}

/// `any_step`: by the same in each iteration, whatever it is; else by a constant.
std::optional<SteppingAccess> stepping_access(llvm::Instruction &access, const llvm::Loop &loop,
                                              llvm::ScalarEvolution &evolution, bool any_step = false) {
  llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&access);
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&access);
  if (!pointer || !(load ? load->isSimple() : store->isSimple()))
    return std::nullopt;
  const llvm::SCEV *address = evolution.getSCEV(pointer);
  const llvm::SCEV *offset =
      evolution.getTruncateOrNoop(evolution.removePointerBase(address), llvm::Type::getInt32Ty(access.getContext()));
  const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(offset);
  if (!recurrence || !recurrence->isAffine() || recurrence->getLoop() != &loop ||
      !(any_step || llvm::isa<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution))))
    return std::nullopt;
  const auto *array = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer));
  const std::uint64_t placed = std::uint64_t{1} << std::min(evolution.getMinTrailingZeros(offset), 16U);
  const std::uint64_t declared = array ? array->getAlign().valueOrOne().value() : 1;
  const llvm::DataLayout &layout = access.getDataLayout();
  return SteppingAccess{&access,
                        is_shared(*pointer),
                        evolution.getPointerBase(address),
                        offset,
                        layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue(),
                        std::min(placed, declared),
                        placed};
}

} // namespace

std::vector<llvm::Instruction *> words_across_iterations(const llvm::Loop &loop, llvm::ScalarEvolution &evolution,
                                                         unsigned count, bool stays) {
  std::vector<llvm::Instruction *> result;
  for (const SteppingWord &stepping : stepping_words(loop, evolution, /*stores=*/true)) {
    const bool whole_windows = stepping.size * count % kWidestAccess == 0 && begins_window(stepping);
    if (!whole_windows && (stepping.from_constant || !stays))
      result.push_back(stepping.access);
  }
  return result;
}

std::vector<llvm::Instruction *> descending_loads(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  std::vector<llvm::Instruction *> result;
  for (const SteppingWord &stepping : stepping_words(loop, evolution, /*stores=*/false))
    if (stepping.descends)
      result.push_back(stepping.access);
  return result;
}

std::vector<llvm::LoadInst *> halves_across_iterations(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  std::vector<llvm::LoadInst *> result;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (const auto stepping = stepping_access(instruction, loop, evolution);
          stepping && stepping->shared && stepping->size == 2 && llvm::isa<llvm::LoadInst>(instruction) &&
          llvm::cast<llvm::SCEVConstant>(
              llvm::cast<llvm::SCEVAddRecExpr>(stepping->offset)->getStepRecurrence(evolution))
                  ->getAPInt()
                  .abs() == 2)
        result.push_back(llvm::cast<llvm::LoadInst>(&instruction));
  return result;
}

std::vector<llvm::Instruction *> accesses_within_window(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  std::vector<llvm::Instruction *> result;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (const auto stepping = stepping_access(instruction, loop, evolution); stepping && stepping->shared) {
        const auto *recurrence = llvm::cast<llvm::SCEVAddRecExpr>(stepping->offset);
        const auto *step = llvm::cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution));
        if (step->getAPInt().abs().ult(kWidestAccess))
          result.push_back(&instruction);
      }
  return result;
}

bool merges_in_straight_rest(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned count) {
  return count > 2 && llvm::any_of(stepping_words(loop, evolution, /*stores=*/false),
                                   [](const SteppingWord &stepping) { return stepping.alignment > stepping.size; });
}

std::vector<llvm::Instruction *> stepping_adjacent_accesses(const llvm::Loop &loop, llvm::ScalarEvolution &evolution,
                                                            bool irregular) {
  const bool any_step = !has_variable_step(loop, evolution);
  std::vector<SteppingAccess> all;
  std::vector<llvm::Instruction *> result;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (const auto stepping = stepping_access(instruction, loop, evolution, any_step))
        all.push_back(*stepping);
  find_rows(all, evolution);
  const auto distance = [](const SteppingAccess &from, const SteppingAccess &to) {
    return from.row == to.row ? std::optional(to.at - from.at) : std::nullopt;
  };
  for (const SteppingAccess &one : all) {
    // The adjacent accesses that it is one of: where they begin, and where they end.
    const SteppingAccess *first = &one;
    std::int64_t begin = 0, end = static_cast<std::int64_t>(one.size);
    std::uint64_t placed = one.placed;
    for (bool grown = true; grown;) {
      grown = false;
      for (const SteppingAccess &other : all)
        if (const auto at = distance(one, other)) {
          const auto behind = *at + static_cast<std::int64_t>(other.size);
          if ((*at >= begin && behind <= end) || *at > end || behind < begin)
            continue;
          grown = true;
          if (*at < begin)
            first = &other;
          begin = std::min(begin, *at);
          end = std::max(end, behind);
          placed = std::max(placed, other.placed);
        }
    }
    const auto span = static_cast<std::uint64_t>(end - begin);
    const bool mixed = llvm::any_of(all, [&](const SteppingAccess &other) {
      const auto at = distance(one, other);
      return at && *at >= begin && *at < end && other.size != one.size;
    });
    if (span <= one.size || placed <= one.size || (irregular && !mixed && llvm::isPowerOf2_64(span)))
      continue;
    if (one.shared ? first->declared < std::min<std::uint64_t>(kWidestAccess, llvm::PowerOf2Ceil(span)) : mixed)
      result.push_back(one.access);
  }
  return result;
}

} // namespace smem
