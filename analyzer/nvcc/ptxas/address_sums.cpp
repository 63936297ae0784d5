#include "nvcc/ptxas/address_sums.h"

#include <algorithm>
#include <bit>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/cicc/unrolling.h"
#include "nvcc/facts/machine.h"
#include "nvcc/ptxas/reduced_addresses.h"
#include "nvcc/ptxas/trailing_zeros.h"

namespace smem::lower {
namespace {

/// What a number is modulo a power of two.
struct Residue {
  std::uint32_t value = 0;
  unsigned bits = 0;
};

using Residues = std::map<const llvm::PHINode *, std::optional<Residue>>;

/// Of a counter that starts from a constant and moves by constants, through the phis of loops one behind the other. Nothing: whatever the phi
/// that it comes from is.
std::optional<Residue> residue_of(const llvm::Value *value, Residues &known) {
  using namespace llvm::PatternMatch;
  const llvm::Value *a = nullptr;
  const llvm::APInt *c = nullptr;
  if (match(value, m_APInt(c)))
    return Residue{static_cast<std::uint32_t>(c->sextOrTrunc(32).getZExtValue()), 32};
  if (match(value, m_Add(m_Value(a), m_APInt(c)))) {
    std::optional<Residue> residue = residue_of(a, known);
    if (residue)
      residue->value += static_cast<std::uint32_t>(c->sextOrTrunc(32).getZExtValue());
    return residue;
  }
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
  if (!phi)
    return Residue{};
  if (const auto [entry, fresh] = known.try_emplace(phi, std::nullopt); !fresh)
    return entry->second;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Value *incoming : phi->incoming_values()) {
      const std::optional<Residue> one = residue_of(incoming, known);
      std::optional<Residue> &all = known[phi];
      if (!one)
        continue;
      if (!all) {
        all = one;
        changed = true;
        continue;
      }
      const unsigned bits =
          std::min({all->bits, one->bits, static_cast<unsigned>(std::countr_zero(all->value ^ one->value))});
      changed |= bits < all->bits;
      all->bits = bits;
    }
  }
  return known[phi];
}

/// The number of 32 bits that all values which come into a phi extend: GVN makes such phis of an index that both sides of a branch need.
const llvm::Value *extended_by_all(const llvm::Value *value) {
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
  if (!phi)
    return nullptr;
  const llvm::Value *all = nullptr;
  for (const llvm::Value *incoming : phi->incoming_values()) {
    const auto *extension = llvm::dyn_cast<llvm::CastInst>(incoming);
    if (!extension || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension) ||
        !extension->getSrcTy()->isIntegerTy(32) || (all && all != extension->getOperand(0)))
      return nullptr;
    all = extension->getOperand(0);
  }
  return all;
}

} // namespace

AddressSums::AddressSums(llvm::Function &kernel, const SharedOffsets &offsets, const llvm::DominatorTree &tree,
                         const llvm::LoopInfo &loops)
    : layout_(kernel.getDataLayout()), offsets_(offsets), loops_(loops), conditions_(kernel, tree) {}

AddressSum AddressSums::of(const llvm::Value *pointer) {
  AddressSum sum;
  add_pointer(pointer, 1, sum);
  if (sum.factors.size() == 1)
    if (const std::uint64_t *offset = offset_of(sum.factors.begin()->first)) {
      sum.constant += sum.factors.begin()->second * static_cast<std::uint32_t>(*offset);
      sum.factors.clear();
    }
  count_from_constant(sum);
  return sum;
}

std::optional<std::uint32_t> AddressSums::step_from_variable(const AddressSum &sum, const llvm::Loop &loop) const {
  using namespace llvm::PatternMatch;
  std::optional<std::uint32_t> step;
  bool variable = false;
  for (const auto &[value, factor] : sum.factors) {
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
    const llvm::APInt *each = nullptr;
    if (phi && phi->getParent() == loop.getHeader() && loop.getLoopLatch() &&
        match(phi->getIncomingValueForBlock(loop.getLoopLatch()), m_Add(m_Specific(phi), m_APInt(each))))
      step = factor * static_cast<std::uint32_t>(each->sextOrTrunc(32).getZExtValue());
    else
      variable |= !offset_of(value);
  }
  return variable ? step : std::nullopt;
}

