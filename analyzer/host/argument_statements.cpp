#include "host/argument_walker.h"

#include <algorithm>

#include <llvm/ADT/SmallVector.h>

#include "smem/integer_division.h"
#include "syntax/locations.h"

namespace smem::argument_facts {

using namespace integers;

PossibleInteger ArgumentWalker::run(const clang::FunctionDecl *function, Env env) {
  assigned_.clear();
  find_escaping(function->getBody(), escaping_, &assigned_, false);
  std::erase_if(env, [&](const auto &one) { return escaping_.contains(one.first); });
  const MaybeEnv end = walk(function->getBody(), std::move(env));
  (void)end;
  return lost_ ? PossibleInteger() : returned_.value_or(PossibleInteger());
}

bool ArgumentWalker::tracks(const clang::ValueDecl *decl) const {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
  return variable && variable->hasLocalStorage() && !escaping_.contains(decl) && is_integer(variable->getType()) &&
         !variable->getType().isVolatileQualified();
}

bool ArgumentWalker::is_integer(clang::QualType type) const {
  return !type->isDependentType() && type->isIntegralOrUnscopedEnumerationType() && context_.getTypeSize(type) <= 64;
}

bool ArgumentWalker::ends(const clang::Expr *expression) const {
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

MaybeEnv ArgumentWalker::walk_expression(const clang::Expr *expression, Env env) {
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

void ArgumentWalker::declare(const clang::VarDecl *variable, Env &env) {
  const clang::Expr *init = variable->getInit();
  if (is_integer(variable->getType()) && variable->hasLocalStorage()) {
    PossibleInteger value = init ? eval(init, env) : PossibleInteger();
    if (tracks(variable))
      env[variable] = std::move(value);
    return;
  }
  if (init && variable->hasLocalStorage() && is_dim3(variable->getType())) {
    DimsFrom from{};
    if (const auto dims = dims_of(init, env, &from); dims && !escaping_.contains(variable)) {
      const auto known = dims_made_.find(variable);
      if (known == dims_made_.end())
        dims_made_.emplace(variable, *dims), dims_from_.emplace(variable, from);
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

bool ArgumentWalker::is_dim3(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "dim3";
}

/// A block's axis of a number with a sign: what is below 1 is no block, so that the conversion changes nothing of those that are launched.
PossibleInteger ArgumentWalker::positive(PossibleInteger value, clang::QualType type) const {
  if (!is_integer(type) || !type->isSignedIntegerOrEnumerationType() || context_.getTypeSize(type) > 32)
    return value;
  const clang::SourceLocation from = value.from;
  return meet(value, range(1, std::nullopt), from).value_or(value);
}

PossibleInteger ArgumentWalker::axis_of(const clang::Expr *expression, Env &env) {
  const clang::Expr *given = expression;
  while (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(given)) {
    if (cast->getCastKind() != clang::CK_IntegralCast)
      break;
    given = cast->getSubExpr();
  }
  return converted(positive(eval(given, env), given->getType()), context_.UnsignedIntTy);
}

std::optional<ArgumentWalker::Dims> ArgumentWalker::dims_of(const clang::Expr *expression, Env &env, DimsFrom *from) {
  const auto unchanged = [&](const clang::Expr *value) {
    const clang::ValueDecl *named = variable(value);
    return named && !assigned_.contains(named) ? named : nullptr;
  };
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
    if (known == dims_made_.end() || dims_lost_.contains(named->getDecl()) || escaping_.contains(named->getDecl()))
      return std::nullopt;
    Dims dims = known->second;
    const DimsFrom &sources = dims_from_.at(named->getDecl());
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const auto now = sources[axis] ? env.find(sources[axis]) : env.end(); now != env.end())
        dims[axis] = converted(positive(now->second, sources[axis]->getType()), context_.UnsignedIntTy);
    if (from)
      *from = sources;
    return dims;
  }
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
    if (!is_dim3(made->getType()))
      return std::nullopt;
    if (made->getNumArgs() == 1 && is_dim3(made->getArg(0)->getType()))
      return dims_of(made->getArg(0), env, from);
    Dims dims{number(1), number(1), number(1)};
    for (unsigned i = 0; i < std::min(made->getNumArgs(), 3U); ++i) {
      if (!is_integer(made->getArg(i)->getType()))
        return std::nullopt;
      dims[i] = axis_of(made->getArg(i), env);
      if (from)
        (*from)[i] = unchanged(made->getArg(i));
    }
    return dims;
  }
  if (from && is_integer(expression->getType()))
    (*from)[0] = unchanged(expression);
  if (is_integer(expression->getType())) // converted
    return Dims{axis_of(expression, env), number(1), number(1)};
  return std::nullopt;
}

void ArgumentWalker::note(const clang::CUDAKernelCallExpr &launch, Env &env) {
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
      *own.least += floor_mod(own.remainder - *own.least, own.modulus);
    if (own.most && near(*own.most))
      *own.most -= floor_mod(*own.most - own.remainder, own.modulus);
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
    for (std::size_t axis = 0; axis < 3; ++axis) {
      PossibleInteger threads = dims ? (*dims)[axis] : PossibleInteger();
      if (threads.facts.least == 1 && threads.facts.most != 1) // as all have
        threads.facts.least.reset();
      add(facts.block[axis], threads);
    }
  }
  facts.met = true;
}

MaybeEnv ArgumentWalker::loop(Env head, const clang::Expr *condition, const clang::Stmt *body, const clang::Stmt *last,
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

MaybeEnv ArgumentWalker::walk_switch(const clang::SwitchStmt &choice, Env env) {
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

MaybeEnv ArgumentWalker::walk(const clang::Stmt *statement, Env env) {
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

MaybeEnv ArgumentWalker::loop_once(Env env, const clang::Stmt *body) {
  loops_.push_back({});
  MaybeEnv out = walk(body, std::move(env));
  out = join(out, join(loops_.back().breaks, loops_.back().continues));
  loops_.pop_back();
  return out;
}

} // namespace smem::argument_facts
