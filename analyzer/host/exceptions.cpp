#include "host/exceptions.h"

#include <algorithm>

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Type.h>

namespace smem {

bool Exceptions::may_leave(const clang::Stmt *statement) {
  if (!statement)
    return false;
  if (llvm::isa<clang::CXXThrowExpr>(statement))
    return true;
  if (const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
    if (may_leave(*construction->getConstructor()))
      return true;
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
             call && !llvm::isa<clang::CUDAKernelCallExpr>(call)) {
    const clang::FunctionDecl *function = call->getDirectCallee();
    if (!function || may_leave(*function))
      return true;
  }
  return std::ranges::any_of(statement->children(), [&](const clang::Stmt *child) { return may_leave(child); });
}

bool Exceptions::may_leave(const clang::FunctionDecl &function) {
  const auto *type = function.getType()->getAs<clang::FunctionProtoType>();
  if (function.getBuiltinID() != 0 || function.isExternC() || function.isDefaulted() || function.isConsteval() ||
      (type && !clang::isUnresolvedExceptionSpec(type->getExceptionSpecType()) && type->isNothrow()))
    return false;
  const auto [known, first] = known_.try_emplace(&function, true); // a function that calls itself may
  if (!first)
    return known->second;
  const clang::FunctionDecl *definition = nullptr;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const bool may = (method && method->isVirtual()) || !function.hasBody(definition) || may_leave(definition->getBody());
  known_[&function] = may;
  return may;
}

} // namespace smem