unsigned AddressSums::zeros_by_conditions(const llvm::Value *value) const {
  using namespace llvm::PatternMatch;
  const llvm::Value *from = nullptr;
  while (match(value, m_ZExtOrSExt(m_Value(from))))
    value = from;
  const auto *shift = llvm::dyn_cast<llvm::Instruction>(value);
  const llvm::APInt *bits = nullptr;
  if (!shift || !match(shift, m_CombineOr(m_Shr(m_Value(), m_APInt(bits)),
                                          m_And(m_Shr(m_Value(), m_APInt(bits)), m_APInt(bits)))))
    return 0;
  return conditions_.at(*value, *shift).Zero.countr_one();
}

bool AddressSums::is_plain(const AddressSum &sum) const {
  return std::all_of(sum.factors.begin(), sum.factors.end(), [&](const auto &part) {
    if (part.first->getType()->isPointerTy())
      return offset_of(part.first) || !llvm::isa<llvm::PHINode, llvm::SelectInst>(part.first);
    return part.second % 16 == 0 || is_product(part.first) ||
           std::max(TrailingZeros(layout_).of(part.first), zeros_by_conditions(part.first)) == 0;
  });
}

std::uint32_t AddressSums::alignment(const AddressSum &sum) const {
  unsigned zeros = 10;
  for (const auto &[value, factor] : sum.factors) {
    unsigned known = 0;
    if (const std::uint64_t *offset = offset_of(value))
      known = *offset ? static_cast<unsigned>(std::countr_zero(*offset)) : 10;
    else if (value->getType()->isPointerTy())
      known = TrailingZeros(layout_, &offsets_).of(value);
    else
      known = value == sum.counter ? sum.counter_zeros
                                   : std::max(TrailingZeros(layout_).of(value), zeros_by_conditions(value));
    const auto apart = sum.apart.find(value);
    const auto of_factor = static_cast<unsigned>(std::countr_zero(factor));
    zeros = std::min(zeros, known + (apart == sum.apart.end() ? of_factor : std::min(of_factor, apart->second)));
  }
  return 1u << zeros;
}

void AddressSums::count_from_constant(AddressSum &sum) const {
  const llvm::PHINode *counter = nullptr;
  std::uint32_t factor = 0;
  for (const auto &[value, times] : sum.factors) {
    if (offset_of(value))
      continue;
    if (counter || !llvm::isa<llvm::PHINode>(value) || !value->getType()->isIntegerTy())
      return;
    counter = llvm::cast<llvm::PHINode>(value);
    factor = times;
  }
  const llvm::Loop *loop = counter ? loops_.getLoopFor(counter->getParent()) : nullptr;
  if (!counter || (loop && is_told_to_unroll(*loop)))
    return;
  Residues known;
  const std::optional<Residue> residue = residue_of(counter, known);
  if (!residue || residue->bits >= 32 || residue->bits <= TrailingZeros(layout_).of(counter))
    return;
  const std::uint32_t start = residue->value & ((1u << residue->bits) - 1);
  sum.counter = counter;
  sum.counter_zeros = residue->bits;
  sum.constant += factor * start;
}

bool AddressSums::is_product(const llvm::Value *value) {
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return true;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
    return llvm::all_of(instruction->operands(), [](const llvm::Use &operand) { return is_product(operand); });
  case llvm::Instruction::PHI:
  case llvm::Instruction::Call: return true;
  default: return false;
  }
}

const std::uint64_t *AddressSums::offset_of(const llvm::Value *value) const {
  const auto offset = offsets_.find(llvm::dyn_cast<llvm::GlobalVariable>(value));
  return offset == offsets_.end() ? nullptr : &offset->second;
}

