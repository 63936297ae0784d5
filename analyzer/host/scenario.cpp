#include "host/scenario.h"

#include <algorithm>
#include <limits>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace smem {

namespace {

constexpr std::int64_t kPlausibleExtent = 1024; ///< of matrices and the like
constexpr std::int64_t kPlausibleArguments = 8; ///< of a program that insists on some
constexpr std::size_t kMostSuggestions = 24;

std::optional<std::int64_t> number_of(const Value &value) {
  const auto *number = value.as<llvm::APSInt>();
  if (!number || number->getSignificantBits() > 64)
    return std::nullopt;
  return number->isUnsigned() ? static_cast<std::int64_t>(number->getZExtValue()) : number->getSExtValue();
}

TermType type_of(clang::QualType type, const clang::ASTContext &context) {
  return {context.getIntWidth(type), type->isUnsignedIntegerOrEnumerationType()};
}

TermType type_of(const llvm::APSInt &number) { return {number.getBitWidth(), number.isUnsigned()}; }

/// Of a number that a term can have as its operand.
std::optional<TermOperand> operand_of(const Value &value) {
  const auto *number = value.as<llvm::APSInt>();
  if (!number || number->getBitWidth() > 64)
    return std::nullopt;
  if (value.term)
    return TermOperand{value.term, 0};
  return TermOperand{0, number->isUnsigned() ? static_cast<Wide>(number->getZExtValue())
                                             : static_cast<Wide>(number->getSExtValue())};
}

const clang::EnumDecl *enumeration_of(clang::QualType type) {
  const auto *enumeration = type->getAs<clang::EnumType>();
  return enumeration ? enumeration->getDecl()->getDefinition() : nullptr;
}

void add(std::vector<std::int64_t> &values, std::int64_t value) {
  if (values.size() < kMostSuggestions && std::find(values.begin(), values.end(), value) == values.end())
    values.push_back(value);
}

} // namespace

bool Scenario::can_choose(clang::QualType type, const clang::ASTContext &context) {
  if (type.isNull() || type->isDependentType())
    return false;
  type = type.getCanonicalType();
  if (type->isRealFloatingType())
    return true;
  if (!type->isIntegralOrEnumerationType() || (type->isEnumeralType() && !enumeration_of(type)))
    return false;
  return context.getIntWidth(type) <= 64;
}

std::int64_t Scenario::default_of(const FreeQuantity &quantity) const {
  const clang::QualType type = quantity.type.getCanonicalType();
  if (type->isBooleanType() || type->isRealFloatingType())
    return 1;
  if (const clang::EnumDecl *enumeration = enumeration_of(type)) {
    std::optional<std::int64_t> first; // success is 0 where there is such a thing
    for (const clang::EnumConstantDecl *enumerator : enumeration->enumerators()) {
      const std::int64_t value = enumerator->getInitVal().getExtValue();
      if (!first || value == 0)
        first = value;
    }
    return first.value_or(0);
  }
  if (context_.getIntWidth(type) < 16)
    return 1;
  if (quantity.reason == "depends on argc")
    return kPlausibleArguments;
  return std::max<std::int64_t>(kPlausibleExtent, static_cast<std::int64_t>(quantity.multiple));
}

Value Scenario::choose(std::string name, const std::string &reason, clang::QualType type, std::uint64_t multiple,
                       std::optional<std::int64_t> otherwise) {
  type = type.getCanonicalType().getUnqualifiedType();
  std::string key = name + "|" + reason;
  const auto [entry, fresh] = by_key_.try_emplace(key, quantities_.size());
  const std::size_t number = entry->second;
  if (fresh) {
    FreeQuantity quantity{key, std::move(name), reason, type, multiple, 0, {}};
    const auto chosen = choices_.find(key);
    quantity.value = chosen != choices_.end() ? chosen->second : otherwise ? *otherwise : default_of(quantity);
    if (const clang::EnumDecl *enumeration = enumeration_of(type))
      for (const clang::EnumConstantDecl *enumerator : enumeration->enumerators())
        add(quantity.suggested, enumerator->getInitVal().getExtValue());
    if (type->isBooleanType())
      add(quantity.suggested, 1), add(quantity.suggested, 0);
    quantities_.push_back(std::move(quantity));
    leaves_.push_back(type->isRealFloatingType() ? 0 : terms_.leaf(number, type_of(type, context_)));
  }
  const std::int64_t value = quantities_[number].value;
  if (type->isRealFloatingType()) {
    const auto from = llvm::APFloat(static_cast<double>(value));
    return convert(Value(from, free_quantity(number)), type, context_);
  }
  Value chosen(integer(value, type, context_).is, free_quantity(number));
  chosen.term = leaves_[number];
  return chosen;
}

