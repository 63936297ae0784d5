#include "host/reach.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

namespace smem {

bool is_launch_function(const clang::FunctionDecl *function) {
  if (!function || !function->getIdentifier())
    return false;
  const llvm::StringRef name = function->getName();
  return name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel" || name == "cudaLaunchKernelEx" ||
         name == "cudaLaunchKernelExC";
}

bool mentions(const clang::Stmt *statement, const llvm::SmallPtrSetImpl<const clang::VarDecl *> &variables) {
  if (!statement || variables.empty())
    return false;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
        variable && variables.contains(variable))
      return true;
  return llvm::any_of(statement->children(), [&](const clang::Stmt *child) { return mentions(child, variables); });
}

bool LaunchReach::reaches(const clang::FunctionDecl *function) {
  if (!function)
    return false;
  function = function->getCanonicalDecl();
  if (is_launch_function(function))
    return true;
  const auto [entry, first] = functions_.try_emplace(function, false); // false while it is being looked at: recursion
  if (!first)
    return entry->second;
  const clang::FunctionDecl *definition = nullptr;
  if (function->hasAttr<clang::CUDAGlobalAttr>())
    return false;
  if (!function->hasBody(definition)) {
    const bool launches = elsewhere_ && elsewhere_(function);
    return functions_[function] = launches;
  }
  bool found = reaches(definition->getBody());
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
    for (const clang::CXXCtorInitializer *initializer : constructor->inits())
      found = found || reaches(initializer->getInit());
  functions_[function] = found;
  return found;
}

bool LaunchReach::reaches(const clang::Stmt *statement) {
  if (!statement)
    return false;
  if (llvm::isa<clang::CUDAKernelCallExpr>(statement))
    return true;
  if (const auto found = statements_.find(statement); found != statements_.end())
    return found->second;
  bool result = false;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    result = reaches(llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()));
  else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(statement))
    result = reaches(llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()));
  else if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(statement))
    result = reaches(construct->getConstructor());
  for (const clang::Stmt *child : statement->children()) {
    if (result)
      break;
    result = reaches(child);
  }
  statements_[statement] = result;
  return result;
}

} // namespace smem
