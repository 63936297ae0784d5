// Where nvcc is in an expression when it has evaluated all of it.
#pragma once

#include <clang/Basic/SourceLocation.h>

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace smem {

/// The last name or constant in `expression`, of a call the function's name; where it begins if it has none. nvcc attributes an access that spans lines to the line of
/// the last one in its address.
clang::SourceLocation last_operand(const clang::Expr *expression, const clang::ASTContext &context);

} // namespace smem
