#include <algorithm>

#include <clang/Basic/SourceManager.h>

#include "host/interpreter.h"

namespace smem {

namespace {

constexpr unsigned kMaxIterationsWithLaunch = 4096;
constexpr std::uint64_t kMaxStepsOfLoop = 2000;
/// Of a loop that has been too long before: in every instance of a template, in every call, it is likely to be so again.
constexpr std::uint64_t kMaxStepsOfLongLoop = 400;

/// Whether a reference that is initialised by this keeps a temporary alive.
bool extends_lifetime(const clang::Expr *init) {
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(init))
    init = full->getSubExpr();
  const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(init->IgnoreParenCasts());
  return temporary && temporary->getStorageDuration() == clang::SD_Automatic;
}

} // namespace

Interpreter::Interpreter(clang::ASTContext &context, LaunchRecorder &recorder, std::stop_token stop)
    : context_(context), recorder_(recorder), stop_(std::move(stop)) {
  reset();
}

void Interpreter::reset() {
  store_ = {};
  frames_.clear();
  globals_.clear();
  long_loops_.clear();
  escaped_.clear();
  changed_globals_ = {};
  of_unknown_class_.clear();
  exited_ = exhausted_ = aborted_ = globals_known_ = false;
  one_device_ = true;
  steps_ = 0;
  most_steps_ = kHostSteps;
  abort_at_ = UINT64_MAX;
}

bool Interpreter::in_system_header(const clang::Decl *declaration) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  return sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()));
}

std::string Interpreter::at_line(const clang::Stmt *statement) const {
  return statement ? at_line(statement->getBeginLoc()) : std::string();
}

std::string Interpreter::at_line(clang::SourceLocation location) const {
  const auto [entry, fresh] = lines_.try_emplace(location);
  std::string &text = entry->second;
  if (!fresh)
    return text;
  const clang::SourceManager &sources = context_.getSourceManager();
  const clang::PresumedLoc place = sources.getPresumedLoc(location);
  if (place.isInvalid())
    return text;
  const std::string line = std::to_string(place.getLine());
  if (sources.isInMainFile(sources.getExpansionLoc(location)))
    return text = " (line " + line + ")";
  const std::string file = place.getFilename();
  return text = " (" + file.substr(file.find_last_of('/') + 1) + ":" + line + ")";
}

void Interpreter::run_main(const clang::FunctionDecl *main, llvm::ArrayRef<const clang::VarDecl *> variables,
                           Start start) {
  reset();
  globals_known_ = true;
  one_device_ = start != Start::Any;
  for (const clang::VarDecl *variable : variables)
    if (!stopped())
      global(variable);
  std::vector<Argument> arguments(main->getNumParams());
  const Value nothing = unknown("depends on argv");
  for (Argument &argument : arguments)
    argument.value = nothing;
  if (!arguments.empty())
    arguments[0].value = start == Start::NoArguments ? Value(integer(1, context_.IntTy, context_).is, kNoArguments)
                                                     : unknown("depends on argc");
  frames_.emplace_back();
  call_function(main, std::move(arguments), std::nullopt, nullptr);
}

void Interpreter::run_alone(const clang::FunctionDecl *function, std::uint64_t most_steps, const PassedCall *call) {
  reset();
  most_steps_ = most_steps;
  std::vector<Argument> arguments = unknown_arguments(function, call);
  std::optional<Place> self;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
      method && method->isImplicitObjectMemberFunction())
    self = of_unknown_class(received(call ? call->object : PassedValue(), context_.getRecordType(method->getParent()),
                                     "depends on the object of '" + function->getNameAsString() + "'"));
  frames_.emplace_back();
  call_function(function, std::move(arguments), self, nullptr);
}

Place Interpreter::of_unknown_class(Value object) {
  const Place place = temporary(std::move(object));
  of_unknown_class_.insert(place.object);
  return place;
}

