// Values on their way from one translation unit to another: an interpreter of each knows its own types only.
#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include "host/interpreter.h"
#include "syntax/locations.h"

namespace smem {

namespace {

constexpr unsigned kMostDepth = 4;
constexpr std::size_t kMostParts = 64;
constexpr Assumptions kPassedOn = kNoArguments | kDeviceAssumed | kOccupancyAssumed;

} // namespace

bool says_anything(const PassedValue &value) {
  return value.kind == PassedValue::Kind::Integer || value.kind == PassedValue::Kind::Floating ||
         std::ranges::any_of(value.parts, says_anything);
}

PassedValue Interpreter::passed(const Value &value, unsigned depth) const {
  using Kind = PassedValue::Kind;
  PassedValue result;
  result.alignment = multiple_of(value);
  result.assumed = value.assumed & kPassedOn;
  const auto lead_to = [&](const Value &part) { result.parts.push_back(passed(part, depth + 1)); };
  if (const auto *number = value.as<llvm::APSInt>(); number && number->getBitWidth() <= 64) {
    result.kind = Kind::Integer;
    result.number = number->isUnsigned() ? static_cast<std::int64_t>(number->getZExtValue()) : number->getSExtValue();
  } else if (const auto *real = value.as<llvm::APFloat>(); real && real->bitcastToAPInt().getBitWidth() <= 64) {
    result.kind = Kind::Floating;
    result.number = static_cast<std::int64_t>(real->bitcastToAPInt().getZExtValue());
  } else if (const auto *pointer = value.as<Allocation>()) {
    const bool null = pointer->number == 0 && pointer->offset == 0;
    result.kind = null ? Kind::Null : Kind::Pointer;
    result.offset_known = pointer->offset.has_value();
    result.number = pointer->offset.value_or(0);
    result.alignment = pointer->alignment;
  } else if (depth < kMostDepth) {
    const auto *aggregate = value.as<Aggregate>();
    const auto *address = value.as<Address>();
    const Value *target = address ? store_.find(address->place) : nullptr;
    if (target) {
      result.kind = Kind::Reference;
      lead_to(*target);
    } else if (aggregate && aggregate->elements.size() <= kMostParts) {
      result.kind = Kind::Object;
      for (std::size_t i = 0; i < aggregate->elements.size(); ++i)
        lead_to(aggregate->elements[i]);
    }
  }
  return result;
}

/// What does not fit the type is not known.
Value Interpreter::received(const PassedValue &value, clang::QualType type, const std::string &reason) {
  using Kind = PassedValue::Kind;
  const Assumptions assumed = value.assumed & kPassedOn;
  if (const clang::QualType target = type->getPointeeType(); !target.isNull() && !target->isFunctionType()) {
    if (value.kind == Kind::Reference && value.parts.size() == 1 && !target->isIncompleteType())
      return Value(Address{of_unknown_class(received(value.parts.front(), target.getUnqualifiedType(), reason))},
                   assumed);
    if (type->isReferenceType())
      return Address{of_unknown_class(uninitialised(target, context_, reason))};
  }
  if (value.kind == Kind::Integer && type->isIntegralOrEnumerationType())
    return Value(integer(value.number, type, context_).is, assumed);
  if (value.kind == Kind::Floating && type->isRealFloatingType() && context_.getTypeSize(type) <= 64)
    return Value(llvm::APFloat(context_.getFloatTypeSemantics(type),
                               llvm::APInt(static_cast<unsigned>(context_.getTypeSize(type)),
                                           static_cast<std::uint64_t>(value.number))),
                 assumed);
  if (value.kind == Kind::Null && type->isPointerType())
    return Value(Allocation{0, 0}, assumed);
  if (value.kind == Kind::Pointer && type->isPointerType()) {
    Value pointer = new_allocation(value.alignment);
    if (value.offset_known)
      pointer.as<Allocation>()->offset = value.number;
    else
      pointer.as<Allocation>()->offset.reset();
    return Value(std::move(pointer.is), assumed);
  }
  Value object = with_multiple(uninitialised(type, context_, reason), value.alignment);
  auto *aggregate = object.as<Aggregate>();
  if (value.kind != Kind::Object || !aggregate || aggregate->elements.size() != value.parts.size())
    return object;
  Elements::Vector &elements = aggregate->elements.own();
  std::size_t next = 0;
  const auto take = [&](clang::QualType part) {
    if (next < elements.size())
      elements[next] = received(value.parts[next], part, reason);
    ++next;
  };
  if (const auto *array = context_.getAsConstantArrayType(type)) {
    while (next < elements.size())
      take(array->getElementType());
  } else if (const clang::CXXRecordDecl *record = aggregate->record) {
    for (const clang::CXXBaseSpecifier &base : record->bases())
      take(base.getType());
    for (const clang::FieldDecl *field : record->fields())
      take(field->getType());
  }
  return object;
}

void Interpreter::record_call(const clang::FunctionDecl *function, const std::vector<Argument> &arguments,
                              const std::optional<Place> &self, const clang::Expr *site) {
  if (!site || scenario_ || !reach_.reaches(function) || is_launch_function(function))
    return;
  PassedCall call;
  call.location = to_location(site->getBeginLoc(), context_.getSourceManager());
  for (const Argument &argument : arguments)
    call.arguments.push_back(passed(argument.value));
  if (const Value *object = self ? store_.find(*self) : nullptr)
    call.object = passed(*object);
  recorder_.record(function, std::move(call));
}

} // namespace smem