void AddressSums::add_pointer(const llvm::Value *pointer, std::uint32_t factor, AddressSum &sum) {
  if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    add_pointer(gep->getPointerOperand(), factor, sum);
    std::map<const llvm::Value *, std::uint32_t>
        in_others; // of this access's indices, and of the address that it is computed from
    if (is_reduced(*gep))
      in_others = sum.factors;
    for (auto index = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); index != end; ++index) {
      if (llvm::StructType *type = index.getStructTypeOrNull()) {
        const auto field = llvm::cast<llvm::ConstantInt>(index.getOperand())->getZExtValue();
        sum.constant +=
            factor * static_cast<std::uint32_t>(
                         layout_.getStructLayout(type)->getElementOffset(static_cast<unsigned>(field)).getFixedValue());
        continue;
      }
      const auto stride = static_cast<std::uint32_t>(index.getSequentialElementStride(layout_).getFixedValue());
      AddressSum own;
      add_integer(index.getOperand(), factor * stride, own);
      sum.constant += own.constant;
      sum.by_bits |= own.by_bits;
      sum.has_or |= own.has_or;
      sum.from_constant |= own.from_constant;
      sum.by_minimum |= own.by_minimum;
      for (const auto &[value, times] : own.factors) {
        if (const auto [others, first] = in_others.try_emplace(value, times); !first) {
          others->second |= times;
          sum.apart[value] = static_cast<unsigned>(std::countr_zero(others->second));
        }
        sum.add(value, times);
      }
    }
    return;
  }
  if (const auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer);
      cast && cast->getSrcAddressSpace() == kShared)
    return add_pointer(cast->getPointerOperand(), factor, sum);
  sum.add(pointer, factor);
}

namespace {

/// Is it a mask of something, or a sum or difference with one?
bool is_masked(const llvm::Value *value) {
  using namespace llvm::PatternMatch;
  const llvm::Value *a = nullptr, *b = nullptr;
  if (match(value, m_Add(m_Value(a), m_Value(b))) || match(value, m_Sub(m_Value(a), m_Value(b))))
    return match(a, m_And(m_Value(), m_Constant())) || match(b, m_And(m_Value(), m_Constant()));
  return match(value, m_And(m_Value(), m_Constant()));
}

/// nvcc knows the low bits of a maximum, and none of a minimum (112 kernels of 47 expressions, PTX read): of how many of `value` does LLVM know by one? Of a
/// minimum of 64 bits it makes a multiple (`min(2 * t, 62)`: twice a minimum), which is taken for one of all that are known.
unsigned zeros_by_minimum(const llvm::Value *value, const llvm::DataLayout &layout) {
  const unsigned known = llvm::computeKnownBits(value, layout).countMinTrailingZeros();
  if (known == 0)
    return 0;
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  llvm::SmallVector<const llvm::Value *> open{value};
  bool any = false, wide = false;
  while (!open.empty()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!instruction || !seen.insert(instruction).second ||
        !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::MinMaxIntrinsic>(instruction))
      continue;
    if (const auto *either = llvm::dyn_cast<llvm::MinMaxIntrinsic>(instruction))
      if (const auto which = either->getIntrinsicID();
          which == llvm::Intrinsic::smin || which == llvm::Intrinsic::umin) {
        any = true;
        wide |= either->getType()->isIntegerTy(64);
      }
    open.append(instruction->value_op_begin(), instruction->value_op_end());
  }
  return !any ? 0 : wide ? known : known - std::min(known, TrailingZeros(layout).of(value));
}

} // namespace

