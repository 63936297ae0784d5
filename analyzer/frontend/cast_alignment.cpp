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
    if (!cast || cast->isValueDependent() || cast->isTypeDependent())
      return;
    if (cast->getCastKind() == clang::CK_BitCast)
      of_pointer(*cast);
    else if (cast->getCastKind() == clang::CK_LValueBitCast)
      of_reference(*cast);
  }

private:
  void of_pointer(clang::ExplicitCastExpr &cast) {
    clang::Expr *from = cast.getSubExpr();
    if (!from->getType()->isPointerType() || !cast.getType()->isPointerType() || llvm::isa<clang::StmtExpr>(from))
      return;
    if (has_alignment(cast.getType()->getPointeeType()))
      cast.setSubExpr(hidden(*from));
  }

  /// `(T &)x` becomes `*(T *)&x`, of which the pointer is hidden.
  void of_reference(clang::ExplicitCastExpr &cast) {
    clang::Expr *from = cast.getSubExpr();
    const clang::QualType target = cast.getType();
    if (!from->isLValue() || !cast.isLValue() || !has_alignment(target))
      return;
    const clang::SourceLocation place = from->getBeginLoc();
    const clang::FPOptionsOverride options;
    clang::Expr *address =
        clang::UnaryOperator::Create(context_, from, clang::UO_AddrOf, context_.getPointerType(from->getType()),
                                     clang::VK_PRValue, clang::OK_Ordinary, place, /*CanOverflow=*/false, options);
    const clang::QualType pointer = context_.getPointerType(target);
    clang::Expr *seen_as = clang::CStyleCastExpr::Create(
        context_, pointer, clang::VK_PRValue, clang::CK_BitCast, hidden(*address),
        /*BasePath=*/nullptr, options, context_.getTrivialTypeSourceInfo(pointer, place), place, place);
    cast.setSubExpr(clang::UnaryOperator::Create(context_, seen_as, clang::UO_Deref, target, clang::VK_LValue,
                                                 clang::OK_Ordinary, place, /*CanOverflow=*/false, options));
    cast.setCastKind(clang::CK_NoOp);
  }

  static bool has_alignment(clang::QualType target) {
    return !target->isIncompleteType() && !target->isFunctionType() && !target->isVoidType();
  }

  /// The value of a statement expression has no declaration behind it, so the cast's own type decides.
  clang::Expr *hidden(clang::Expr &from) const {
    const clang::SourceLocation place = from.getBeginLoc();
    clang::Stmt *statement = &from;
    auto *body = clang::CompoundStmt::Create(context_, statement, clang::FPOptionsOverride(), place, place);
    // It ends where the operand does, as texts of the source are taken from ranges.
    return new (context_) clang::StmtExpr(body, from.getType(), place, from.getEndLoc(), /*TemplateDepth=*/0);
  }

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
