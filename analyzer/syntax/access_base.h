// What an access of the source is of.
#pragma once

namespace clang {
class Expr;
} // namespace clang

namespace smem {

/// The variable at the bottom of an access: `tile` of `tile[i][j].x`, `&tile[0]`, `*(tile + i)`.
const clang::Expr *base_of(const clang::Expr *expression);

/// `threadIdx.x` and its like, a property of a variable, which a function is called for.
bool reads_index(const clang::Expr *expression);

} // namespace smem