std::vector<Interpreter::Argument> Interpreter::unknown_arguments(const clang::FunctionDecl *function,
                                                                  const PassedCall *call) {
  std::vector<Argument> arguments(function->getNumParams());
  for (unsigned i = 0; i < function->getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = function->getParamDecl(i);
    const std::string reason =
        "depends on parameter '" + parameter->getNameAsString() + "' of '" + function->getNameAsString() + "'";
    const clang::QualType type = parameter->getType();
    if (call && i < call->arguments.size())
      arguments[i].value = received(call->arguments[i], type, reason);
    else if (type->isReferenceType())
      arguments[i].value = Address{of_unknown_class(uninitialised(type->getPointeeType(), context_, reason))};
    else
      arguments[i].value = uninitialised(type, context_, reason);
  }
  return arguments;
}

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

/// Merges the paths that returned early, all but the first `keep`, with the one that went on; that one ended in `flow`.
Interpreter::Flow Interpreter::merge_early(std::size_t keep, Flow flow, const std::string &reason) {
  std::vector<Frame::Early> &early = frame().early;
  for (; early.size() > keep; early.pop_back()) {
    const Changes later = store_.undo(early.back().mark);
    if (exited_) {
      // The path that went on came to nothing: only the one that returned is left.
      exited_ = false;
      flow = Flow::Return;
      store_.apply(early.back().changes);
    } else {
      store_.join(early.back().changes, later, reason);
    }
  }
  return flow;
}

namespace {
/// What is assigned last is what stays.
Changes one_after_the_other(Changes first, const Changes &second) {
  for (const auto &[object, value] : second)
    first.insert_or_assign(object, value);
  return first;
}
} // namespace

/// What is run is taken back as a whole.
template <class Run> Interpreter::PathResult Interpreter::try_running(const Run &run) {
  PathResult path;
  const std::size_t keep = frame().early.size();
  const std::size_t mark = store_.begin();
  path.flow = run();
  std::vector<Frame::Early> &early = frame().early;
  std::vector<Changes> later; // from each early return to the next one, the last first
  for (std::size_t i = early.size(); i > keep; --i)
    later.push_back(store_.undo(early[i - 1].mark));
  path.changes = store_.undo(mark);
  for (std::size_t i = keep; i < early.size(); ++i) {
    path.returned.push_back(one_after_the_other(path.changes, early[i].changes));
    path.changes = one_after_the_other(std::move(path.changes), later[early.size() - 1 - i]);
  }
  early.erase(early.begin() + static_cast<std::ptrdiff_t>(keep), early.end());
  if (exited_ && !path.returned.empty()) { // the path that went on came to nothing
    exited_ = false;
    path.flow = Flow::Return;
    path.changes = std::move(path.returned.back());
    path.returned.pop_back();
  }
  const clang::LabelDecl *jump = stopped() ? nullptr : std::exchange(frame().jump, nullptr);
  exited_ = false;
  if (!jump || path.flow != Flow::Exit)
    return path;
  // The other paths may come to the label without it, which they do further on.
  const auto [jumped, first] = frame().jumped.try_emplace(jump, Frame::Jumped{path.changes, mark});
  if (!first) {
    jumped->second.mark = std::min(jumped->second.mark, mark);
    jumped->second.changes.insert(path.changes.begin(), path.changes.end());
  }
  if (frame().jumps_back)
    exhausted_ = true; // a loop
  return path;
}

Interpreter::PathResult Interpreter::try_path(const clang::Stmt *statement) {
  return try_running([&] { return execute(statement); });
}

