#include <algorithm>

#include <clang/Basic/SourceManager.h>

#include "host/interpreter.h"

namespace smem {

namespace {

/// Whether a reference that is initialised by this keeps a temporary alive.
bool extends_lifetime(const clang::Expr *init) {
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(init))
    init = full->getSubExpr();
  const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(init->IgnoreParenCasts());
  return temporary && temporary->getStorageDuration() == clang::SD_Automatic;
}

} // namespace

Interpreter::Flow Interpreter::execute(const clang::Stmt *statement) {
  if (!statement)
    return Flow::Next;
  if (stopped())
    return Flow::Exit;
  const Flow flow = execute_kind(statement);
  return stopped() ? Flow::Exit : flow;
}

Interpreter::Flow Interpreter::execute_kind(const clang::Stmt *statement) {
  if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement)) {
    discard(expression);
    return Flow::Next;
  }
  switch (statement->getStmtClass()) {
  case clang::Stmt::CompoundStmtClass:
    return in_scope([&] {
      const auto *block = llvm::cast<clang::CompoundStmt>(statement);
      for (auto child = block->body_begin(); child != block->body_end();) {
        const Flow flow = execute(*child++);
        if (flow == Flow::Next)
          continue;
        if (flow != Flow::Exit || stopped() || !frame().jump)
          return flow;
        // A goto: to one of the labels of this block, or of one around it.
        child = std::find_if(block->body_begin(), block->body_end(), [this](const clang::Stmt *target) {
          const auto *label = llvm::dyn_cast<clang::LabelStmt>(target);
          return label && label->getDecl() == frame().jump;
        });
        if (child == block->body_end())
          return flow;
        frame().jump = nullptr;
        if (++steps_ > most_steps_)
          exhausted_ = true;
      }
      return Flow::Next;
    });
  case clang::Stmt::DeclStmtClass:
    for (const clang::Decl *declaration : llvm::cast<clang::DeclStmt>(statement)->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration))
        declare(variable);
    return Flow::Next;
  case clang::Stmt::IfStmtClass: return in_scope([&] { return execute_if(llvm::cast<clang::IfStmt>(statement)); });
  case clang::Stmt::SwitchStmtClass:
    return in_scope([&] { return execute_switch(llvm::cast<clang::SwitchStmt>(statement)); });
  case clang::Stmt::ForStmtClass: {
    const auto *loop = llvm::cast<clang::ForStmt>(statement);
    return in_scope([&] {
      execute(loop->getInit());
      return execute_loop(loop, loop->getCond(), loop->getBody(), loop->getInc(), loop->getConditionVariable(), false);
    });
  }
  case clang::Stmt::WhileStmtClass: {
    const auto *loop = llvm::cast<clang::WhileStmt>(statement);
    return execute_loop(loop, loop->getCond(), loop->getBody(), nullptr, loop->getConditionVariable(), false);
  }
  case clang::Stmt::DoStmtClass: {
    const auto *loop = llvm::cast<clang::DoStmt>(statement);
    return execute_loop(loop, loop->getCond(), loop->getBody(), nullptr, nullptr, true);
  }
  case clang::Stmt::CXXForRangeStmtClass:
    return in_scope([&] { return execute_range_for(llvm::cast<clang::CXXForRangeStmt>(statement)); });
  case clang::Stmt::ReturnStmtClass: {
    const clang::Expr *expression = llvm::cast<clang::ReturnStmt>(statement)->getRetValue();
    Value result;
    if (expression && frame().function && frame().function->getReturnType()->isReferenceType())
      result = address_of(expression);
    else if (expression)
      result = evaluate(expression);
    std::optional<Value> &all = frame().result;
    all = all ? join(*all, result, "depends on which return is taken" + at_line(statement)) : result;
    return Flow::Return;
  }
  case clang::Stmt::BreakStmtClass: return Flow::Break;
  case clang::Stmt::ContinueStmtClass: return Flow::Continue;
  case clang::Stmt::GotoStmtClass:
    frame().jump = llvm::cast<clang::GotoStmt>(statement)->getLabel();
    frame().jumps_back =
        context_.getSourceManager().isBeforeInTranslationUnit(frame().jump->getLocation(), statement->getBeginLoc());
    return Flow::Exit;
  case clang::Stmt::IndirectGotoStmtClass: exhausted_ = true; return Flow::Exit;
  case clang::Stmt::LabelStmtClass: {
    const auto *label = llvm::cast<clang::LabelStmt>(statement);
    if (const auto jumped = frame().jumped.find(label->getDecl()); jumped != frame().jumped.end()) {
      const std::string reason = "depends on a goto" + at_line(statement);
      store_.forget(store_.changes_since(jumped->second.mark), reason);
      store_.forget(jumped->second.changes, reason);
      frame().jumped.erase(label->getDecl());
    }
    return execute(label->getSubStmt());
  }
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass: return execute(llvm::cast<clang::SwitchCase>(statement)->getSubStmt());
  case clang::Stmt::AttributedStmtClass: return execute(llvm::cast<clang::AttributedStmt>(statement)->getSubStmt());
  case clang::Stmt::CXXTryStmtClass: return execute_try(llvm::cast<clang::CXXTryStmt>(statement));
  default: return Flow::Next;
  }
}

