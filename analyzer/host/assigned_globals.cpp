#include "host/assigned_globals.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

namespace smem {

namespace {

bool in_system_header(const clang::FunctionDecl *function) {
  const clang::SourceManager &sources = function->getASTContext().getSourceManager();
  return sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation()));
}

} // namespace

void AssignedGlobals::collect(const clang::FunctionDecl *function, Set &set,
                              llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &met) {
  function = function->getCanonicalDecl();
  if (in_system_header(function) || !met.insert(function).second)
    return;
  const clang::FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition)) {
    set.others = true;
    return;
  }
  collect(definition->getBody(), false, set, met);
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
    for (const clang::CXXCtorInitializer *initializer : constructor->inits())
      collect(initializer->getInit(), false, set, met);
}

/// `read`: only the value is asked for.
void AssignedGlobals::collect(const clang::Stmt *statement, bool read, Set &set,
                              llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &met) {
  if (!statement)
    return;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
        variable && variable->hasGlobalStorage() && !read)
      set.variables.insert(variable->getCanonicalDecl());
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      collect(function, set, met);
    return;
  }
  if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(statement))
    collect(construct->getConstructor(), set, met);
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(statement)) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()))
      collect(function, set, met);
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()); variable && !read)
      set.variables.insert(variable->getCanonicalDecl());
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement); call && !call->getDirectCallee())
    set.others = true;
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(statement);
  const bool reads = (cast && cast->getCastKind() == clang::CK_LValueToRValue) ||
                     (read && llvm::isa<clang::MemberExpr, clang::ParenExpr, clang::CastExpr>(statement));
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(statement))
    collect(lambda->getBody(), false, set, met);
  for (const clang::Stmt *child : statement->children())
    collect(child, reads, set, met);
}

const AssignedGlobals::Set *AssignedGlobals::of(const clang::FunctionDecl *function) {
  if (!function->hasBody())
    return nullptr;
  function = function->getCanonicalDecl();
  const auto [entry, fresh] = sets_.try_emplace(function);
  if (fresh) {
    llvm::SmallPtrSet<const clang::FunctionDecl *, 16> met;
    collect(function, entry->second, met);
  }
  return &entry->second;
}

} // namespace smem
