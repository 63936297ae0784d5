#include "syntax/last_operand.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

namespace smem {
namespace {

/// One that nvcc folds: it is where it begins, parentheses and all.
bool is_folded(const clang::Stmt *statement, const clang::ASTContext &context) {
  const auto *expression = llvm::dyn_cast<clang::Expr>(statement);
  return expression && expression->getType()->isIntegralOrEnumerationType() && !expression->isValueDependent() &&
         !expression->isInstantiationDependent() && expression->isEvaluatable(context);
}

void visit(const clang::Stmt *statement, const clang::ASTContext &context, clang::SourceLocation &last) {
  if (!statement)
    return;
  if (is_folded(statement, context)) {
    last = statement->getBeginLoc();
    return;
  }
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(statement); name && name->getLocation().isValid())
    last = name->getLocation();
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
      call && !llvm::isa<clang::CXXOperatorCallExpr>(call)) {
    last = call->getBeginLoc();
    return;
  }
  if (const auto *object = llvm::dyn_cast<clang::PseudoObjectExpr>(statement)) // threadIdx.x: as written
    return visit(object->getSyntacticForm(), context, last);
  if (const auto *object = llvm::dyn_cast<clang::OpaqueValueExpr>(statement)) // threadIdx there
    return visit(object->getSourceExpr(), context, last);
  for (const clang::Stmt *child : statement->children())
    visit(child, context, last);
}

} // namespace

clang::SourceLocation last_operand(const clang::Expr *expression, const clang::ASTContext &context) {
  clang::SourceLocation last = expression->getBeginLoc();
  visit(expression, context, last);
  return last;
}

} // namespace smem