void Interpreter::declare(const clang::VarDecl *variable) {
  if (variable->hasGlobalStorage()) { // a static local
    global(variable);
    return;
  }
  const clang::QualType type = variable->getType();
  if (variable->isInvalidDecl() || type->isDependentType()) {
    frame().variables[variable] =
        store_.create(unknown("depends on code that does not compile here" + at_line(variable->getLocation())));
    return;
  }
  const std::string reason = "depends on '" + variable->getNameAsString() + "', which is not initialised";
  if (type->isReferenceType()) {
    Value target =
        variable->getInit() ? address_of(variable->getInit()) : unknown("depends on memory that is not followed");
    if (const auto place = pointee(target); place && variable->getInit() && extends_lifetime(variable->getInit()))
      keep_alive(*place, type->getPointeeType());
    frame().variables[variable] = store_.create(std::move(target));
    return;
  }
  const ObjectId object = store_.create(uninitialised(type, context_, reason));
  frame().variables[variable] = object;
  if (variable->getInit())
    initialise({object, {}}, type, variable->getInit());
  if (is_constant(type, context_))
    store_.make_constant(object);
  keep_alive({object, {}}, type);
  if (const auto *parts = llvm::dyn_cast<clang::DecompositionDecl>(variable))
    for (const clang::BindingDecl *binding : parts->bindings())
      if (const clang::VarDecl *holder = binding->getHoldingVar()) // get<i>() of a tuple
        declare(holder);
}

Interpreter::Flow Interpreter::execute_if(const clang::IfStmt *statement) {
  if (statement->isConsteval())
    return execute(statement->isNegatedConsteval() ? statement->getThen() : statement->getElse());
  if (statement->isConstexpr())
    if (const auto taken = statement->getNondiscardedCase(context_))
      return execute(*taken);
  execute(statement->getInit());
  if (statement->getConditionVariable())
    declare(statement->getConditionVariable());
  return choose(evaluate(statement->getCond()), statement, statement->getThen(), statement->getElse());
}

/// A handler is another way on. How far the block has come by then is not known, and so is what it changes. Handlers of libraries take back what was done and
/// throw on.
Interpreter::Flow Interpreter::execute_try(const clang::CXXTryStmt *statement) {
  const clang::Stmt *block = statement->getTryBlock();
  if (context_.getSourceManager().isInSystemHeader(statement->getBeginLoc()) || !exceptions_.may_leave(block))
    return execute(block);
  const std::string reason = "depends on whether an exception is thrown" + at_line(statement);
  std::vector<PathResult> paths{try_path(block)};
  if (exhausted_ || aborted_)
    return Flow::Exit;
  Changes changed = paths[0].changes;
  for (const Changes &returned : paths[0].returned)
    changed.insert(returned.begin(), returned.end());
  const bool certain = paths[0].flow == Flow::Exit;
  for (unsigned i = 0; i < statement->getNumHandlers() && !stopped(); ++i) {
    const clang::CXXCatchStmt *handler = statement->getHandler(i);
    if (!certain)
      recorder_.enter_unreached();
    paths.push_back(try_running([&] {
      store_.forget(changed, reason);
      return in_scope([&] {
        if (handler->getExceptionDecl())
          declare(handler->getExceptionDecl());
        return execute(handler->getHandlerBlock());
      });
    }));
    if (!certain)
      recorder_.leave_unreached();
  }
  return either(std::move(paths), statement);
}

/// The statements behind a label; nullopt if it is not one of the body's own.
std::optional<Interpreter::Flow> Interpreter::execute_switch_from(const clang::Stmt *body, const clang::Stmt *label) {
  const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(body);
  const llvm::ArrayRef<const clang::Stmt *> statements =
      compound ? llvm::ArrayRef<const clang::Stmt *>(compound->body_begin(), compound->size()) : llvm::ArrayRef(body);
  bool running = false;
  for (const clang::Stmt *child : statements) {
    // Labels may be nested: `case 1: case 2: …`.
    for (const clang::Stmt *nested = child; !running && nested;) {
      running = nested == label;
      const auto *inner = llvm::dyn_cast<clang::SwitchCase>(nested);
      nested = inner ? inner->getSubStmt() : nullptr;
    }
    if (!running)
      continue;
    if (const Flow flow = execute(child); flow != Flow::Next)
      return flow == Flow::Break ? Flow::Next : flow;
  }
  return running ? std::optional(Flow::Next) : std::nullopt;
}

