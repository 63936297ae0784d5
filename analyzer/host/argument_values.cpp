#include "host/argument_walker.h"

#include <algorithm>
#include <numeric>

#include "smem/integer_division.h"

namespace smem::argument_facts {

using namespace integers;

PossibleInteger ArgumentWalker::of_type(clang::QualType type) const {
  if (!is_integer(type))
    return {};
  if (type->isBooleanType())
    return of_values({0, 1});
  if (type->isUnsignedIntegerOrEnumerationType())
    return range(0, std::nullopt);
  return {};
}

PossibleInteger ArgumentWalker::converted(PossibleInteger value, clang::QualType to) const {
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
  out.facts.remainder = floor_mod(value.facts.remainder, power);
  if (!out.values.empty())
    out = of_type(to);
  out.from = value.from;
  return out;
}

PossibleInteger ArgumentWalker::eval(const clang::Expr *expression, Env &env) {
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

PossibleInteger ArgumentWalker::constant(const clang::Expr *expression) const {
  clang::Expr::EvalResult result;
  if (!expression->getType()->isIntegralOrEnumerationType() || expression->HasSideEffects(context_) ||
      !expression->EvaluateAsInt(result, context_))
    return of_type(expression->getType());
  const llvm::APSInt &value = result.Val.getInt();
  return value.getSignificantBits() <= 63 ? number(value.getExtValue()) : of_type(expression->getType());
}

PossibleInteger ArgumentWalker::checked(PossibleInteger value, clang::QualType type) const {
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
  out.facts.remainder = floor_mod(value.facts.remainder, out.facts.modulus);
  out.from = value.from;
  return out;
}

PossibleInteger ArgumentWalker::eval_binary(const clang::BinaryOperator &operation, Env &env) {
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

void ArgumentWalker::assign(const clang::Expr *target, PossibleInteger value, Env &env) {
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens());
  if (!named)
    return void(eval(target, env));
  if (tracks(named->getDecl()))
    env[named->getDecl()] = std::move(value);
}

PossibleInteger ArgumentWalker::eval_call(const clang::CallExpr &call, Env &env) {
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
    ArgumentWalker walker(context_, launches, steps_, depth_ + 1);
    PossibleInteger value = walker.run(definition, std::move(own));
    if (walker.lost())
      return of_type(call.getType());
    return converted(value, call.getType());
  }
  if (PossibleInteger value = constant(&call); only(value))
    return value;
  return of_type(call.getType());
}

bool ArgumentWalker::of_library(const clang::FunctionDecl &function) const {
  return function.isInStdNamespace() || !function.hasBody() ||
         context_.getSourceManager().isInSystemHeader(function.getLocation());
}

void ArgumentWalker::in_lambda(const clang::LambdaExpr &lambda, const Env &env) {
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

} // namespace smem::argument_facts
