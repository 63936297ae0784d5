#include "host/lambda_launches.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace smem {
namespace {

/// Whether `statement` may give another value to one of `variables` after `begin`: itself, or what it hands one to.
bool assigns_after(const clang::Stmt *statement, const llvm::SmallPtrSetImpl<const clang::ValueDecl *> &variables,
                   clang::SourceLocation begin, const clang::SourceManager &sources) {
  if (!statement)
    return false;
  const auto is_one = [&](const clang::Expr *target) {
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenCasts());
    return named && variables.contains(named->getDecl()) &&
           sources.isBeforeInTranslationUnit(begin, named->getLocation());
  };
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
      binary && binary->isAssignmentOp() && is_one(binary->getLHS()))
    return true;
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
      unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf) &&
      is_one(unary->getSubExpr()))
    return true;
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement)) {
    if (call->isAssignmentOp() && is_one(call->getArg(0)))
      return true;
  } else if (const auto *plain = llvm::dyn_cast<clang::CallExpr>(statement)) {
    const clang::FunctionDecl *callee = plain->getDirectCallee();
    for (unsigned i = 0; callee && i < std::min(plain->getNumArgs(), callee->getNumParams()); ++i) {
      const clang::QualType type = callee->getParamDecl(i)->getType();
      if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified() && is_one(plain->getArg(i)))
        return true;
    }
  }
  return llvm::any_of(statement->children(),
                      [&](const clang::Stmt *child) { return assigns_after(child, variables, begin, sources); });
}

} // namespace

bool captures_may_change(const clang::CXXRecordDecl *lambda, const clang::FunctionDecl *function,
                         const clang::SourceManager &sources) {
  llvm::SmallPtrSet<const clang::ValueDecl *, 8> variables;
  for (const clang::LambdaCapture &capture : lambda->captures())
    if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
      variables.insert(capture.getCapturedVar());
  return !variables.empty() && assigns_after(function->getBody(), variables, lambda->getBeginLoc(), sources);
}

Lambdas lambdas_of(const LaunchRecorder::Entry &entry) {
  Lambdas lambdas;
  const clang::FunctionDecl *function = entry.function;
  for (const clang::CXXMethodDecl *method;
       (method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function)) && method->getParent()->isLambda();
       function = llvm::dyn_cast_or_null<clang::FunctionDecl>(method->getParent()->getParentFunctionOrMethod()))
    lambdas.around.push_back(method);
  if (!lambdas.around.empty())
    lambdas.function = function;
  return lambdas;
}

} // namespace smem
