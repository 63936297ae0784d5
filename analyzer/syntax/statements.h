// What a function executes.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>

namespace smem {

/// Calls `visit` with `statement`, if there is one, and what is below it: parents before children.
template <typename Visit> void for_statements(const clang::Stmt *statement, const Visit &visit) {
  if (!statement)
    return;
  visit(statement);
  for (const clang::Stmt *child : statement->children())
    for_statements(child, visit);
}

/// The same of a definition's body, and before it of what a constructor initialises members with.
template <typename Visit> void for_statements(const clang::FunctionDecl &definition, const Visit &visit) {
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&definition))
    for (const clang::CXXCtorInitializer *initialiser : constructor->inits())
      for_statements(initialiser->getInit(), visit);
  for_statements(definition.getBody(), visit);
}

} // namespace smem
