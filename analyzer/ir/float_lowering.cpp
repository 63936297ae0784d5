#include "ir/float_lowering.h"

#include <algorithm>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "nvcc/facts/float_attributes.h"

namespace smem::lower {
namespace {

/// More ways than this are not told apart.
constexpr std::size_t kMostAlternatives = 8;

const std::string kReason = "result of a sum of products, which may be rounded once or twice";

bool is_discrete(Opcode opcode) {
  switch (opcode) {
  case Opcode::FRound:
  case Opcode::FEq:
  case Opcode::FNe:
  case Opcode::FLt:
  case Opcode::FLe:
  case Opcode::FToS:
  case Opcode::FToU: return true;
  default: return false;
  }
}

/// A product that may be fused, behind what a compiler may move the sum before.
bool hides_product(const llvm::Value *value, llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  if (!seen.insert(value).second)
    return false;
  if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
    return hides_product(select->getTrueValue(), seen) || hides_product(select->getFalseValue(), seen);
  if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
    return llvm::any_of(phi->incoming_values(), [&](const llvm::Use &in) { return hides_product(in, seen); });
  const auto *operation = llvm::dyn_cast<llvm::FPMathOperator>(value);
  if (operation && operation->getOpcode() == llvm::Instruction::FNeg)
    return hides_product(operation->getOperand(0), seen);
  return operation && operation->getOpcode() == llvm::Instruction::FMul && operation->hasAllowContract();
}

} // namespace

FloatLowering::FloatLowering(ProgramBuilder &builder, const llvm::Function &kernel)
    : builder_(builder), flushes_(kernel.getDenormalMode(llvm::APFloat::IEEEsingle()) != llvm::DenormalMode::getIEEE()),
      approximates_division_(kernel.hasFnAttribute(kApproximateDivision)),
      approximates_root_(kernel.hasFnAttribute(kApproximateRoot)) {}

RegisterId FloatLowering::plain(Opcode opcode, std::uint8_t width, const Registers &operands, Rounding rounding) {
  return builder_.emit(opcode, width, operands, kNone, FloatMode{rounding, flushes_}.pack());
}

RegisterId FloatLowering::flipped(RegisterId a) {
  const std::uint8_t width = builder_.width(a);
  return builder_.emit(Opcode::Xor, width,
                       {a, builder_.constant(width, static_cast<std::int64_t>(std::uint64_t{1} << (width - 1)))});
}

FloatLowering::Registers FloatLowering::alternatives(RegisterId value) const {
  const auto known = alternatives_.find(value);
  return known == alternatives_.end() ? Registers{value} : known->second.values;
}

const FloatLowering::Note *FloatLowering::note_of(RegisterId value) const {
  const auto known = notes_.find(value);
  return known == notes_.end() ? nullptr : &known->second;
}

RegisterId FloatLowering::agreed(Registers values, bool discrete, const std::string &where) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() == 1)
    return values.front();
  const std::string reason = kReason + where;
  if (!discrete && values.size() > kMostAlternatives)
    return builder_.opaque(builder_.width(values.front()), reason, values);
  const RegisterId result = builder_.agree(reason, values);
  if (!discrete)
    alternatives_[result] = {std::move(values), where};
  return result;
}

template <typename F>
RegisterId FloatLowering::of_alternatives(const Registers &operands, bool discrete, F &&make, std::string where) {
  std::vector<Registers> ways{{}};
  for (const RegisterId operand : operands) {
    if (const auto known = alternatives_.find(operand); where.empty() && known != alternatives_.end())
      where = known->second.where;
    std::vector<Registers> longer;
    for (const Registers &way : ways)
      for (const RegisterId alternative : alternatives(operand)) {
        longer.push_back(way);
        longer.back().push_back(alternative);
      }
    ways = std::move(longer);
    if (ways.size() > kMostAlternatives) {
      const std::uint8_t width = builder_.width(make(operands).front());
      return builder_.opaque(width, kReason + where, operands);
    }
  }
  Registers results;
  for (const Registers &way : ways)
    for (const RegisterId result : make(way))
      results.push_back(result);
  return agreed(std::move(results), discrete, where);
}

RegisterId FloatLowering::emit(Opcode opcode, std::uint8_t width, const Registers &operands, Rounding rounding) {
  return of_alternatives(operands, is_discrete(opcode),
                         [&](const Registers &way) { return Registers{plain(opcode, width, way, rounding)}; });
}