Interpreter::Flow Interpreter::execute_switch(const clang::SwitchStmt *statement) {
  execute(statement->getInit());
  if (statement->getConditionVariable())
    declare(statement->getConditionVariable());
  const Value condition = evaluate(statement->getCond());
  if (stopped())
    return Flow::Exit;
  const bool outer_uncertain = std::exchange(frame().break_uncertain, false);
  const std::size_t mark = store_.begin();
  const Flow flow = choose_label(statement, condition);
  // A path that may have left it, or have gone on with the loop around it.
  if (frame().break_uncertain)
    store_.forget(store_.changes_since(mark), "depends on a switch that may end early" + at_line(statement));
  store_.keep();
  frame().break_uncertain |= outer_uncertain;
  return flow;
}

Interpreter::Flow Interpreter::choose_label(const clang::SwitchStmt *statement, const Value &condition) {
  const clang::Stmt *body = statement->getBody();
  const auto *number = condition.as<llvm::APSInt>();
  std::vector<const clang::SwitchCase *> labels;
  for (const clang::SwitchCase *label = statement->getSwitchCaseList(); label; label = label->getNextSwitchCase())
    labels.push_back(label);
  std::reverse(labels.begin(), labels.end()); // Clang lists them from the last
  const clang::SwitchCase *taken = nullptr, *fallback = nullptr;
  for (const clang::SwitchCase *label : labels) {
    const auto *value_label = llvm::dyn_cast<clang::CaseStmt>(label);
    if (!value_label) {
      fallback = label;
      continue;
    }
    const Value low = fold_constant(value_label->getLHS());
    const Value high = value_label->getRHS() ? fold_constant(value_label->getRHS()) : low;
    if (scenario_) {
      scenario_->compared(clang::BO_EQ, condition, low);
      const Value equal = combine(clang::BO_EQ, condition, low, context_.BoolTy, std::nullopt);
      if (!value_label->getRHS() && truth(equal))
        scenario_->decided(value_label->getBeginLoc(), equal, store_.end());
    }
    if (number && low.as<llvm::APSInt>() && high.as<llvm::APSInt>() &&
        llvm::APSInt::compareValues(*number, *low.as<llvm::APSInt>()) >= 0 &&
        llvm::APSInt::compareValues(*number, *high.as<llvm::APSInt>()) <= 0)
      taken = label;
  }
  if (!taken)
    taken = fallback;

  if (scenario_)
    scenario_->decided((taken ? static_cast<const clang::Stmt *>(taken) : statement)->getBeginLoc(),
                       Value(condition.is, condition.assumed), store_.end());
  const bool launching = launches(body);
  auto enter = [&](const clang::SwitchCase *label) {
    if (const std::optional<Flow> flow = execute_switch_from(body, label))
      return *flow;
    exhausted_ = true; // a label within a loop or a block
    return Flow::Exit;
  };
  const bool contradicts = scenario_ && (condition.assumed & kFreeQuantities);
  const bool explores = !contradicts || !scenario_->contradicts();
  auto try_label = [&](const clang::SwitchCase *label) { return try_running([&] { return enter(label); }); };
  if (number) {
    for (const clang::SwitchCase *label : labels) {
      if (label == taken || (!launching && !condition.assumed) || !explores)
        continue;
      const std::optional<Value> result = frame().result;
      const bool outer_uncertain = frame().break_uncertain;
      if (contradicts)
        scenario_->enter_contradiction();
      recorder_.enter_unreached();
      const PathResult path = try_label(label);
      recorder_.leave_unreached();
      if (contradicts)
        scenario_->leave_contradiction();
      frame().result = result;
      frame().break_uncertain = outer_uncertain;
      if (exhausted_ || aborted_)
        return Flow::Exit;
      if (condition.assumed)
        mark_changed(path, condition.assumed);
    }
    return taken ? enter(taken) : Flow::Next;
  }
  std::vector<PathResult> paths;
  for (const clang::SwitchCase *label : labels) {
    paths.push_back(try_label(label));
    if (exhausted_ || aborted_)
      return Flow::Exit;
  }
  if (!fallback)
    paths.emplace_back();
  return either(std::move(paths), statement);
}

} // namespace smem
