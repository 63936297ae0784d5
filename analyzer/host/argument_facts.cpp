#include "host/argument_facts.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include "host/possible_integer.h"
#include "syntax/locations.h"

namespace smem {

using namespace integers;

namespace {

constexpr unsigned kMostRounds = 24;    ///< of a loop, until ranges are given up
constexpr unsigned kMostSteps = 60'000; ///< statements and expressions of one function
constexpr unsigned kMostDepth = 3;      ///< of calls that are followed

using Variables = llvm::SmallPtrSet<const clang::ValueDecl *, 16>;

/// Variables that something else than an assignment of their own may change.
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

using Env = std::map<const clang::ValueDecl *, PossibleInteger>; ///< a variable that is not there may be anything
using MaybeEnv = std::optional<Env>;                             ///< none: nothing gets there

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

class Walker {
public:
  Walker(clang::ASTContext &context, std::map<const clang::Expr *, LaunchFacts> &found, unsigned &steps, unsigned depth)
      : context_(context), found_(found), steps_(steps), depth_(depth) {}

  /// What the function returns, where that is an integer.
  PossibleInteger run(const clang::FunctionDecl *function, Env env) {
    assigned_.clear();
    find_escaping(function->getBody(), escaping_, &assigned_, false);
    std::erase_if(env, [&](const auto &one) { return escaping_.contains(one.first); });
    const MaybeEnv end = walk(function->getBody(), std::move(env));
    (void)end;
    return lost_ ? PossibleInteger() : returned_.value_or(PossibleInteger());
  }
  /// A statement was met that makes all this wrong: a jump.
  bool lost() const { return lost_; }

private:
  bool tracks(const clang::ValueDecl *decl) const {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    return variable && variable->hasLocalStorage() && !escaping_.contains(decl) && is_integer(variable->getType()) &&
           !variable->getType().isVolatileQualified();
  }
  bool is_integer(clang::QualType type) const {
    return !type->isDependentType() && type->isIntegralOrUnscopedEnumerationType() && context_.getTypeSize(type) <= 64;
  }

  // --- Expressions -----------------------------------------------------------------------------------------------------------

  PossibleInteger of_type(clang::QualType type) const {
    if (!is_integer(type))
      return {};
    if (type->isBooleanType())
      return of_values({0, 1});
    if (type->isUnsignedIntegerOrEnumerationType())
      return range(0, std::nullopt);
    return {};
  }

  /// Of another type: quantities are presumed to keep their value between 32 and 64 bits, unless they may be negative.
  PossibleInteger converted(PossibleInteger value, clang::QualType to) const {
    if (!is_integer(to))
      return {};
    const unsigned width = static_cast<unsigned>(context_.getTypeSize(to));
    const bool is_unsigned = to->isUnsignedIntegerOrEnumerationType();
    if (to->isBooleanType()) {
      if (value.facts.least && *value.facts.least > 0)
        return number(1);
      return only(value) == 0 ? number(0) : of_values({0, 1});
    }
    const bool fits = value.facts.least && value.facts.most && (!is_unsigned || *value.facts.least >= 0) &&
                      (width >= 63 || (*value.facts.most < (std::int64_t{1} << (width - !is_unsigned)) &&
                                       *value.facts.least >= -(std::int64_t{1} << (width - 1))));
    if (fits)
      return value;
    value.values.clear();
    const bool keeps = width >= 32 && (!is_unsigned || (value.facts.least && *value.facts.least >= 0));
    if (keeps) {
      const auto within = [&](std::optional<std::int64_t> &bound) {
        if (bound && width < 63 && std::abs(*bound) >= (std::int64_t{1} << (width - 1)))
          bound.reset();
      };
      within(value.facts.least);
      within(value.facts.most);
      return value;
    }
    const std::int64_t power = std::min(value.facts.modulus & -value.facts.modulus,
                                        width >= 32 ? ArgumentFacts::kMostModulus : std::int64_t{1} << (width - 1));
    PossibleInteger out = of_type(to);
    out.facts.modulus = power;
    out.facts.remainder = residue(value.facts.remainder, power);
    if (!out.values.empty())
      out = of_type(to);
    out.from = value.from;
    return out;
  }

