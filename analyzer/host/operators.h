// Operators on known values.
#pragma once

#include <clang/AST/OperationKinds.h>

#include "host/value.h"

namespace smem {

/// `a op b`, both operands already converted as the language demands; `type` is the result's, `pointee` what a pointer
/// operand points to. No assignments.
Value apply_binary(clang::BinaryOperatorKind operation, const Value &a, const Value &b, clang::QualType type,
                   std::optional<clang::QualType> pointee, const clang::ASTContext &context);

/// Minus, plus, not, logical not.
Value apply_unary(clang::UnaryOperatorKind operation, const Value &value, clang::QualType type,
                  const clang::ASTContext &context);

} // namespace smem
