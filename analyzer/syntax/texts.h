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

/// The same where it is written: within a macro's argument or its definition, not the whole invocation, which other expressions share.
std::string spelled_text(clang::SourceRange range, const clang::ASTContext &context);

} // namespace smem
