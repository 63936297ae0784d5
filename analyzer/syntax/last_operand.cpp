#include "syntax/last_operand.h"

#include <optional>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

namespace smem {
namespace {

/// Once over an expression, however deep its sums are.
class LastOperand {
public:
  LastOperand(const clang::Expr *expression, const clang::ASTContext &context)
      : context_(context), last_(expression->getBeginLoc()) {
    visit(expression);
  }

  clang::SourceLocation location() const { return last_; }

private:
  using Begin = std::optional<clang::SourceLocation>;

  /// Where the expression begins if nvcc folds it: there it is then, parentheses and all.
  Begin visit(const clang::Stmt *statement) {
    const auto *expression = llvm::dyn_cast_or_null<clang::Expr>(statement);
    if (!expression)
      return std::nullopt;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
        call && !llvm::isa<clang::CXXOperatorCallExpr>(call)) {
      last_ = call->getBeginLoc();
      return std::nullopt;
    }
    if (const auto *object = llvm::dyn_cast<clang::PseudoObjectExpr>(expression)) // threadIdx.x: as written
      return visit(object->getSyntacticForm());
    if (const auto *object = llvm::dyn_cast<clang::OpaqueValueExpr>(expression)) // threadIdx there
      return visit(object->getSourceExpr());
    if (const auto *block = llvm::dyn_cast<clang::StmtExpr>(expression)) // access_alignment.h puts pointers into one
      return block->getSubStmt()->body_empty() ? std::nullopt : visit(block->getSubStmt()->body_back());
    if (expression->children().empty() || llvm::isa<clang::UnaryExprOrTypeTraitExpr>(expression))
      return leaf(expression);
    Begin begin;
    bool folded = is_arithmetic(expression);
    for (const clang::Stmt *child : expression->children()) {
      const Begin of_child = visit(child);
      folded &= of_child.has_value();
      if (!begin)
        begin = of_child;
    }
    if (!folded)
      return std::nullopt;
    if (!llvm::isa<clang::BinaryOperator, clang::ConditionalOperator, clang::ImplicitCastExpr>(expression))
      begin = expression->getBeginLoc(); // the others' is that of their first operand
    last_ = *begin;
    return begin;
  }

  static bool is_arithmetic(const clang::Expr *expression) {
    return expression->getType()->isIntegralOrEnumerationType() &&
           llvm::isa<clang::ParenExpr, clang::CastExpr, clang::UnaryOperator, clang::BinaryOperator,
                     clang::ConditionalOperator, clang::FullExpr, clang::SubstNonTypeTemplateParmExpr>(expression);
  }

  Begin leaf(const clang::Expr *expression) {
    if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression); name && name->getLocation().isValid())
      last_ = name->getLocation();
    if (!expression->getType()->isIntegralOrEnumerationType() || expression->isValueDependent() ||
        expression->isInstantiationDependent() || !expression->isEvaluatable(context_))
      return std::nullopt;
    last_ = expression->getBeginLoc();
    return last_;
  }

  const clang::ASTContext &context_;
  clang::SourceLocation last_;
};

} // namespace

clang::SourceLocation last_operand(const clang::Expr *expression, const clang::ASTContext &context) {
  return LastOperand(expression, context).location();
}

} // namespace smem
