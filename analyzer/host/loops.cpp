// Loops: iteration by iteration as long as their conditions are known, else what any iterations may change.
#include <algorithm>

#include "host/interpreter.h"

namespace smem {
namespace {

constexpr unsigned kMaxIterationsWithLaunch = 4096;
constexpr std::uint64_t kMaxStepsOfLoop = 2000;
/// Of a loop that has been too long before: in every instance of a template, in every call, it is likely to be so again.
constexpr std::uint64_t kMaxStepsOfLongLoop = 400;

/// `for (;;)`, `while (true)`: only what is in its body ends it.
bool is_endless(const clang::Expr *condition, const clang::ASTContext &context) {
  bool holds = false;
  return !condition ||
         (!condition->isValueDependent() && condition->EvaluateAsBooleanCondition(holds, context) && holds);
}

} // namespace

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
  const bool endless = is_endless(condition, context_);
  const std::size_t early = frame().early.size();
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
    const bool may_have_ended = endless && (frame().break_uncertain || frame().early.size() > early);
    const bool too_long =
        may_have_ended || (launching ? iteration >= kMaxIterationsWithLaunch : steps_ - steps_before > max_steps);
    if (too_long) {
      if (!may_have_ended)
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
