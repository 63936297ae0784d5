#include "host/argument_walker.h"

#include <algorithm>

#include "smem/integer_division.h"
#include "syntax/locations.h"

namespace smem::argument_facts {

using namespace integers;

MaybeEnv join(const MaybeEnv &a, const MaybeEnv &b) {
  if (!a)
    return b;
  if (!b)
    return a;
  Env out;
  for (const auto &[variable, value] : *a)
    if (const auto other = b->find(variable); other != b->end())
      out.emplace(variable, join(value, other->second));
  return out;
}

const clang::Expr *ArgumentWalker::plain(const clang::Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
      expression = cleanups->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression);
             cast && cast->getType()->isBooleanType())
      expression = cast->getSubExpr();
    else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
             call && call->getDirectCallee() && call->getDirectCallee()->getBuiltinID() &&
             call->getDirectCallee()->getName() == "__builtin_expect")
      expression = call->getArg(0);
    else
      return expression;
  }
}

const clang::ValueDecl *ArgumentWalker::variable(const clang::Expr *expression) const {
  expression = expression->IgnoreParens();
  while (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const bool widens = cast->getCastKind() == clang::CK_IntegralCast && is_integer(cast->getSubExpr()->getType()) &&
                        context_.getTypeSize(cast->getType()) >= context_.getTypeSize(cast->getSubExpr()->getType());
    if (cast->getCastKind() != clang::CK_LValueToRValue && cast->getCastKind() != clang::CK_NoOp && !widens)
      return nullptr;
    expression = cast->getSubExpr()->IgnoreParens();
  }
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return named && tracks(named->getDecl()) ? named->getDecl() : nullptr;
}

bool ArgumentWalker::compared_as_is(const clang::Expr *side, const PossibleInteger &value) const {
  return !side->getType()->isUnsignedIntegerOrEnumerationType() || (value.facts.least && *value.facts.least >= 0);
}

MaybeEnv ArgumentWalker::assume(const Env &env, const clang::Expr *condition, bool wanted) {
  if (++steps_ > kMostSteps)
    lost_ = true;
  condition = plain(condition);
  Env after = env;
  if (lost_ || condition->isValueDependent())
    return after;
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(condition);
      unary && unary->getOpcode() == clang::UO_LNot)
    return assume(env, unary->getSubExpr(), !wanted);
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (operation && operation->isLogicalOp()) {
    const bool both = operation->getOpcode() == clang::BO_LAnd ? wanted : !wanted;
    if (both) {
      const MaybeEnv first = assume(env, operation->getLHS(), wanted);
      return first ? assume(*first, operation->getRHS(), wanted) : std::nullopt;
    }
    // Either the first decides, or it does not and the second does.
    const MaybeEnv decided = assume(env, operation->getLHS(), wanted), rest = assume(env, operation->getLHS(), !wanted);
    return join(decided, rest ? assume(*rest, operation->getRHS(), wanted) : std::nullopt);
  }
  const clang::SourceLocation place = context_.getSourceManager().getExpansionLoc(condition->getBeginLoc());
  if (operation && operation->isComparisonOp() && is_integer(operation->getLHS()->getType()) &&
      is_integer(operation->getRHS()->getType())) {
    const PossibleInteger left = eval(operation->getLHS(), after), right = eval(operation->getRHS(), after);
    clang::BinaryOperatorKind kind = operation->getOpcode();
    if (kind == clang::BO_Cmp)
      return after;
    if (!wanted)
      kind = clang::BinaryOperator::negateComparisonOp(kind);
    if (!refine(after, operation->getLHS(), kind, right, place) ||
        !refine(after, operation->getRHS(), clang::BinaryOperator::reverseComparisonOp(kind), left, place))
      return std::nullopt;
    return after;
  }
  const PossibleInteger value = eval(condition, after);
  if (const auto known = only(value))
    return (*known != 0) == wanted ? MaybeEnv(std::move(after)) : std::nullopt;
  if (is_integer(condition->getType()) &&
      !refine(after, condition, wanted ? clang::BO_NE : clang::BO_EQ, number(0), place))
    return std::nullopt;
  return after;
}