/// Goes on after paths of which any may have been taken.
Interpreter::Flow Interpreter::either(std::vector<PathResult> paths, const clang::Stmt *where) {
  const std::string reason = "depends on a condition that is not known" + at_line(where);
  std::vector<PathResult> going_on;
  std::vector<PathResult> returning;
  bool all_leave = true;
  Flow leave = Flow::Exit;
  for (PathResult &path : paths) {
    for (Changes &changes : path.returned)
      returning.push_back({Flow::Return, std::move(changes), {}});
    path.returned.clear();
    if (path.flow == Flow::Exit)
      continue;
    if (path.flow == Flow::Next) {
      all_leave = false;
      going_on.push_back(std::move(path));
      continue;
    }
    if (path.flow == Flow::Return)
      returning.push_back(std::move(path));
    else
      frame().break_uncertain = true, going_on.push_back(path);
    if (path.flow != Flow::Return)
      leave = leave == Flow::Exit || leave == path.flow
                  ? path.flow
                  : Flow::Continue; // the results of the loop are not certain anyway
  }
  if (all_leave && going_on.empty() && returning.empty()) {
    exited_ = true;
    return Flow::Exit;
  }
  // Break and continue of some paths only: the loop is then one whose results are not certain.
  auto merge = [&](const std::vector<PathResult> &merged) {
    if (merged.empty())
      return;
    Changes all = merged.front().changes;
    if (merged.size() == 1) {
      store_.apply(all);
      return;
    }
    for (std::size_t i = 1; i < merged.size(); ++i) {
      const std::size_t mark = store_.begin();
      store_.join(all, merged[i].changes, reason);
      all = store_.undo(mark);
    }
    store_.apply(all);
  };
  if (all_leave && going_on.empty()) {
    merge(returning);
    return Flow::Return;
  }
  for (PathResult &path : returning)
    frame().early.push_back({std::move(path.changes), store_.begin()});
  merge(going_on);
  return all_leave ? leave : Flow::Next;
}

/// A branch that the default run does not take may still launch kernels that are worth knowing; and under the assumption
/// that there are no arguments, what it would assign is only assumed.
void Interpreter::explore(const clang::Stmt *statement, Assumptions condition_assumed) {
  if (!statement || stopped())
    return;
  const bool launching = launches(statement);
  if (!launching && !condition_assumed)
    return;
  const bool contradicts = scenario_ && (condition_assumed & kFreeQuantities);
  if (contradicts && scenario_->contradicts())
    return; // one contradiction is enough
  const std::optional<Value> result = frame().result;
  const bool outer_uncertain = frame().break_uncertain;
  if (contradicts)
    scenario_->enter_contradiction();
  recorder_.enter_unreached();
  if (!launching)
    recorder_.mute();
  const PathResult path = try_path(statement);
  if (!launching)
    recorder_.unmute();
  recorder_.leave_unreached();
  if (contradicts)
    scenario_->leave_contradiction();
  frame().result = result;
  frame().break_uncertain = outer_uncertain;
  if (condition_assumed)
    mark_changed(path, condition_assumed);
}

/// What another path would have made of objects is only assumed not to have happened.
void Interpreter::mark_changed(const PathResult &path, Assumptions assumed) {
  for (const Changes &changes : path.returned)
    mark_changed(changes, assumed);
  if (path.flow != Flow::Exit)
    mark_changed(path.changes, assumed);
}

void Interpreter::mark_changed(const Changes &changes, Assumptions assumed) {
  for (const auto &[object, ignored] : changes) {
    const Value *value = store_.find({object, {}});
    if (!value)
      continue;
    Value marked = *value;
    mark_assumed(marked, assumed);
    store_.assign({object, {}}, std::move(marked));
  }
}

