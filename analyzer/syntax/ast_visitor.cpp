#include "syntax/ast_visitor.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include "syntax/declarations.h"

namespace smem {
namespace {

class Walk : public clang::RecursiveASTVisitor<Walk> {
public:
  explicit Walk(AstVisitor &visitor) : visitor_(visitor) {}

  bool shouldVisitTemplateInstantiations() const { return visitor_.visits_instantiations(); }
  bool TraverseDecl(clang::Decl *declaration) {
    return (declaration && visitor_.skips(declaration)) || RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool TraverseTranslationUnitDecl(clang::TranslationUnitDecl *unit) {
    for (clang::Decl *declaration : declarations_of(unit))
      if (!canIgnoreChildDeclWhileTraversingDeclContext(declaration) && !TraverseDecl(declaration))
        return false;
    return true;
  }
  bool VisitStmt(clang::Stmt *statement) {
    visitor_.visit(statement);
    return true;
  }

private:
  AstVisitor &visitor_;
};

} // namespace

void AstVisitor::walk(clang::Decl *declaration) { Walk(*this).TraverseDecl(declaration); }
void AstVisitor::walk(clang::Stmt *statement) { Walk(*this).TraverseStmt(statement); }

} // namespace smem
