#include "frontend/cast_alignment.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include "syntax/ast_visitor.h"

namespace smem {
namespace {

class Casts : public AstVisitor {
public:
  explicit Casts(clang::ASTContext &context) : context_(context) {}

  void visit(clang::Stmt *visited) override {
    auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(visited);
    if (!cast || cast->getCastKind() != clang::CK_BitCast || cast->isValueDependent() || cast->isTypeDependent())
      return;
    clang::Expr *from = cast->getSubExpr();
    if (!from->getType()->isPointerType() || !cast->getType()->isPointerType() || llvm::isa<clang::StmtExpr>(from))
      return;
    const clang::QualType target = cast->getType()->getPointeeType();
    if (target->isIncompleteType() || target->isFunctionType() || target->isVoidType())
      return;
    // The value of a statement expression has no declaration behind it, so the cast's own type decides.
    const clang::SourceLocation place = from->getBeginLoc();
    clang::Stmt *statement = from;
    auto *body = clang::CompoundStmt::Create(context_, statement, clang::FPOptionsOverride(), place, place);
    // It ends where the operand does, as texts of the source are taken from ranges.
    cast->setSubExpr(new (context_)
                         clang::StmtExpr(body, from->getType(), place, from->getEndLoc(), /*TemplateDepth=*/0));
  }

private:
  clang::ASTContext &context_;
};

class CastAlignmentConsumer : public clang::ASTConsumer {
public:
  explicit CastAlignmentConsumer(clang::ASTContext &context) : context_(context), casts_(context) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group)
      visit(declaration);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override { visit(function); }

private:
  /// Templates come again as their instantiations.
  void visit(clang::Decl *declaration) {
    if (context_.getSourceManager().isInSystemHeader(declaration->getLocation()))
      return;
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      if (!function->isDependentContext() && function->doesThisDeclarationHaveABody())
        casts_.walk(function->getBody());
    } else if (auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration)) {
      if (!record->isDependentContext())
        for (clang::Decl *member : record->decls())
          visit(member);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      for (clang::Decl *member : llvm::cast<clang::DeclContext>(declaration)->decls())
        visit(member);
    }
  }

  clang::ASTContext &context_;
  Casts casts_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> make_cast_alignment_consumer(clang::ASTContext &context) {
  return std::make_unique<CastAlignmentConsumer>(context);
}

} // namespace smem