Interpreter::Flow Interpreter::choose(const Value &condition, const clang::Stmt *where, const clang::Stmt *if_true,
                                      const clang::Stmt *if_false) {
  if (const std::optional<bool> decided = truth(condition)) {
    explore(*decided ? if_false : if_true, condition.assumed);
    if (stopped())
      return Flow::Exit;
    const clang::Stmt *taken = *decided ? if_true : if_false;
    if (!condition.assumed)
      return execute(taken);
    // What it assigns, too, rests on the condition.
    const std::size_t mark = store_.begin();
    const Flow flow = execute(taken);
    if (!stopped())
      mark_changed(store_.changes_since(mark), condition.assumed);
    store_.keep();
    if (flow == Flow::Return && frame().result)
      mark_assumed(*frame().result, condition.assumed);
    return flow;
  }
  std::vector<PathResult> paths;
  paths.push_back(try_path(if_true));
  if (exhausted_ || aborted_)
    return Flow::Exit;
  paths.push_back(try_path(if_false));
  if (exhausted_ || aborted_)
    return Flow::Exit;
  return either(std::move(paths), where);
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

Interpreter::Flow Interpreter::execute_loop(const clang::Stmt *loop, const clang::Expr *condition,
                                            const clang::Stmt *body, const clang::Expr *increment,
                                            const clang::VarDecl *condition_variable, bool body_first) {
  if (stopped())
    return Flow::Exit;
  const bool outer_uncertain = std::exchange(frame().break_uncertain, false);
  const Assumptions outer_assumed = std::exchange(loop_assumed_, kNothingAssumed);
  const std::size_t mark = store_.begin();
  const Flow flow = run_known_iterations(loop, condition, body, increment, condition_variable, body_first);
  if (frame().break_uncertain)
    store_.forget(store_.changes_since(mark), "depends on a loop that may end early" + at_line(loop));
  // How often it was run is only assumed, and so is what it left behind.
  if (loop_assumed_)
    for (const auto &[object, value] : store_.changes_since(mark)) {
      Value marked = value;
      mark_assumed(marked, loop_assumed_);
      store_.assign({object, {}}, std::move(marked));
    }
  if (loop_assumed_ && flow == Flow::Return && frame().result)
    mark_assumed(*frame().result, loop_assumed_);
  loop_assumed_ = outer_assumed;
  store_.keep();
  frame().break_uncertain = outer_uncertain;
  return flow;
}

Interpreter::Flow Interpreter::run_known_iterations(const clang::Stmt *loop, const clang::Expr *condition,
                                                    const clang::Stmt *body, const clang::Expr *increment,
                                                    const clang::VarDecl *condition_variable, bool body_first) {
  const bool launching = launches(body);
  const std::uint64_t steps_before = steps_;
  const std::uint64_t max_steps = long_loops_.contains(loop->getBeginLoc()) ? kMaxStepsOfLongLoop : kMaxStepsOfLoop;
  for (unsigned iteration = 0;; ++iteration) {
    ++steps_; // of an empty body, too
    if (!body_first || iteration > 0) {
      if (condition_variable)
        declare(condition_variable);
      const Value value = condition ? evaluate(condition) : integer(1, context_.IntTy, context_);
      if (stopped())
        return Flow::Exit;
      const std::optional<bool> holds = truth(value);
      loop_assumed_ |= value.assumed;
      if (!holds)
        return run_any_iterations(loop, condition, body, increment, condition_variable);
      if (!*holds) {
        if (iteration == 0)
          explore(body, value.assumed);
        return Flow::Next;
      }
    }
    const bool too_long = launching ? iteration >= kMaxIterationsWithLaunch : steps_ - steps_before > max_steps;
    if (too_long) {
      long_loops_.insert(loop->getBeginLoc());
      return run_any_iterations(loop, condition, body, increment, condition_variable);
    }
    switch (execute(body)) {
    case Flow::Break: return Flow::Next;
    case Flow::Return: return Flow::Return;
    case Flow::Exit: return Flow::Exit;
    case Flow::Next:
    case Flow::Continue: break;
    }
    if (increment)
      execute(increment);
    if (stopped())
      return Flow::Exit;
  }
}

/// Any number of further iterations, from where the condition has been evaluated: what they assign is only known if it stays the same.
Interpreter::Flow Interpreter::run_any_iterations(const clang::Stmt *loop, const clang::Expr *condition,
                                                  const clang::Stmt *body, const clang::Expr *increment,
                                                  const clang::VarDecl *condition_variable) {
  constexpr int kPatientRounds = 4; // afterwards what changes at all is not known
  constexpr int kMaxRounds = 64;
  const std::string reason = "depends on a loop whose iterations are not followed" + at_line(loop);
  bool returns = false; // from the function, from some iteration
  auto iterate = [&] {
    const std::size_t early = frame().early.size();
    const Flow flow = execute(body);
    returns |= flow == Flow::Return || frame().early.size() > early;
    if (stopped() || (flow != Flow::Next && flow != Flow::Continue))
      return flow;
    if (increment)
      discard(increment);
    if (condition_variable && !stopped())
      declare(condition_variable);
    if (condition && !stopped())
      evaluate(condition);
    return flow;
  };
  recorder_.mute();
  const ObjectId end = store_.end(); // what an iteration creates is of no interest to the others
  for (int round = 0; !stopped(); ++round) {
    PathResult path = try_running(iterate);
    path.returned.push_back(std::move(path.changes));
    bool stable = true;
    for (Changes &changes : path.returned) {
      changes.erase(changes.lower_bound(end), changes.end());
      for (const auto &[object, value] : changes) {
        const Value *before = store_.find({object, {}});
        if (!before)
          continue;
        Value joined = join(*before, value, reason);
        limit_targets(joined, end);
        if (same(joined, *before))
          continue;
        stable = false;
        store_.assign({object, {}}, std::move(joined));
      }
    }
    if (stable)
      break;
    if (round >= kPatientRounds)
      for (const Changes &changes : path.returned)
        store_.forget(changes, reason);
    if (round >= kMaxRounds)
      exhausted_ = true;
  }
  recorder_.unmute();
  if (launches(body) && !stopped())
    try_running(iterate);
  if (stopped())
    return Flow::Exit;
  if (returns)
    frame().early.push_back({{}, store_.begin()});
  return Flow::Next;
}

Interpreter::Flow Interpreter::execute_range_for(const clang::CXXForRangeStmt *statement) {
  execute(statement->getInit());
  const clang::Expr *range = statement->getRangeInit();
  const Value address = range ? address_of(range) : unknown("depends on a range that is not followed");
  const std::optional<Place> place = pointee(address);
  const Value *value = place ? store_.find(*place) : nullptr;
  const clang::VarDecl *variable = statement->getLoopVariable();
  std::optional<std::size_t> count;
  if (value) {
    if (const auto *array = value->as<Aggregate>(); array && !array->record)
      count = array->elements.size();
    else if (const auto *container = value->as<Container>()) {
      const auto *size = container->parts[0].as<llvm::APSInt>();
      if (size && size->getExtValue() + 1 == static_cast<std::int64_t>(container->parts.size()))
        count = container->parts.size() - 1;
    }
  }
  const bool launching = launches(statement->getBody());
  const clang::QualType type = variable->getType();
  auto bind = [&](Value element) { frame().variables[variable] = store_.create(std::move(element)); };
  if (count && (launching || *count <= 64)) {
    const bool outer_uncertain = std::exchange(frame().break_uncertain, false);
    const std::size_t mark = store_.begin();
    Flow result = Flow::Next;
    for (std::size_t i = 0; i < *count && result == Flow::Next; ++i) {
      Place element = *place;
      element.path.push_back(static_cast<std::uint32_t>(i));
      const Value *current = store_.find(element);
      bind(type->isReferenceType() ? Value(Address{element}) : current ? *current : Value());
      const Flow flow = execute(statement->getBody());
      if (flow == Flow::Break)
        break;
      if (flow != Flow::Continue)
        result = flow;
    }
    if (frame().break_uncertain)
      store_.forget(store_.changes_since(mark), "depends on a loop that may end early" + at_line(statement));
    store_.keep();
    frame().break_uncertain = outer_uncertain;
    return result;
  }
  const std::string reason = "depends on the elements of a range that is not followed" + at_line(statement);
  if (type->isReferenceType())
    bind(unknown(reason, 1, reachable(objects_of(address))));
  else
    bind(with_targets(uninitialised(type, context_, reason), reachable(objects_of(address))));
  const bool outer_uncertain = std::exchange(frame().break_uncertain, false);
  const std::size_t mark = store_.begin();
  const Flow flow = run_any_iterations(statement, nullptr, statement->getBody(), nullptr, nullptr);
  if (frame().break_uncertain)
    store_.forget(store_.changes_since(mark), reason);
  store_.keep();
  frame().break_uncertain = outer_uncertain;
  return flow;
}

} // namespace smem