/// The result is taken for proportional to each quantity, for shifted by it, for it.
void Scenario::suggest(Assumptions rests_on, std::int64_t now, Wide wanted) {
  const Assumptions bits = rests_on & kFreeQuantities;
  const auto in_range = [](Wide number) {
    return number > -(std::int64_t{1} << 40) && number < (std::int64_t{1} << 40);
  };
  if (!in_range(now) || !in_range(wanted))
    return;
  const auto target = static_cast<std::int64_t>(wanted);
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    FreeQuantity &quantity = quantities_[i];
    if (!(bits & free_quantity(i)) || quantity.type->isBooleanType())
      continue;
    const Wide product = Wide{quantity.value} * target, sum = Wide{quantity.value} + target - now;
    if (now != 0 && in_range(product) && product % now == 0)
      add(quantity.suggested, static_cast<std::int64_t>(product / now));
    add(quantity.suggested, target);
    if (in_range(sum))
      add(quantity.suggested, static_cast<std::int64_t>(sum));
  }
}

void Scenario::compared(clang::BinaryOperatorKind operation, const Value &left, const Value &right) {
  const std::optional<std::int64_t> a = number_of(left), b = number_of(right);
  if (!((left.assumed | right.assumed) & kFreeQuantities) || !a || !b)
    return;
  if (operation == clang::BO_Rem) {
    if (*b > 1 && *b < kPlausibleExtent * kPlausibleExtent) {
      const std::int64_t multiple = std::max<std::int64_t>(kPlausibleExtent / *b, 1) * *b;
      suggest(left.assumed, *a, multiple);
      suggest(left.assumed, *a, *b);
    }
    return;
  }
  if (!clang::BinaryOperator::isComparisonOp(operation))
    return;
  const auto aim = [&](const Value &value, std::int64_t now, Wide at) {
    std::vector<Wide> targets{at};
    if (!clang::BinaryOperator::isEqualityOp(operation))
      targets.insert(targets.end(), {at / 2, at - 1, at + 1, at * 2});
    for (const Wide target : targets)
      suggest(value.assumed, now, target);
  };
  aim(left, *a, *b);
  aim(right, *b, *a);
}

Value Scenario::combined(clang::BinaryOperatorKind operation, const Value &left, const Value &right, Value result) {
  if (!left.term && !right.term)
    return result;
  const auto *number = result.as<llvm::APSInt>();
  const std::optional<TermOperand> a = operand_of(left), b = operand_of(right);
  result.term =
      number && number->getBitWidth() <= 64 && a && b ? terms_.binary(operation, *a, *b, type_of(*number)) : 0;
  return result;
}

Value Scenario::converted(const Value &operand, Value result, clang::QualType type) {
  const auto *number = result.as<llvm::APSInt>();
  result.term = 0;
  if (!operand.term || !number || number->getBitWidth() > 64)
    return result;
  const bool to_truth = type->isBooleanType();
  result.term = to_truth ? terms_.binary(clang::BO_NE, {operand.term, 0}, {}, type_of(*number))
                         : terms_.cast(operand.term, type_of(*number));
  return result;
}

Assumptions Scenario::decided_since(ObjectId objects) const {
  Assumptions bits = kNothingAssumed;
  for (const auto &[quantity, last] : last_decided_)
    if (last > objects)
      bits |= free_quantity(quantity);
  return bits;
}

void Scenario::decided(clang::SourceLocation where, const Value &condition, ObjectId objects) {
  if (contradicts() || !(condition.assumed & kFreeQuantities))
    return;
  const std::optional<bool> holds = truth(condition);
  if (!holds)
    return;
  decisive_ |= condition.assumed & kFreeQuantities;
  decisions_.emplace(where.getRawEncoding(), *holds);
  for (std::size_t i = 0; i < quantities_.size(); ++i)
    if (condition.assumed & free_quantity(i))
      last_decided_[i] = objects;
  if (!condition.term)
    return;
  const TermCondition met{condition.term, *holds};
  constexpr std::ptrdiff_t kMostOfPlace = 4;
  const auto same_place = [&](const Decision &other) {
    return other.where == where && other.condition.holds == *holds;
  };
  if (std::ranges::any_of(path_, [&](const Decision &other) { return other.condition == met; }))
    return;
  if (std::ranges::count_if(path_, same_place) >= kMostOfPlace) // of a loop
    path_.erase(std::find_if(std::next(std::ranges::find_if(path_, same_place)), path_.end(), same_place));
  path_.push_back({where, met});
}

bool is_size(const FreeQuantity &quantity) {
  return quantity.type->isIntegerType() && !quantity.type->isBooleanType() && !quantity.type->isEnumeralType();
}

std::string origin_of(const FreeQuantity &quantity) {
  std::string_view reason = quantity.reason;
  constexpr std::string_view kDepends = "depends on ", kParameter = "parameter '";
  if (reason.starts_with(kDepends))
    reason.remove_prefix(kDepends.size());
  if (reason.starts_with(kParameter))
    if (const std::size_t of = reason.find("' of '"); of != std::string_view::npos) {
      const std::string_view parameter = reason.substr(kParameter.size(), of - kParameter.size());
      std::string_view function = reason.substr(of + 6);
      function.remove_suffix(function.ends_with('\'') ? 1 : 0);
      if (parameter == quantity.name)
        return "parameter of " + std::string(function);
      return "parameter " + std::string(parameter) + " of " + std::string(function);
    }
  return std::string(reason);
}

} // namespace smem