bool ArgumentWalker::refine(Env &env, const clang::Expr *side, clang::BinaryOperatorKind kind,
                            const PossibleInteger &bound, clang::SourceLocation place) {
  const auto value_of = [&](const clang::ValueDecl *decl) {
    const auto known = env.find(decl);
    return known == env.end() ? of_type(decl->getType()) : known->second;
  };
  const auto store = [&](const clang::ValueDecl *decl, std::optional<PossibleInteger> value) {
    if (!value)
      return false;
    env[decl] = std::move(*value);
    return true;
  };
  const auto is = only(bound);
  if (const clang::ValueDecl *decl = variable(side)) {
    const PossibleInteger now = value_of(decl);
    if (kind != clang::BO_EQ && kind != clang::BO_NE && !compared_as_is(side, now))
      return true;
    switch (kind) {
    case clang::BO_EQ: return compared_as_is(side, now) ? store(decl, meet(now, bound, place)) : true;
    case clang::BO_NE: return is ? store(decl, without(now, *is, place)) : true;
    case clang::BO_LT:
      return !bound.facts.most || store(decl, meet(now, range(std::nullopt, *bound.facts.most - 1), place));
    case clang::BO_LE:
      return !bound.facts.most || store(decl, meet(now, range(std::nullopt, *bound.facts.most), place));
    case clang::BO_GT:
      return !bound.facts.least || store(decl, meet(now, range(*bound.facts.least + 1, std::nullopt), place));
    case clang::BO_GE:
      return !bound.facts.least || store(decl, meet(now, range(*bound.facts.least, std::nullopt), place));
    default: return true;
    }
  }
  // `n % 32 == 0`, `(n & 31) == 0`
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(side->IgnoreParenImpCasts());
  if (!operation || !is || (operation->getOpcode() != clang::BO_Rem && operation->getOpcode() != clang::BO_And))
    return true;
  const clang::ValueDecl *decl = variable(operation->getLHS());
  const auto by = only(eval(operation->getRHS(), env));
  if (!decl || !by || *by <= 0)
    return true;
  const PossibleInteger now = value_of(decl);
  std::int64_t modulus = operation->getOpcode() == clang::BO_Rem ? *by : *by + 1;
  if (operation->getOpcode() == clang::BO_And && (modulus & *by))
    return true;
  // As a number without a sign a negative one has the same remainder of powers of two only.
  if (!compared_as_is(operation->getLHS(), now) && (modulus & (modulus - 1)))
    return true;
  if (modulus < 2 || modulus > ArgumentFacts::kMostModulus || std::abs(*is) >= modulus)
    return true;
  PossibleInteger rest;
  rest.facts.modulus = modulus;
  rest.facts.remainder = floor_mod(*is, modulus);
  const bool truncates =
      operation->getOpcode() == clang::BO_Rem && !operation->getType()->isUnsignedIntegerOrEnumerationType();
  if (kind == clang::BO_EQ) {
    if (truncates && *is > 0)
      rest.facts.least = 0;
    if (truncates && *is < 0)
      rest.facts.most = 0;
    return store(decl, meet(now, rest, place));
  }
  if (kind == clang::BO_NE && modulus == 2 && *is == 1) { // -1 is another one
    const bool positive = !truncates || (now.facts.least && *now.facts.least >= 0);
    rest.facts.remainder = 0;
    if (positive)
      return store(decl, meet(now, rest, place));
    return now.facts.modulus % 2 != 0 || now.facts.remainder % 2 == 0 ||
           store(decl, meet(now, range(std::nullopt, -1), place));
  }
  if (kind == clang::BO_NE && modulus == 2 && *is == 0) {
    rest.facts.remainder = 1;
    return store(decl, meet(now, rest, place));
  }
  return true;
}

} // namespace smem::argument_facts
