// Where nvcc is in an expression when it has evaluated all of it.
#pragma once

#include <clang/Basic/SourceLocation.h>

namespace clang {
class Expr;
}

namespace smem {

/// The last name in `expression`, of a call that of the function; where it begins if it has none. nvcc books an access that spans lines on the line of the last
/// name in its address.
clang::SourceLocation last_operand(const clang::Expr *expression);

} // namespace smem
