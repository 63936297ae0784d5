#include "syntax/last_operand.h"

#include <clang/AST/ExprCXX.h>

namespace smem {
namespace {

void visit(const clang::Stmt *statement, clang::SourceLocation &last) {
  if (!statement)
    return;
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(statement); name && name->getLocation().isValid())
    last = name->getLocation();
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
      call && !llvm::isa<clang::CXXOperatorCallExpr>(call)) {
    last = call->getBeginLoc();
    return;
  }
  if (const auto *object = llvm::dyn_cast<clang::PseudoObjectExpr>(statement)) // threadIdx.x: as written
    return visit(object->getSyntacticForm(), last);
  for (const clang::Stmt *child : statement->children())
    visit(child, last);
}

} // namespace

clang::SourceLocation last_operand(const clang::Expr *expression) {
  clang::SourceLocation last = expression->getBeginLoc();
  visit(expression, last);
  return last;
}

} // namespace smem