  PossibleInteger eval(const clang::Expr *expression, Env &env) {
    if (++steps_ > kMostSteps)
      lost_ = true;
    if (lost_ || !expression || expression->isValueDependent() || expression->containsErrors())
      return {};
    expression = expression->IgnoreParens();
    if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
      return eval(cleanups->getSubExpr(), env);
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
      return eval(temporary->getSubExpr(), env);
    if (const auto *constant = llvm::dyn_cast<clang::ConstantExpr>(expression))
      return eval(constant->getSubExpr(), env);
    if (const auto *inserted = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
      return eval(inserted->getExpr(), env);
    if (const auto *substituted = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
      return eval(substituted->getReplacement(), env);
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
      const clang::Expr *operand = cast->getSubExpr();
      switch (cast->getCastKind()) {
      case clang::CK_LValueToRValue:
      case clang::CK_NoOp: return eval(operand, env);
      case clang::CK_IntegralCast:
      case clang::CK_IntegralToBoolean: return converted(eval(operand, env), cast->getType());
      default: eval(operand, env); return constant(expression);
      }
    }
    if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      if (const auto known = env.find(named->getDecl()); known != env.end())
        return known->second;
      if (PossibleInteger value = constant(expression); only(value))
        return value;
      return of_type(named->getType());
    }
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      if (unary->isIncrementDecrementOp()) {
        const PossibleInteger before = eval(unary->getSubExpr(), env);
        const PossibleInteger after = binary(unary->isIncrementOp() ? clang::BO_Add : clang::BO_Sub, before, number(1));
        assign(unary->getSubExpr(), checked(after, unary->getType()), env);
        return unary->isPrefix() ? after : before;
      }
      const PossibleInteger value = eval(unary->getSubExpr(), env);
      switch (unary->getOpcode()) {
      case clang::UO_Plus: return value;
      case clang::UO_Minus: return checked(binary(clang::BO_Sub, number(0), value), unary->getType());
      case clang::UO_Not: return checked(binary(clang::BO_Sub, number(-1), value), unary->getType());
      case clang::UO_LNot: return of_values({0, 1});
      default: return constant(expression);
      }
    }
    if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression))
      return eval_binary(*operation, env);
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
      MaybeEnv yes = assume(env, choice->getCond(), true), no = assume(env, choice->getCond(), false);
      std::optional<PossibleInteger> value;
      const auto add = [&](MaybeEnv &way, const clang::Expr *branch) {
        if (!way)
          return;
        PossibleInteger one = eval(branch, *way);
        if (ends(branch)) {
          way.reset();
          return;
        }
        value = value ? join(*value, one) : std::move(one);
      };
      add(yes, choice->getTrueExpr());
      add(no, choice->getFalseExpr());
      if (MaybeEnv both = join(yes, no))
        env = std::move(*both);
      return value.value_or(PossibleInteger());
    }
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression))
      return eval_call(*call, env);
    if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expression); list && list->getNumInits() == 1)
      return eval(list->getInit(0), env);
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(expression)) {
      in_lambda(*lambda, env);
      return {};
    }
    for (const clang::Stmt *child : expression->children())
      if (const auto *part = llvm::dyn_cast_or_null<clang::Expr>(child))
        eval(part, env);
      else if (child)
        lost_ = true; // a statement in an expression
    return constant(expression);
  }

  PossibleInteger constant(const clang::Expr *expression) const {
    clang::Expr::EvalResult result;
    if (!expression->getType()->isIntegralOrEnumerationType() || expression->HasSideEffects(context_) ||
        !expression->EvaluateAsInt(result, context_))
      return of_type(expression->getType());
    const llvm::APSInt &value = result.Val.getInt();
    return value.getSignificantBits() <= 63 ? number(value.getExtValue()) : of_type(expression->getType());
  }

  /// The result of a computation in that type, which may wrap around where it has no sign.
  PossibleInteger checked(PossibleInteger value, clang::QualType type) const {
    if (!is_integer(type))
      return {};
    const unsigned width = static_cast<unsigned>(context_.getTypeSize(type));
    const bool is_unsigned = type->isUnsignedIntegerOrEnumerationType();
    const std::int64_t limit = width >= 63 ? kFar : std::int64_t{1} << (width - !is_unsigned);
    if (!is_unsigned) { // it does not wrap around
      if (value.facts.most && *value.facts.most >= limit)
        value.facts.most.reset(), value.values.clear();
      if (value.facts.least && *value.facts.least < -limit)
        value.facts.least.reset(), value.values.clear();
      return value;
    }
    if (value.facts.least && *value.facts.least >= 0 && value.facts.most && *value.facts.most < limit)
      return value;
    PossibleInteger out = range(0, std::nullopt);
    out.facts.modulus = std::min(value.facts.modulus & -value.facts.modulus,
                                 width >= 32 ? ArgumentFacts::kMostModulus : std::int64_t{1} << (width - 1));
    out.facts.remainder = residue(value.facts.remainder, out.facts.modulus);
    out.from = value.from;
    return out;
  }

  PossibleInteger eval_binary(const clang::BinaryOperator &operation, Env &env) {
    if (operation.getOpcode() == clang::BO_Comma) {
      eval(operation.getLHS(), env);
      return eval(operation.getRHS(), env);
    }
    if (operation.isLogicalOp()) {
      eval(operation.getLHS(), env);
      Env other = env;
      eval(operation.getRHS(), other);
      env = *join(MaybeEnv(env), MaybeEnv(other));
      return of_values({0, 1});
    }
    if (operation.isAssignmentOp()) {
      PossibleInteger value = eval(operation.getRHS(), env);
      if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&operation)) {
        const PossibleInteger before = converted(eval(operation.getLHS(), env), compound->getComputationLHSType());
        value = checked(binary(clang::BinaryOperator::getOpForCompoundAssignment(operation.getOpcode()), before, value),
                        compound->getComputationResultType());
        value = converted(value, operation.getType());
      }
      assign(operation.getLHS(), value, env);
      return value;
    }
    const PossibleInteger a = eval(operation.getLHS(), env), b = eval(operation.getRHS(), env);
    if (operation.isComparisonOp())
      return of_values({0, 1});
    if (!is_integer(operation.getType()))
      return {};
    if (operation.isShiftOp() || operation.isAdditiveOp() || operation.isMultiplicativeOp() ||
        operation.getOpcode() == clang::BO_And) {
      PossibleInteger value = checked(binary(operation.getOpcode(), a, b), operation.getType());
      if (value.values.empty() && value.facts.empty())
        if (const PossibleInteger known = constant(&operation); only(known))
          return known;
      return value;
    }
    return constant(&operation);
  }

  void assign(const clang::Expr *target, PossibleInteger value, Env &env) {
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens());
    if (!named)
      return void(eval(target, env));
    if (tracks(named->getDecl()))
      env[named->getDecl()] = std::move(value);
  }

  PossibleInteger eval_call(const clang::CallExpr &call, Env &env) {
    if (const auto *launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&call)) {
      note(*launch, env);
      return {};
    }
    if (llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(call)) {
      for (const clang::Stmt *child : call.children())
        if (const auto *part = llvm::dyn_cast_or_null<clang::Expr>(child))
          eval(part, env);
      return of_type(call.getType());
    }
    std::vector<PossibleInteger> arguments;
    for (const clang::Expr *argument : call.arguments())
      arguments.push_back(eval(argument, env));
    const clang::FunctionDecl *callee = call.getDirectCallee();
    if (!callee)
      return of_type(call.getType());
    if (callee->getBuiltinID() && callee->getName() == "__builtin_expect" && !arguments.empty())
      return arguments[0];
    const std::string name = callee->getIdentifier() ? callee->getName().str() : std::string();
    if ((name == "min" || name == "max") && arguments.size() == 2 && of_library(*callee) && is_number(call.getType())) {
      const PossibleInteger &a = arguments[0], &b = arguments[1];
      PossibleInteger out = join(a, b);
      if (name == "min") {
        if (a.facts.most || b.facts.most)
          out.facts.most = std::min(a.facts.most.value_or(INT64_MAX), b.facts.most.value_or(INT64_MAX));
      } else if (a.facts.least || b.facts.least) {
        out.facts.least = std::max(a.facts.least.value_or(INT64_MIN), b.facts.least.value_or(INT64_MIN));
      }
      return out;
    }
    const clang::FunctionDecl *definition = nullptr;
    if (depth_ < kMostDepth && is_integer(call.getType()) && callee->hasBody(definition) &&
        !llvm::isa<clang::CXXMethodDecl>(callee) && definition->getNumParams() == arguments.size() &&
        !context_.getSourceManager().isInSystemHeader(definition->getLocation())) {
      Env own;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (const clang::ParmVarDecl *parameter = definition->getParamDecl(static_cast<unsigned>(i));
            is_integer(parameter->getType()))
          own.emplace(parameter, arguments[i]);
      std::map<const clang::Expr *, LaunchFacts> launches; // of the callee are its own business
      Walker walker(context_, launches, steps_, depth_ + 1);
      PossibleInteger value = walker.run(definition, std::move(own));
      if (walker.lost())
        return of_type(call.getType());
      return converted(value, call.getType());
    }
    if (PossibleInteger value = constant(&call); only(value))
      return value;
    return of_type(call.getType());
  }
  bool of_library(const clang::FunctionDecl &function) const {
    return function.isInStdNamespace() || !function.hasBody() ||
           context_.getSourceManager().isInSystemHeader(function.getLocation());
  }
  bool is_number(clang::QualType type) const { return is_integer(type.getNonReferenceType()); }

  /// A lambda is called at some time: what variables hold that nothing changes after it is made, they hold then, too.
  void in_lambda(const clang::LambdaExpr &lambda, const Env &env) {
    Env inside;
    for (const auto &[variable, value] : env)
      if (!assigned_.contains(variable))
        inside.emplace(variable, value);
    const auto returned = returned_;
    const auto loops = std::move(loops_);
    loops_.clear();
    ++in_lambdas_;
    walk(lambda.getBody(), std::move(inside));
    --in_lambdas_;
    loops_ = loops;
    returned_ = returned;
  }

  // --- Conditions --------------------------------------------------------------------------------------------------------------

  static const clang::Expr *plain(const clang::Expr *expression) {
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

  /// A variable, or one that was converted without a change of its value.
  const clang::ValueDecl *variable(const clang::Expr *expression) const {
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

  /// Whether a comparison of the variable as that type is one of its value: a negative number has another as one without a sign.
  bool compared_as_is(const clang::Expr *side, const PossibleInteger &value) const {
    return !side->getType()->isUnsignedIntegerOrEnumerationType() || (value.facts.least && *value.facts.least >= 0);
  }

  MaybeEnv assume(const Env &env, const clang::Expr *condition, bool wanted) {
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
      const MaybeEnv decided = assume(env, operation->getLHS(), wanted),
                     rest = assume(env, operation->getLHS(), !wanted);
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

  /// `side` relates so to `bound`; false: it cannot.
  bool refine(Env &env, const clang::Expr *side, clang::BinaryOperatorKind kind, const PossibleInteger &bound,
              clang::SourceLocation place) {
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
    rest.facts.remainder = residue(*is, modulus);
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

  // --- Statements --------------------------------------------------------------------------------------------------------------

  /// Whether nothing comes after the expression.
  bool ends(const clang::Expr *expression) const {
    expression = expression->IgnoreParenImpCasts();
    if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
      return ends(cleanups->getSubExpr());
    if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression))
      return ends(cast->getSubExpr());
    if (llvm::isa<clang::CXXThrowExpr>(expression))
      return true;
    if (const auto *comma = llvm::dyn_cast<clang::BinaryOperator>(expression);
        comma && comma->getOpcode() == clang::BO_Comma)
      return ends(comma->getLHS()) || ends(comma->getRHS());
    const auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    return callee && callee->isNoReturn();
  }

  MaybeEnv walk_expression(const clang::Expr *expression, Env env) {
    expression = expression->IgnoreParens();
    if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
      return walk_expression(cleanups->getSubExpr(), std::move(env));
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression); cast && cast->getCastKind() == clang::CK_ToVoid)
      return walk_expression(cast->getSubExpr(), std::move(env));
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
      MaybeEnv yes = assume(env, choice->getCond(), true), no = assume(env, choice->getCond(), false);
      if (yes)
        yes = walk_expression(choice->getTrueExpr(), std::move(*yes));
      if (no)
        no = walk_expression(choice->getFalseExpr(), std::move(*no));
      return join(yes, no);
    }
    if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
        operation && operation->isLogicalOp()) {
      const bool is_or = operation->getOpcode() == clang::BO_LOr;
      const MaybeEnv done = assume(env, operation->getLHS(), is_or), on = assume(env, operation->getLHS(), !is_or);
      return join(done, on ? walk_expression(operation->getRHS(), *on) : std::nullopt);
    }
    if (const auto *statements = llvm::dyn_cast<clang::StmtExpr>(expression))
      return walk(statements->getSubStmt(), std::move(env));
    eval(expression, env);
    if (ends(expression))
      return std::nullopt;
    return env;
  }

  void declare(const clang::VarDecl *variable, Env &env) {
    const clang::Expr *init = variable->getInit();
    if (is_integer(variable->getType()) && variable->hasLocalStorage()) {
      PossibleInteger value = init ? eval(init, env) : PossibleInteger();
      if (tracks(variable))
        env[variable] = std::move(value);
      return;
    }
    if (init && variable->hasLocalStorage() && is_dim3(variable->getType())) {
      if (const auto dims = dims_of(init, env); dims && !escaping_.contains(variable)) {
        const auto known = dims_made_.find(variable);
        if (known == dims_made_.end())
          dims_made_.emplace(variable, *dims);
        else // in a loop
          for (std::size_t axis = 0; axis < 3; ++axis)
            known->second[axis] = join(known->second[axis], (*dims)[axis]);
      } else {
        dims_lost_.insert(variable);
      }
      return;
    }
    if (init)
      eval(init, env);
  }

  static bool is_dim3(clang::QualType type) {
    const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->getIdentifier() && record->getName() == "dim3";
  }

  using Dims = std::array<PossibleInteger, 3>;
  std::optional<Dims> dims_of(const clang::Expr *expression, Env &env) {
    for (;;) {
      expression = expression->IgnoreParenImpCasts();
      if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
        expression = cleanups->getSubExpr();
      else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
        expression = temporary->getSubExpr();
      else if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
        expression = bound->getSubExpr();
      else if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression);
               cast && is_dim3(cast->getSubExpr()->getType()))
        expression = cast->getSubExpr();
      else
        break;
    }
    if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      const auto known = dims_made_.find(named->getDecl());
      if (known != dims_made_.end() && !dims_lost_.contains(named->getDecl()) && !escaping_.contains(named->getDecl()))
        return known->second;
      return std::nullopt;
    }
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      if (!is_dim3(made->getType()))
        return std::nullopt;
      if (made->getNumArgs() == 1 && is_dim3(made->getArg(0)->getType()))
        return dims_of(made->getArg(0), env);
      Dims dims{number(1), number(1), number(1)};
      for (unsigned i = 0; i < std::min(made->getNumArgs(), 3U); ++i) {
        if (!is_integer(made->getArg(i)->getType()))
          return std::nullopt;
        dims[i] = eval(made->getArg(i), env);
      }
      return dims;
    }
    if (is_integer(expression->getType())) // converted
      return Dims{eval(expression, env), number(1), number(1)};
    return std::nullopt;
  }

  void note(const clang::CUDAKernelCallExpr &launch, Env &env) {
    if (lost_)
      return;
    LaunchFacts &facts = found_[&launch];
    const auto add = [&](PlacedFacts &to, const PossibleInteger &value) {
      const SourceLocation from =
          value.from.isValid() ? to_location(value.from, context_.getSourceManager()) : SourceLocation();
      ArgumentFacts own = value.facts;
      if (own.least == 0 && !own.most) // of types without a sign
        own.least.reset();
      if (own.least && near(*own.least)) // inwards, to what has the remainder
        *own.least += residue(own.remainder - *own.least, own.modulus);
      if (own.most && near(*own.most))
        *own.most -= residue(*own.most - own.remainder, own.modulus);
      if (!facts.met)
        to = {own, from};
      else
        to.facts = either(to.facts, own);
    };
    for (unsigned i = 0; i < launch.getNumArgs(); ++i)
      if (const clang::Expr *argument = launch.getArg(i); is_integer(argument->getType()))
        add(facts.arguments[i], eval(argument, env));
      else
        eval(argument, env);
    const clang::CallExpr *config = launch.getConfig();
    if (config && config->getNumArgs() > 1) {
      const auto dims = dims_of(config->getArg(1), env);
      for (std::size_t axis = 0; axis < 3; ++axis)
        add(facts.block[axis], dims ? (*dims)[axis] : PossibleInteger());
    }
    facts.met = true;
  }

  struct LoopEnds {
    MaybeEnv breaks, continues;
    bool is_switch = false;
  };

  /// `condition` may be null, `last` is what is done after each iteration.
  MaybeEnv loop(Env head, const clang::Expr *condition, const clang::Stmt *body, const clang::Stmt *last,
                bool body_first) {
    MaybeEnv after;
    for (unsigned round = 0; !lost_; ++round) {
      loops_.push_back({});
      MaybeEnv inside = head;
      if (condition && !body_first)
        inside = assume(head, condition, true);
      if (inside)
        inside = walk(body, std::move(*inside));
      inside = join(inside, loops_.back().continues);
      if (inside && last)
        inside = walk(last, std::move(*inside));
      MaybeEnv out;
      if (condition && body_first) {
        const MaybeEnv at_end = inside;
        inside = at_end ? assume(*at_end, condition, true) : std::nullopt;
        out = at_end ? assume(*at_end, condition, false) : std::nullopt;
      } else if (condition) {
        out = assume(head, condition, false);
      }
      after = join(loops_.back().breaks, out);
      loops_.pop_back();
      const MaybeEnv next = join(MaybeEnv(head), inside);
      bool same = next->size() == head.size();
      for (const auto &[variable, value] : *next)
        same &= head.contains(variable) && head.at(variable) == value;
      if (same)
        return after;
      Env widened = *next;
      if (round >= kMostRounds)
        for (auto &[variable, value] : widened)
          if (const PossibleInteger &before = head.at(variable); !(before == value)) {
            value.values.clear();
            if (value.facts.least != before.facts.least)
              value.facts.least.reset();
            if (value.facts.most != before.facts.most)
              value.facts.most.reset();
            if (round >= 2 * kMostRounds)
              value = PossibleInteger();
          }
      head = std::move(widened);
    }
    return after;
  }

  MaybeEnv walk_switch(const clang::SwitchStmt &choice, Env env) {
    eval(choice.getCond(), env);
    const clang::ValueDecl *decl = variable(choice.getCond());
    const auto *body = llvm::dyn_cast<clang::CompoundStmt>(choice.getBody());
    if (!body) {
      lost_ = true;
      return env;
    }
    loops_.push_back({{}, {}, true});
    MaybeEnv now;
    bool has_default = false;
    for (const clang::Stmt *statement : body->body()) {
      while (const auto *label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
        if (const auto *own = llvm::dyn_cast<clang::CaseStmt>(label)) {
          MaybeEnv entry = env;
          Env scratch = env;
          const auto value = only(eval(own->getLHS(), scratch));
          if (decl && value && !own->getRHS()) {
            const auto known = env.find(decl);
            const auto met = meet(known == env.end() ? of_type(decl->getType()) : known->second, number(*value),
                                  context_.getSourceManager().getExpansionLoc(own->getBeginLoc()));
            if (met)
              (*entry)[decl] = *met;
            else
              entry.reset();
          }
          now = join(now, entry);
        } else {
          has_default = true;
          now = join(now, MaybeEnv(env));
        }
        statement = label->getSubStmt();
      }
      if (now)
        now = walk(statement, std::move(*now));
    }
    MaybeEnv after = join(now, loops_.back().breaks);
    // A `continue` is of the loop around.
    const MaybeEnv continues = loops_.back().continues;
    loops_.pop_back();
    if (continues && !loops_.empty())
      loops_.back().continues = join(loops_.back().continues, continues);
    return has_default ? after : join(after, MaybeEnv(env));
  }

  MaybeEnv walk(const clang::Stmt *statement, Env env) {
    if (!statement || lost_)
      return env;
    if (++steps_ > kMostSteps) {
      lost_ = true;
      return env;
    }
    if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement))
      return walk_expression(expression, std::move(env));
    switch (statement->getStmtClass()) {
    case clang::Stmt::CompoundStmtClass: {
      MaybeEnv now = std::move(env);
      for (const clang::Stmt *each : llvm::cast<clang::CompoundStmt>(statement)->body()) {
        if (!now)
          break;
        now = walk(each, std::move(*now));
      }
      return now;
    }
    case clang::Stmt::DeclStmtClass:
      for (const clang::Decl *decl : llvm::cast<clang::DeclStmt>(statement)->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
          declare(variable, env);
      return env;
    case clang::Stmt::IfStmtClass: {
      const auto *branch = llvm::cast<clang::IfStmt>(statement);
      MaybeEnv start = std::move(env);
      for (const clang::Stmt *before :
           {branch->getInit(), static_cast<const clang::Stmt *>(branch->getConditionVariableDeclStmt())})
        if (before && start)
          start = walk(before, std::move(*start));
      if (!start || !branch->getCond())
        return start;
      MaybeEnv yes = assume(*start, branch->getCond(), true), no = assume(*start, branch->getCond(), false);
      if (yes)
        yes = walk(branch->getThen(), std::move(*yes));
      if (no && branch->getElse())
        no = walk(branch->getElse(), std::move(*no));
      return join(yes, no);
    }
    case clang::Stmt::WhileStmtClass: {
      const auto *own = llvm::cast<clang::WhileStmt>(statement);
      if (own->getConditionVariable()) {
        lost_ = true;
        return env;
      }
      return loop(std::move(env), own->getCond(), own->getBody(), nullptr, false);
    }
    case clang::Stmt::DoStmtClass: {
      const auto *own = llvm::cast<clang::DoStmt>(statement);
      return loop(std::move(env), own->getCond(), own->getBody(), nullptr, true);
    }
    case clang::Stmt::ForStmtClass: {
      const auto *own = llvm::cast<clang::ForStmt>(statement);
      MaybeEnv start = walk(own->getInit(), std::move(env));
      if (own->getConditionVariable())
        lost_ = true;
      return start ? loop(std::move(*start), own->getCond(), own->getBody(), own->getInc(), false) : start;
    }
    case clang::Stmt::CXXForRangeStmtClass: {
      const auto *own = llvm::cast<clang::CXXForRangeStmt>(statement);
      eval(own->getRangeInit(), env);
      MaybeEnv after = env; // of no iterations
      for (unsigned round = 0; round <= 3 * kMostRounds && !lost_; ++round) {
        // The condition of its iterators is not looked at.
        MaybeEnv more = loop_once(*after, own->getBody());
        MaybeEnv next = join(after, more);
        if (*next == *after)
          return after;
        after = std::move(next);
        if (round >= kMostRounds) { // what changes may be anything
          Variables changed, escaping;
          find_escaping(own->getBody(), escaping, &changed, false);
          std::erase_if(*after, [&](const auto &one) { return changed.contains(one.first); });
        }
      }
      return after;
    }
    case clang::Stmt::SwitchStmtClass: {
      const auto *own = llvm::cast<clang::SwitchStmt>(statement);
      MaybeEnv start = own->getInit() ? walk(own->getInit(), std::move(env)) : MaybeEnv(std::move(env));
      if (own->getConditionVariable())
        lost_ = true;
      return start ? walk_switch(*own, std::move(*start)) : start;
    }
    case clang::Stmt::ReturnStmtClass: {
      const clang::Expr *value = llvm::cast<clang::ReturnStmt>(statement)->getRetValue();
      if (value) {
        const PossibleInteger returned = eval(value, env);
        if (!in_lambdas_)
          returned_ = returned_ ? join(*returned_, returned) : returned;
      }
      return std::nullopt;
    }
    case clang::Stmt::BreakStmtClass:
      if (!loops_.empty())
        loops_.back().breaks = join(loops_.back().breaks, MaybeEnv(std::move(env)));
      return std::nullopt;
    case clang::Stmt::ContinueStmtClass:
      if (!loops_.empty())
        loops_.back().continues = join(loops_.back().continues, MaybeEnv(std::move(env)));
      return std::nullopt;
    case clang::Stmt::CXXTryStmtClass: {
      const auto *own = llvm::cast<clang::CXXTryStmt>(statement);
      Variables changed, escaping;
      find_escaping(own->getTryBlock(), escaping, &changed, false);
      Env caught = env;
      std::erase_if(caught, [&](const auto &one) { return changed.contains(one.first); });
      MaybeEnv after = walk(own->getTryBlock(), std::move(env));
      for (unsigned i = 0; i < own->getNumHandlers(); ++i)
        after = join(after, walk(own->getHandler(i)->getHandlerBlock(), caught));
      return after;
    }
    case clang::Stmt::AttributedStmtClass:
      return walk(llvm::cast<clang::AttributedStmt>(statement)->getSubStmt(), std::move(env));
    case clang::Stmt::NullStmtClass: return env;
    default: // jumps, labels, assembly
      lost_ = true;
      return env;
    }
  }

  MaybeEnv loop_once(Env env, const clang::Stmt *body) {
    loops_.push_back({});
    MaybeEnv out = walk(body, std::move(env));
    out = join(out, join(loops_.back().breaks, loops_.back().continues));
    loops_.pop_back();
    return out;
  }

  clang::ASTContext &context_;
  std::map<const clang::Expr *, LaunchFacts> &found_;
  unsigned &steps_;
  const unsigned depth_;
  unsigned in_lambdas_ = 0;
  Variables escaping_, assigned_;
  std::map<const clang::ValueDecl *, Dims> dims_made_;
  Variables dims_lost_;
  std::vector<LoopEnds> loops_;
  std::optional<PossibleInteger> returned_;
  bool lost_ = false;
};

} // namespace