void AddressSums::add_integer(const llvm::Value *value, std::uint32_t factor, AddressSum &sum) {
  using namespace llvm::PatternMatch;
  const llvm::Value *a = nullptr, *b = nullptr;
  const llvm::APInt *c = nullptr;
  const unsigned width = value->getType()->getIntegerBitWidth();
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    sum.constant += factor * static_cast<std::uint32_t>(constant->getValue().sextOrTrunc(32).getZExtValue());
  } else if (width > 32 && (match(value, m_SExt(m_Value(a))) || match(value, m_ZExt(m_Value(a)))) &&
             a->getType()->getIntegerBitWidth() == 32) {
    add_integer(a, factor, sum); // shared addresses have 32 bits: what an extension adds falls away
  } else if (width > 32 && extended_by_all(value)) {
    add_integer(extended_by_all(value), factor, sum);
  } else if (width == 32 && match(value, m_Trunc(m_Value(a)))) {
    add_integer(a, factor, sum);
  } else if (width < 32) {
    sum.add(value, factor);
  } else if (match(value, m_Add(m_Value(a), m_Value(b))) || match(value, m_DisjointOr(m_Value(a), m_Value(b)))) {
    // LLVM 19 knows bits by the conditions that lead to a block, too, and narrows masks by them; nvcc does not.
    const bool was_shifted = match(b, m_APInt(c)) && c->getActiveBits() <= zeros_by_conditions(a);
    sum.by_bits |= llvm::cast<llvm::Operator>(value)->getOpcode() == llvm::Instruction::Or && !was_shifted &&
                   (is_masked(a) || !llvm::haveNoCommonBitsSet(a, b, llvm::SimplifyQuery(layout_)));
    sum.has_or |= llvm::cast<llvm::Operator>(value)->getOpcode() == llvm::Instruction::Or;
    sum.by_minimum |= zeros_by_minimum(a, layout_) != 0;
    add_integer(a, factor, sum);
    add_integer(b, factor, sum);
  } else if (match(value, m_Sub(m_Value(a), m_Value(b)))) {
    if (match(a, m_APInt(c))) {
      AddressSum taken;
      add_integer(b, factor, taken);
      const std::uint32_t from = factor * static_cast<std::uint32_t>(c->sextOrTrunc(32).getZExtValue());
      sum.from_constant |= from % std::min<std::uint32_t>(alignment(taken), kWidestAccess) != 0;
    }
    add_integer(a, factor, sum);
    add_integer(b, 0 - factor, sum);
  } else if (match(value, m_Mul(m_Value(a), m_APInt(c)))) {
    add_integer(a, factor * static_cast<std::uint32_t>(c->sextOrTrunc(32).getZExtValue()), sum);
  } else if (match(value, m_Shl(m_Value(a), m_APInt(c))) && c->ult(32)) {
    add_integer(a, factor << c->getZExtValue(), sum);
  } else if (match(value, m_Or(m_Value(a), m_APInt(c))) && cleared(a, *c, value)) {
    // x | 63 is (x & ~63) + 63, where the code has the former as the base of others.
    add_integer(cleared(a, *c, value), factor, sum);
    sum.constant += factor * static_cast<std::uint32_t>(c->sextOrTrunc(32).getZExtValue());
  } else if (match(value, m_And(m_Value(a), m_APInt(c))) && !c->isZero() && c->countr_zero() < 32) {
    // x & -64 is (x >> 6) * 64: one base, whichever way InstCombine wrote it.
    const unsigned shift = c->countr_zero();
    const llvm::Value *shifted = shifted_right(a, shift);
    const bool whole = shifted && ((~*c & ~llvm::computeKnownBits(a, layout_).Zero).lshr(shift)).isZero();
    if (whole)
      sum.add(shifted, factor << shift);
    else
      sum.add(cleared(a, ~*c, value), factor); // one for all that are equal: each block may compute it
  } else {
    sum.add(value, factor);
  }
}

const llvm::Value *AddressSums::cleared(const llvm::Value *value, const llvm::APInt &mask,
                                        const llvm::Value *at) const {
  using namespace llvm::PatternMatch;
  const llvm::APInt zeros = conditions_.at(*value, *llvm::cast<llvm::Instruction>(at)).Zero;
  const llvm::APInt *kept = nullptr;
  for (const llvm::User *user : value->users())
    if (match(user, m_And(m_Specific(value), m_APInt(kept))) && ((*kept ^ ~mask) & ~zeros).isZero())
      return user;
  return nullptr;
}

const llvm::Value *AddressSums::shifted_right(const llvm::Value *value, unsigned shift) {
  using namespace llvm::PatternMatch;
  for (const llvm::User *user : value->users())
    if (match(user, m_LShr(m_Specific(value), m_SpecificInt(shift))))
      return user;
  return nullptr;
}

} // namespace smem::lower