RegisterId FloatLowering::multiply(RegisterId a, RegisterId b, bool contracts) {
  return of_alternatives({a, b}, false, [&](const Registers &way) {
    const RegisterId product = plain(Opcode::FMul, builder_.width(a), way);
    if (contracts)
      notes_[product] = {Note::Kind::Product, way[0], way[1]};
    return Registers{product};
  });
}

std::optional<RegisterId> FloatLowering::fused(RegisterId value, RegisterId summand) {
  const Note *note = note_of(value);
  if (!note || note->kind == Note::Kind::Blurred)
    return std::nullopt;
  const Note known = *note;
  const std::uint8_t width = builder_.width(value);
  if (known.kind == Note::Kind::Product)
    return plain(Opcode::FFma, width, {known.a, known.b, summand});
  const auto sum = [&](RegisterId arm) {
    return fused(arm, summand).value_or(plain(Opcode::FAdd, width, {arm, summand}));
  };
  return builder_.select(known.condition, sum(known.a), sum(known.b));
}

RegisterId FloatLowering::add(RegisterId a, RegisterId b, bool contracts, const std::string &where) {
  const std::uint8_t width = builder_.width(a);
  const auto blurred = [&](RegisterId value) {
    const Note *note = note_of(value);
    return contracts && note && note->kind == Note::Kind::Blurred;
  };
  if (blurred(a) || blurred(b))
    return builder_.opaque(width, kReason + where, {a, b});
  const auto sums_of = [&](const Registers &way) {
    Registers sums{plain(Opcode::FAdd, width, way)};
    if (contracts)
      for (const auto &[product, summand] : {std::pair(way[0], way[1]), std::pair(way[1], way[0])})
        if (const auto sum = fused(product, summand))
          sums.push_back(*sum);
    return sums;
  };
  return of_alternatives({a, b}, false, sums_of, where);
}

RegisterId FloatLowering::subtract(RegisterId a, RegisterId b, bool contracts, const std::string &where) {
  return add(a, negate(b), contracts, where);
}

RegisterId FloatLowering::divide(RegisterId a, RegisterId b) {
  if (approximates_division_ && builder_.width(a) == 32)
    return builder_.opaque(32, "result of a division that is approximated", {a, b});
  return emit(Opcode::FDiv, builder_.width(a), {a, b});
}

RegisterId FloatLowering::square_root(RegisterId a) {
  if (approximates_root_ && builder_.width(a) == 32)
    return builder_.opaque(32, "result of a square root that is approximated", {a});
  return emit(Opcode::FSqrt, builder_.width(a), {a});
}

RegisterId FloatLowering::remainder(RegisterId a, RegisterId b) {
  if (approximates_division_ && builder_.width(a) == 32)
    return builder_.opaque(32, "result of a remainder of an approximated division", {a, b});
  return emit(Opcode::FRem, builder_.width(a), {a, b});
}

RegisterId FloatLowering::negate(RegisterId a) {
  return of_alternatives({a}, false, [&](const Registers &way) {
    const RegisterId negative = flipped(way[0]);
    if (const Note *note = note_of(way[0])) {
      Note other = *note;
      if (other.kind == Note::Kind::Product)
        other.a = flipped(other.a);
      else
        other.kind = Note::Kind::Blurred;
      notes_[negative] = other;
    }
    return Registers{negative};
  });
}

RegisterId FloatLowering::absolute(RegisterId a) {
  const std::uint8_t width = builder_.width(a);
  return of_alternatives({a}, false, [&](const Registers &way) {
    return Registers{builder_.bit_and(way[0], static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1))};
  });
}

RegisterId FloatLowering::select(RegisterId condition, RegisterId yes, RegisterId no) {
  return of_alternatives({yes, no}, false, [&](const Registers &way) {
    const RegisterId chosen = builder_.select(condition, way[0], way[1]);
    const Note *first = note_of(way[0]), *second = note_of(way[1]);
    const auto is_blurred = [](const Note *note) { return note && note->kind == Note::Kind::Blurred; };
    if (chosen != way[0] && chosen != way[1] && (first || second))
      notes_[chosen] = {is_blurred(first) || is_blurred(second) ? Note::Kind::Blurred : Note::Kind::Choice, way[0],
                        way[1], condition};
    return Registers{chosen};
  });
}

void FloatLowering::note(const llvm::PHINode &phi, RegisterId value) {
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  if (phi.getType()->isFloatingPointTy() && hides_product(&phi, seen))
    notes_[value] = {Note::Kind::Blurred};
}

} // namespace smem::lower
