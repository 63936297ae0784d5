#include "host/value.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

namespace smem {

namespace {

/// Larger arrays are data, not launch parameters.
constexpr std::uint64_t kMaxElements = 4096;

/// Whether each object of the class has the member as its default initialiser says: it is const, and no constructor says otherwise.
bool is_always_default(const clang::FieldDecl *field) {
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
  const clang::Expr *initialiser = field->getInClassInitializer();
  if (!record || record->isAggregate() || !initialiser || initialiser->isValueDependent() ||
      !field->getType().isConstQualified())
    return false;
  const auto initialises = [&](const clang::CXXCtorInitializer *each) {
    return each->isWritten() && each->getAnyMember() == field;
  };
  for (const clang::Decl *member : record->decls()) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionTemplateDecl>(member);
        function && llvm::isa<clang::CXXConstructorDecl>(function->getTemplatedDecl()))
      return false;
    const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(member);
    if (!constructor || constructor->isDeleted() || constructor->isDefaulted())
      continue;
    const clang::FunctionDecl *definition = nullptr;
    if (!constructor->hasBody(definition) ||
        llvm::any_of(llvm::cast<clang::CXXConstructorDecl>(definition)->inits(), initialises))
      return false;
  }
  return true;
}

/// Builds a value of `type` from one for each scalar.
template <class MakeScalar>
Value build(clang::QualType type, const clang::ASTContext &context, const MakeScalar &scalar, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 16;
  type = type.getCanonicalType();
  if (depth > kMaxDepth)
    return unknown("depends on a deeply nested type");
  if (const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl()) {
    record = record->getDefinition();
    if (!record || record->isUnion() || record->getNumVBases() != 0)
      return unknown("depends on a union or virtual base");
    Aggregate aggregate{record, {}};
    for (const clang::CXXBaseSpecifier &base : record->bases())
      aggregate.elements.push_back(build(base.getType(), context, scalar, depth + 1));
    for (const clang::FieldDecl *field : record->fields()) {
      clang::Expr::EvalResult constant;
      if (field->getType()->isIntegralOrEnumerationType() && is_always_default(field) &&
          field->getInClassInitializer()->EvaluateAsInt(constant, context))
        aggregate.elements.push_back(from_constant(constant.Val));
      else
        aggregate.elements.push_back(build(field->getType(), context, scalar, depth + 1));
    }
    return aggregate;
  }
  if (const auto *array = context.getAsConstantArrayType(type)) {
    const std::uint64_t count = array->getSize().getZExtValue();
    if (count > kMaxElements)
      return unknown("depends on the contents of a large array");
    Aggregate aggregate;
    aggregate.elements.assign(count, build(array->getElementType(), context, scalar, depth + 1));
    return aggregate;
  }
  return scalar(type);
}

} // namespace

Value integer(std::int64_t number, clang::QualType type, const clang::ASTContext &context) {
  const bool is_unsigned = type->isUnsignedIntegerOrEnumerationType();
  const unsigned width = context.getIntWidth(type);
  return llvm::APSInt(llvm::APInt(64, static_cast<std::uint64_t>(number), true).sextOrTrunc(width), is_unsigned);
}

bool is_constant(clang::QualType type, const clang::ASTContext &context) {
  const clang::QualType element = context.getBaseElementType(type);
  const clang::CXXRecordDecl *record = element->getAsCXXRecordDecl();
  return element.isConstQualified() && !element.isVolatileQualified() &&
         (!record || (record->hasDefinition() && !record->hasMutableFields()));
}

Value uninitialised(clang::QualType type, const clang::ASTContext &context, const std::string &reason) {
  const Value nothing = unknown(reason);
  return build(type, context, [&](clang::QualType) { return nothing; });
}

Value zero(clang::QualType type, const clang::ASTContext &context) {
  return build(type, context, [&](clang::QualType scalar) -> Value {
    if (scalar->isIntegralOrEnumerationType())
      return integer(0, scalar, context);
    if (scalar->isRealFloatingType())
      return llvm::APFloat::getZero(context.getFloatTypeSemantics(scalar));
    if (scalar->isAnyPointerType() || scalar->isNullPtrType())
      return Allocation{0, 0};
    return unknown("depends on a value of type '" + scalar.getAsString() + "'");
  });
}

Value convert(const Value &value, clang::QualType type, const clang::ASTContext &context) {
  type = type.getCanonicalType();
  const Assumptions assumed = value.assumed;
  if (type->isBooleanType()) {
    const std::optional<bool> holds = truth(value);
    return holds ? Value(integer(*holds, type, context).is, assumed) : with_multiple(value, 1);
  }
  if (!value.known() && type->isRealFloatingType())
    return with_multiple(value, 1);
  if (const auto *pointer = value.as<Allocation>();
      pointer && type->isIntegralOrEnumerationType() && context.getTypeSize(type) < 64)
    return Value(unknown("depends on the low half of a pointer", multiple_of(value)).is, assumed);
  if (const auto *number = value.as<llvm::APSInt>()) {
    if (type->isIntegralOrEnumerationType()) {
      llvm::APSInt result = number->extOrTrunc(context.getIntWidth(type));
      result.setIsUnsigned(type->isUnsignedIntegerOrEnumerationType());
      return Value(std::move(result), assumed);
    }
    if (type->isRealFloatingType()) {
      llvm::APFloat result(context.getFloatTypeSemantics(type));
      result.convertFromAPInt(*number, number->isSigned(), llvm::APFloat::rmNearestTiesToEven);
      return Value(std::move(result), assumed);
    }
    if (type->isPointerType())
      return number->isZero() ? Value(Allocation{0, 0}, assumed) : unknown("depends on a pointer made of an integer");
  }
  if (const auto *real = value.as<llvm::APFloat>()) {
    bool inexact = false;
    if (type->isRealFloatingType()) {
      llvm::APFloat result = *real;
      result.convert(context.getFloatTypeSemantics(type), llvm::APFloat::rmNearestTiesToEven, &inexact);
      return Value(std::move(result), assumed);
    }
    if (type->isIntegralOrEnumerationType()) {
      llvm::APSInt result(context.getIntWidth(type), type->isUnsignedIntegerOrEnumerationType());
      if (real->convertToInteger(result, llvm::APFloat::rmTowardZero, &inexact) & llvm::APFloat::opInvalidOp)
        return unknown("depends on a floating-point value that does not fit its integer type");
      return Value(std::move(result), assumed);
    }
  }
  return value;
}

} // namespace smem
