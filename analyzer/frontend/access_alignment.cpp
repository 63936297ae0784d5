#include "frontend/access_alignment.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "frontend/user_code.h"
#include "syntax/ast_visitor.h"

namespace smem {
namespace {

class Accesses : public AstVisitor {
public:
  explicit Accesses(clang::ASTContext &context) : context_(context) {}

  void visit(clang::Stmt *visited) override {
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(visited))
      of_member(*member);
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

  /// `p->x`, `p[i].x` and `(*p).x`.
  void of_member(clang::MemberExpr &member) {
    if (member.isValueDependent() || member.isTypeDependent())
      return;
    clang::Expr *base = member.getBase()->IgnoreParens();
    if (member.isArrow())
      member.setBase(of_the_record_itself(*member.getBase()));
    else if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(base);
             element && element->getBase() == element->getLHS())
      element->setLHS(of_the_record_itself(*element->getLHS()));
    else if (auto *pointee = llvm::dyn_cast<clang::UnaryOperator>(base);
             pointee && pointee->getOpcode() == clang::UO_Deref)
      pointee->setSubExpr(of_the_record_itself(*pointee->getSubExpr()));
  }

  /// The pointer, cast to the structure without what a typedef adds to it.
  clang::Expr *of_the_record_itself(clang::Expr &pointer) const {
    const clang::QualType named = pointer.getType()->getPointeeType();
    if (named.isNull() || named->isIncompleteType() || !named->isRecordType())
      return &pointer;
    const clang::QualType record = context_.getCanonicalType(named);
    if (context_.getTypeAlign(named) == context_.getTypeAlign(record))
      return &pointer;
    const clang::SourceLocation place = pointer.getBeginLoc();
    const clang::QualType target = context_.getPointerType(record);
    return clang::CStyleCastExpr::Create(context_, target, clang::VK_PRValue, clang::CK_NoOp, &pointer,
                                         /*BasePath=*/nullptr, clang::FPOptionsOverride(),
                                         context_.getTrivialTypeSourceInfo(target, place), place, place);
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

class AccessAlignmentConsumer : public UserCodeConsumer {
public:
  explicit AccessAlignmentConsumer(clang::ASTContext &context) : UserCodeConsumer(context), accesses_(context) {}

protected:
  void body(clang::Stmt &body) override { accesses_.walk(&body); }

private:
  Accesses accesses_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> make_access_alignment_consumer(clang::ASTContext &context) {
  return std::make_unique<AccessAlignmentConsumer>(context);
}

} // namespace smem
