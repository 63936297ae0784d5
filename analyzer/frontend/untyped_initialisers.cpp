#include "frontend/untyped_initialisers.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "syntax/ast_visitor.h"

namespace smem {
namespace {

class Initialisers : public AstVisitor {
public:
  explicit Initialisers(clang::ASTContext &context) : context_(context) {}

  void visit(clang::Stmt *statement) override {
    if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (clang::Decl *declaration : declarations->decls())
        if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration))
          give_type(*variable);
  }

private:
  void give_type(clang::VarDecl &variable) const {
    const clang::Expr *init = variable.getInit();
    if (init && init->getType().isNull() && !variable.getType().isNull())
      variable.setInit(clang::RecoveryExpr::Create(context_, variable.getType().getNonReferenceType(),
                                                   init->getBeginLoc(), init->getEndLoc(), {}));
  }

  clang::ASTContext &context_;
};

} // namespace

void give_initialisers_types(clang::FunctionDecl &function) {
  Initialisers(function.getASTContext()).walk(function.getBody());
}

} // namespace smem