struct ArgumentFactsFinder::State {
  clang::ASTContext &context;
  std::map<const clang::FunctionDecl *, std::map<const clang::Expr *, LaunchFacts>> functions;
};

ArgumentFactsFinder::ArgumentFactsFinder(clang::ASTContext &context) : state_(new State{context, {}}) {}
ArgumentFactsFinder::~ArgumentFactsFinder() = default;

const LaunchFacts &ArgumentFactsFinder::of(const clang::FunctionDecl *function, const clang::Expr *site) {
  static const LaunchFacts kNone;
  // The function that lambdas around the launch stand in.
  for (const clang::CXXMethodDecl *method;
       (method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function)) && method->getParent()->isLambda();
       function = llvm::dyn_cast_or_null<clang::FunctionDecl>(method->getParent()->getParentFunctionOrMethod()))
    ;
  if (!function || !function->hasBody())
    return kNone;
  const auto [known, fresh] = state_->functions.try_emplace(function);
  if (fresh && !function->isDependentContext()) {
    const clang::FunctionDecl *definition = nullptr;
    function->hasBody(definition);
    unsigned steps = 0;
    Walker walker(state_->context, known->second, steps, 0);
    walker.run(definition, {});
    if (walker.lost())
      known->second.clear();
  }
  const auto found = known->second.find(site);
  return found == known->second.end() || !found->second.met ? kNone : found->second;
}

} // namespace smem
