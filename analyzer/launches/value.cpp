#include "launches/value.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include <clang/AST/APValue.h>
#include <clang/AST/Decl.h>

namespace smem {

Value unknown(std::string reason, std::uint64_t multiple) {
  return Unknown{std::make_shared<const std::string>(std::move(reason)), multiple};
}

std::uint64_t multiple_of(const Value &value) {
  // A zero is a multiple of everything; beyond this nothing depends on it.
  static constexpr unsigned kMaxTwos = 20;
  const auto twos = [](unsigned number) { return std::uint64_t{1} << (number < kMaxTwos ? number : kMaxTwos); };
  if (const auto *nothing = value.as<Unknown>())
    return nothing->multiple;
  if (const auto *number = value.as<llvm::APSInt>())
    return twos(number->countr_zero());
  if (const auto *pointer = value.as<Allocation>()) {
    if (pointer->number == 0 || !pointer->offset)
      return pointer->number == 0 ? twos(kMaxTwos) : pointer->alignment;
    return std::min(pointer->alignment, twos(std::countr_zero(static_cast<std::uint64_t>(*pointer->offset))));
  }
  return 1;
}

Value with_multiple(Value value, std::uint64_t multiple) {
  if (auto *nothing = value.as<Unknown>())
    nothing->multiple = multiple;
  return value;
}

namespace {

const std::vector<Value> *parts_of(const Value &value) {
  if (const auto *aggregate = value.as<Aggregate>())
    return &aggregate->elements;
  if (const auto *container = value.as<Container>())
    return &container->parts;
  return nullptr;
}

std::vector<Value> *parts_of(Value &value) {
  return const_cast<std::vector<Value> *>(parts_of(static_cast<const Value &>(value)));
}

} // namespace

std::string reason_of(const Value &value) {
  if (const auto *nothing = value.as<Unknown>())
    return nothing->reason ? *nothing->reason : "not evaluated";
  if (const auto *parts = parts_of(value))
    for (const Value &part : *parts)
      if (std::string reason = reason_of(part); !reason.empty())
        return reason;
  return {};
}

bool same(const Value &a, const Value &b) {
  if (a.is.index() != b.is.index() || a.assumed != b.assumed)
    return false;
  if (const auto *parts = parts_of(a)) {
    const auto *others = parts_of(b);
    if (parts->size() != others->size())
      return false;
    for (std::size_t i = 0; i < parts->size(); ++i)
      if (!same((*parts)[i], (*others)[i]))
        return false;
    return true;
  }
  return std::visit(
      [&b](const auto &left) {
        using T = std::remove_cvref_t<decltype(left)>;
        const T &right = *b.as<T>();
        if constexpr (std::is_same_v<T, llvm::APSInt>)
          return left.getBitWidth() == right.getBitWidth() && left.isUnsigned() == right.isUnsigned() && left == right;
        else if constexpr (std::is_same_v<T, llvm::APFloat>)
          return left.bitwiseIsEqual(right);
        else if constexpr (std::is_same_v<T, Unknown>)
          return left.multiple == right.multiple; // whatever the reasons
        else if constexpr (std::is_same_v<T, Aggregate> || std::is_same_v<T, Container>)
          return false;
        else
          return left == right;
      },
      a.is);
}

Value join(const Value &a, const Value &b, const std::string &reason) {
  const Assumptions assumed = a.assumed | b.assumed;
  auto with_assumption = [assumed](Value value) {
    value.assumed |= assumed;
    return value;
  };
  const std::uint64_t multiple = std::min(multiple_of(a), multiple_of(b));
  if (!a.known() || !b.known())
    return with_assumption(with_multiple(a.known() ? b : a, multiple));
  const auto *left = parts_of(a);
  const auto *right = parts_of(b);
  if (left && right && left->size() == right->size() && a.is.index() == b.is.index()) {
    Value result = with_assumption(a);
    std::vector<Value> &joined = *parts_of(result);
    for (std::size_t i = 0; i < joined.size(); ++i)
      joined[i] = join((*left)[i], (*right)[i], reason);
    return result;
  }
  Value other = b;
  other.assumed = a.assumed;
  if (same(a, other))
    return with_assumption(a);
  // Of a pointer at least its allocation may agree.
  const auto *p = a.as<Allocation>();
  const auto *q = b.as<Allocation>();
  if (p && q && p->number == q->number)
    return Value(Allocation{p->number, std::nullopt, multiple}, assumed);
  return with_assumption(unknown(reason, multiple));
}

void mark_assumed(Value &value, Assumptions assumptions) {
  value.assumed |= assumptions;
  if (auto *parts = parts_of(value))
    for (Value &part : *parts)
      mark_assumed(part, assumptions);
}

Assumptions assumptions_of(const Value &value) {
  Assumptions all = value.assumed;
  if (const auto *parts = parts_of(value))
    for (const Value &part : *parts)
      all |= assumptions_of(part);
  return all;
}

std::optional<bool> truth(const Value &value) {
  if (const auto *number = value.as<llvm::APSInt>())
    return !number->isZero();
  if (const auto *real = value.as<llvm::APFloat>())
    return !real->isZero();
  if (value.as<Address>() || value.as<const clang::FunctionDecl *>())
    return true;
  if (const auto *pointer = value.as<Allocation>())
    return pointer->number != 0;
  return std::nullopt;
}

Value from_constant(const clang::APValue &constant) {
  switch (constant.getKind()) {
  case clang::APValue::Int:
    return constant.getInt();
  case clang::APValue::Float:
    return constant.getFloat();
  case clang::APValue::Struct: {
    Aggregate aggregate;
    for (unsigned i = 0; i < constant.getStructNumBases(); ++i)
      aggregate.elements.push_back(from_constant(constant.getStructBase(i)));
    for (unsigned i = 0; i < constant.getStructNumFields(); ++i)
      aggregate.elements.push_back(from_constant(constant.getStructField(i)));
    return aggregate;
  }
  case clang::APValue::Array: {
    constexpr unsigned kMaxElements = 4096;
    if (constant.getArraySize() > kMaxElements)
      break;
    Aggregate aggregate;
    for (unsigned i = 0; i < constant.getArraySize(); ++i)
      aggregate.elements.push_back(from_constant(i < constant.getArrayInitializedElts()
                                                     ? constant.getArrayInitializedElt(i)
                                                     : constant.getArrayFiller()));
    return aggregate;
  }
  case clang::APValue::LValue:
    if (constant.isNullPointer())
      return Allocation{0, 0};
    if (!constant.hasLValuePath() || constant.getLValuePath().empty())
      if (const auto *declaration = constant.getLValueBase().dyn_cast<const clang::ValueDecl *>())
        if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
          return function;
    break;
  default:
    break;
  }
  return unknown("depends on a constant of a kind that is not evaluated");
}

} // namespace smem
