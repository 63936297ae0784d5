// Calls of functions and macros of the toolkit's headers, as the kernels that make them spell them.
#pragma once

#include <vector>

#include "syntax/source_index.h"

namespace clang {
class ASTContext;
class CallExpr;
} // namespace clang

namespace smem {

/// The macro that `call` is spelled by, and the function of a system header that it calls: some of the toolkit's functions are macros here.
std::vector<HeaderCall> header_calls(const clang::CallExpr &call, const clang::ASTContext &context);

} // namespace smem
