// Conditions that are not known: both paths are executed and taken back, and what they change is joined.
#include <algorithm>

#include "host/interpreter.h"

namespace smem {
namespace {

/// What is assigned last is what stays.
Changes one_after_the_other(Changes first, const Changes &second) {
  for (const auto &[object, value] : second)
    first.insert_or_assign(object, value);
  return first;
}

} // namespace

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

/// What is run is taken back as a whole.
Interpreter::PathResult Interpreter::try_running(llvm::function_ref<Flow()> run) {
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

} // namespace smem
