#include "host/operators.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>

namespace smem {

namespace {

using Op = clang::BinaryOperatorKind;

std::optional<bool> compare(Op operation, int order) {
  switch (operation) {
  case clang::BO_LT: return order < 0;
  case clang::BO_GT: return order > 0;
  case clang::BO_LE: return order <= 0;
  case clang::BO_GE: return order >= 0;
  case clang::BO_EQ: return order == 0;
  case clang::BO_NE: return order != 0;
  default: return std::nullopt;
  }
}

Value arithmetic(Op operation, const llvm::APSInt &a, const llvm::APSInt &b) {
  switch (operation) {
  case clang::BO_Add: return llvm::APSInt(a + b);
  case clang::BO_Sub: return llvm::APSInt(a - b);
  case clang::BO_Mul: return llvm::APSInt(a * b);
  case clang::BO_Div:
  case clang::BO_Rem:
    if (b.isZero())
      return as_lost(unknown("depends on a division by zero"));
    return operation == clang::BO_Div ? llvm::APSInt(a / b) : llvm::APSInt(a % b);
  case clang::BO_And: return llvm::APSInt(a & b);
  case clang::BO_Or: return llvm::APSInt(a | b);
  case clang::BO_Xor: return llvm::APSInt(a ^ b);
  default: return unknown("depends on an operator that is not evaluated");
  }
}

Value shift(Op operation, const llvm::APSInt &a, const llvm::APSInt &b) {
  if (b.isNegative() || b.getLimitedValue(a.getBitWidth()) >= a.getBitWidth())
    return as_lost(unknown("depends on a shift by more than the width of its type"));
  const unsigned amount = static_cast<unsigned>(b.getZExtValue());
  return operation == clang::BO_Shl ? a << amount : a >> amount;
}

Value arithmetic(Op operation, llvm::APFloat a, const llvm::APFloat &b) {
  constexpr auto rounding = llvm::APFloat::rmNearestTiesToEven;
  switch (operation) {
  case clang::BO_Add: a.add(b, rounding); return a;
  case clang::BO_Sub: a.subtract(b, rounding); return a;
  case clang::BO_Mul: a.multiply(b, rounding); return a;
  case clang::BO_Div: a.divide(b, rounding); return a;
  default: return unknown("depends on an operator that is not evaluated");
  }
}

Value on_integers(Op operation, const llvm::APSInt &a, const llvm::APSInt &b, clang::QualType type,
                  const clang::ASTContext &context) {
  if (operation == clang::BO_Shl || operation == clang::BO_Shr)
    return shift(operation, a, b);
  // A template or a mistake of ours may leave different types; one of them is then as good as the other.
  llvm::APSInt right = b.extOrTrunc(a.getBitWidth());
  right.setIsUnsigned(a.isUnsigned());
  if (const auto holds = compare(operation, llvm::APSInt::compareValues(a, right)))
    return integer(*holds, type, context);
  return arithmetic(operation, a, right);
}

Value on_reals(Op operation, const llvm::APFloat &a, const llvm::APFloat &b, clang::QualType type,
               const clang::ASTContext &context) {
  if (&a.getSemantics() != &b.getSemantics())
    return unknown("depends on an operator that is not evaluated");
  if (clang::BinaryOperator::isComparisonOp(operation)) {
    const llvm::APFloat::cmpResult order = a.compare(b);
    if (order == llvm::APFloat::cmpUnordered)
      return integer(operation == clang::BO_NE, type, context);
    const int sign = order == llvm::APFloat::cmpLessThan ? -1 : order == llvm::APFloat::cmpGreaterThan ? 1 : 0;
    return integer(*compare(operation, sign), type, context);
  }
  return arithmetic(operation, a, b);
}

/// Bytes of what a pointer points to; without one it is an integer made of a pointer, which counts bytes.
std::int64_t stride_of(std::optional<clang::QualType> pointee, const clang::ASTContext &context) {
  return !pointee || (*pointee)->isIncompleteType() || (*pointee)->isFunctionType()
             ? 1
             : context.getTypeSizeInChars(*pointee).getQuantity();
}

/// As addresses do, which wrap around.
std::int64_t wrapped(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

/// Moves a pointer by `count` elements.
Value advance(const Value &pointer, std::int64_t count, std::optional<clang::QualType> pointee,
              const clang::ASTContext &context) {
  if (const auto *allocation = pointer.as<Allocation>()) {
    Allocation moved = *allocation;
    const auto bytes = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(stride_of(pointee, context));
    if (moved.offset)
      moved.offset = wrapped(static_cast<std::uint64_t>(*moved.offset) + bytes);
    else
      moved.alignment = std::min(moved.alignment, multiple_of(llvm::APSInt::get(wrapped(bytes))));
    return moved;
  }
  if (const auto *address = pointer.as<Address>()) {
    if (count == 0)
      return *address;
    Address moved = *address;
    if (moved.place.path.empty())
      return as_lost(unknown("depends on a pointer outside its object"));
    const std::int64_t index = wrapped(moved.place.path.back() + static_cast<std::uint64_t>(count));
    if (index < 0 || index > INT32_MAX)
      return as_lost(unknown("depends on a pointer outside its object"));
    moved.place.path.back() = static_cast<std::uint32_t>(index);
    return moved;
  }
  return is_lost(pointer) ? as_lost(unknown(reason_of(pointer))) : unknown(reason_of(pointer));
}

bool is_pointer(const Value &value) { return value.as<Allocation>() || value.as<Address>(); }

/// Operators on the address as an integer that only look at bits below its alignment: rounding down, the remainder.
std::optional<Value> on_low_bits(Op operation, const Allocation &pointer, const llvm::APSInt &number,
                                 clang::QualType type, const clang::ASTContext &context) {
  if (!pointer.offset || number.getSignificantBits() > 64)
    return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(number.getExtValue());
  const auto offset = static_cast<std::uint64_t>(*pointer.offset);
  if (operation == clang::BO_And && bits < pointer.alignment)
    return integer(static_cast<std::int64_t>(offset & bits), type, context);
  if (operation == clang::BO_And && ~bits < pointer.alignment) {
    Allocation rounded = pointer;
    rounded.offset = static_cast<std::int64_t>(offset & bits);
    return Value(rounded);
  }
  if (operation == clang::BO_Rem && bits != 0 && pointer.alignment % bits == 0)
    return integer(static_cast<std::int64_t>(offset & (bits - 1)), type, context); // a divisor of a power of two is one
  return std::nullopt;
}

Value on_pointers(Op operation, const Value &a, const Value &b, clang::QualType type,
                  std::optional<clang::QualType> pointee, const clang::ASTContext &context) {
  const auto *right = b.as<llvm::APSInt>();
  const auto *left = a.as<llvm::APSInt>();
  if (is_pointer(a) && right && operation == clang::BO_Add)
    return advance(a, right->getExtValue(), pointee, context);
  if (is_pointer(a) && right && operation == clang::BO_Sub)
    return advance(a, wrapped(0 - static_cast<std::uint64_t>(right->getExtValue())), pointee, context);
  if (is_pointer(b) && left && operation == clang::BO_Add)
    return advance(b, left->getExtValue(), pointee, context);
  if (a.as<Allocation>() && right)
    if (std::optional<Value> result = on_low_bits(operation, *a.as<Allocation>(), *right, type, context))
      return std::move(*result);
  if (clang::BinaryOperator::isRelationalOp(operation) || clang::BinaryOperator::isEqualityOp(operation)) {
    const auto *p = a.as<Allocation>();
    const auto *q = b.as<Allocation>();
    const bool equality = clang::BinaryOperator::isEqualityOp(operation);
    if (p && q && p->number == q->number && p->offset && q->offset)
      return integer(*compare(operation, *p->offset < *q->offset ? -1 : *p->offset > *q->offset), type, context);
    std::optional<bool> equal;
    if (equality && p && q && p->number != q->number)
      equal = false;
    else if (equality && is_pointer(a) && is_pointer(b) && !(p && q))
      equal = a.as<Address>() && b.as<Address>() && *a.as<Address>() == *b.as<Address>();
    if (equal)
      return integer(*equal == (operation == clang::BO_EQ), type, context);
  }
  if (operation == clang::BO_Sub && pointee) {
    const auto *p = a.as<Allocation>();
    const auto *q = b.as<Allocation>();
    const std::int64_t size = stride_of(pointee, context);
    if (p && q && p->number == q->number && p->offset && q->offset && size != 0)
      return integer(wrapped(static_cast<std::uint64_t>(*p->offset) - static_cast<std::uint64_t>(*q->offset)) / size,
                     type, context);
  }
  return unknown("depends on a pointer");
}

/// What is left of a result when an operand is not known: the reason, how it is aligned, and a pointer's allocation.
Value on_unknowns(Op operation, const Value &a, const Value &b, clang::QualType type,
                  std::optional<clang::QualType> pointee, const clang::ASTContext &context) {
  const Value &open = a.known() ? b : a;
  const bool difference = pointee && !type->isPointerType();
  if (!difference && (operation == clang::BO_Add || operation == clang::BO_Sub)) {
    // The number that moves a pointer counts elements.
    const bool moves_a =
        type->isPointerType() ? !b.as<Allocation>() && !b.as<Address>() : a.as<Allocation>() != nullptr;
    const bool is_move = type->isPointerType() || a.as<Allocation>() || b.as<Allocation>();
    const Value &moved = moves_a ? a : b;
    const Value &by = moves_a ? b : a;
    const std::uint64_t stride = is_move ? multiple_of(llvm::APSInt::get(stride_of(pointee, context))) : 1;
    const std::uint64_t multiple = std::min(multiple_of(moved), multiple_of(by) * stride);
    if (const auto *pointer = moved.as<Allocation>(); pointer && !by.as<Allocation>())
      return somewhere_in(*pointer, multiple);
    return with_multiple(open, multiple);
  }
  const std::uint64_t left = multiple_of(a), right = multiple_of(b);
  const auto *amount = b.as<llvm::APSInt>();
  const bool shifts = amount && amount->ult(20);
  switch (operation) {
  case clang::BO_Mul: return with_multiple(open, std::min(left * right, std::uint64_t{1} << 20));
  case clang::BO_And: return with_multiple(open, std::max(left, right));
  case clang::BO_Or:
  case clang::BO_Xor:
  case clang::BO_Rem: return with_multiple(open, std::min(left, right));
  case clang::BO_Shl:
    return with_multiple(open, shifts ? std::min(left << amount->getZExtValue(), std::uint64_t{1} << 20) : left);
  case clang::BO_Shr:
    return with_multiple(open, shifts ? std::max<std::uint64_t>(left >> amount->getZExtValue(), 1) : 1);
  default: return with_multiple(open, 1);
  }
}

} // namespace

Value apply_binary(Op operation, const Value &a, const Value &b, clang::QualType type,
                   std::optional<clang::QualType> pointee, const clang::ASTContext &context) {
  const Assumptions assumed = a.assumed | b.assumed;
  Value result;
  if (operation == clang::BO_Comma)
    result = b;
  else if (!a.known() || !b.known())
    result = on_unknowns(operation, a, b, type, pointee, context);
  else if (a.as<llvm::APSInt>() && b.as<llvm::APSInt>())
    result = on_integers(operation, *a.as<llvm::APSInt>(), *b.as<llvm::APSInt>(), type, context);
  else if (a.as<llvm::APFloat>() && b.as<llvm::APFloat>())
    result = on_reals(operation, *a.as<llvm::APFloat>(), *b.as<llvm::APFloat>(), type, context);
  else
    result = on_pointers(operation, a, b, type, pointee, context);
  result.assumed |= assumed;
  if (!result.known() && operation != clang::BO_Comma)
    for (const Value *operand : {&a, &b})
      if (!operand->as<llvm::APSInt>() && !operand->as<llvm::APFloat>())
        result = with_targets(std::move(result), objects_of(*operand));
  return result;
}

Value apply_unary(clang::UnaryOperatorKind operation, const Value &value, clang::QualType type,
                  const clang::ASTContext &context) {
  if (operation == clang::UO_Plus)
    return value;
  if (!value.known())
    return with_multiple(value, operation == clang::UO_Minus ? multiple_of(value) : 1);
  Value result = unknown("depends on an operator that is not evaluated");
  if (operation == clang::UO_LNot) {
    if (const auto holds = truth(value))
      result = integer(!*holds, type, context);
  } else if (const auto *number = value.as<llvm::APSInt>()) {
    if (operation == clang::UO_Minus)
      result = llvm::APSInt(-*number);
    else if (operation == clang::UO_Not)
      result = llvm::APSInt(~*number);
  } else if (const auto *real = value.as<llvm::APFloat>()) {
    if (operation == clang::UO_Minus)
      result = llvm::APFloat(-*real);
  }
  result.assumed = value.assumed;
  return result;
}

} // namespace smem
