#include "host/escaping_variables.h"

#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

namespace smem::argument_facts {

void find_escaping(const clang::Stmt *statement, Variables &escaping, Variables *assigned, bool in_lambda) {
  if (!statement)
    return;
  const auto variable = [](const clang::Expr *of) -> const clang::ValueDecl * {
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(of->IgnoreParens());
    return named ? named->getDecl() : nullptr;
  };
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(statement)) {
    const bool reads = cast->getCastKind() == clang::CK_LValueToRValue ||
                       (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified() &&
                        llvm::isa<clang::ImplicitCastExpr>(cast));
    if (reads && variable(cast->getSubExpr()))
      return;
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement); binary && binary->isAssignmentOp())
    if (const clang::ValueDecl *target = variable(binary->getLHS())) {
      (in_lambda ? escaping : assigned ? *assigned : escaping).insert(target);
      find_escaping(binary->getRHS(), escaping, assigned, in_lambda);
      return;
    }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement); unary && unary->isIncrementDecrementOp())
    if (const clang::ValueDecl *target = variable(unary->getSubExpr())) {
      (in_lambda ? escaping : assigned ? *assigned : escaping).insert(target);
      return;
    }
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    if (!named->getDecl()->getType().isConstQualified())
      escaping.insert(named->getDecl());
    return;
  }
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
    find_escaping(lambda->getBody(), escaping, assigned, true);
    for (const clang::LambdaCapture &capture : lambda->captures())
      if (lambda->isInitCapture(&capture))
        if (const auto *own = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          find_escaping(own->getInit(), escaping, assigned, true);
    return;
  }
  for (const clang::Stmt *child : statement->children())
    find_escaping(child, escaping, assigned, in_lambda);
}

} // namespace smem::argument_facts
