#include "syntax/access_base.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

namespace smem {

const clang::Expr *base_of(const clang::Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParenCasts();
    if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      expression = subscript->getBase();
    } else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      expression = unary->getSubExpr();
    } else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
      if (member->isArrow() || llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenCasts()))
        return member; // the pointer is a member: that is the name to show
      expression = member->getBase();
    } else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
               binary && binary->isAdditiveOp()) {
      expression = binary->getLHS()->getType()->isPointerType() || binary->getLHS()->getType()->isArrayType()
                       ? binary->getLHS()
                       : binary->getRHS();
    } else if (const auto *overloaded = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
               overloaded && overloaded->getNumArgs() > 0) {
      expression = overloaded->getArg(0);
    } else if (const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression);
               method && method->getImplicitObjectArgument()) {
      expression = method->getImplicitObjectArgument();
    } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression)) {
      const clang::Expr *pointer = nullptr;
      for (const clang::Expr *argument : call->arguments())
        if (argument->getType()->isPointerType()) {
          pointer = argument;
          break;
        }
      if (!pointer)
        return expression;
      expression = pointer;
    } else if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
               construct && construct->getNumArgs() == 1) {
      expression = construct->getArg(0);
    } else {
      return expression;
    }
  }
}

bool reads_index(const clang::Expr *expression) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  const auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(call ? call->getCallee()->IgnoreParenImpCasts() : expression);
  const clang::CXXRecordDecl *type =
      reference ? reference->getType()->getAsCXXRecordDecl()
      : member  ? llvm::dyn_cast<clang::CXXRecordDecl>(member->getMemberDecl()->getDeclContext())
                : nullptr;
  return type && type->hasDefinition() &&
         llvm::any_of(type->decls(), [](const clang::Decl *part) { return llvm::isa<clang::MSPropertyDecl>(part); });
}

} // namespace smem
