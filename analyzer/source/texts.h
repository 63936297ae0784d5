// Source text of syntax-tree nodes, as the user wrote it.
#pragma once

#include <string>

#include <clang/Basic/SourceLocation.h>

namespace clang {
class ASTContext;
} // namespace clang

namespace smem {

/// One line, comments dropped and white space folded. Of code that a macro produced: the macro's invocation.
std::string source_text(clang::SourceRange range, const clang::ASTContext &context);

} // namespace smem
