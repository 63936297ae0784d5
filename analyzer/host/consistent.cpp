#include "host/consistent.h"

#include <algorithm>

#include "host/lambda_launches.h"
#include "host/plausible_launch.h"
#include "host/stated_launches.h"

namespace smem {

namespace {

constexpr std::size_t kMostRuns = 64, kRunsOfLaunch = 2; ///< to find values that lead to the launches of one function
constexpr std::size_t kMostConsistent = 16;
/// All runs for one file may take about the time that Clang took for it: it reads some 16 bytes, headers and macros included, in the time of a step.
constexpr std::uint64_t kBytesOfStep = 16, kLeastStepsOfFile = 400'000, kMostStepsOfFile = 2'000'000;
constexpr std::uint64_t kShareOfFunction = 4; ///< of those of the file: for one function's launches
/// Eighths of those of the file that may be taken in all: by whole runs, then by functions by themselves, which are short, then by launches in
/// lambdas that neither came to.
constexpr std::uint64_t kWholeRuns = 4, kWithFunctions = 8, kWithLambdas = 12;

bool is_open(const HostLaunch &host) {
  const auto open = [](const ArgumentValue &argument) { return !argument.pointer && !argument.value; };
  return !host.grid_known || !host.block_known || !host.dynamic_known ||
         std::ranges::any_of(host.launch.arguments, open);
}

bool same_shape(const Launch &a, const Launch &b) {
  return a.grid == b.grid && a.block == b.block && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
         std::ranges::equal(a.arguments, b.arguments, [](const ArgumentValue &x, const ArgumentValue &y) {
           return x.index == y.index && x.offset == y.offset && x.value == y.value;
         });
}

/// Whether the launch is one that host code makes as a whole under the values of `found`.
bool is_complete(const HostLaunch &known, const ConsistentLaunch &found) {
  return found.reached && (known.grid_known || found.grid_known) && (known.block_known || found.block_known) &&
         (known.dynamic_known || found.dynamic_known);
}

using Statements = llvm::SmallPtrSet<const clang::Stmt *, 8>;

/// Moves those of `wanted` that stand in the statement to `found`.
void find_parts(const clang::Stmt *statement, Statements &wanted, Statements &found) {
  if (!statement || wanted.empty())
    return;
  if (wanted.erase(statement))
    found.insert(statement);
  for (const clang::Stmt *child : statement->children())
    find_parts(child, wanted, found);
}

/// Whether host code makes the launch as a whole under values that were found.
bool is_done(const LaunchRecorder::Entry &entry) {
  return std::ranges::any_of(entry.launch.consistent,
                             [&](const ConsistentLaunch &found) { return is_complete(entry.launch, found); });
}

} // namespace

bool ConsistentLaunches::may_go_on() const {
  const std::uint64_t most_of_file = std::clamp(source_bytes_ / kBytesOfStep, kLeastStepsOfFile, kMostStepsOfFile);
  return steps_ < most_of_file / kShareOfFunction && steps_of_file_ < most_of_file / 8 * allowed_eighths_ &&
         !stop_.stop_requested();
}

bool ConsistentLaunches::harvest(const Run &run, Scenario &scenario, std::vector<Open> &open, Faults &faults) {
  bool better = false;
  for (Open &each : open) {
    const Entry *best = nullptr;
    Fit best_fit = Fit::None;
    for (const Entry &met : run.entries)
      if (const Fit how = fit(each, met, scenario, faults); how > best_fit)
        best = &met, best_fit = how;
    if (!best)
      continue;
    if (best_fit == Fit::Good) {
      ConsistentLaunch found = describe(each, *best, run, best_fit);
      const auto same = [&](const ConsistentLaunch &other) { return same_shape(other.launch, found.launch); };
      if (each.found.size() < kMostConsistent && std::ranges::none_of(each.found, same)) {
        if (each.found.empty())
          each.base = run.choices;
        each.found.push_back(std::move(found));
        better |= each.fit != Fit::Good;
      }
      each.fit = Fit::Good;
      continue;
    }
    if (best_fit == Fit::Contradicts && best->decisions > 0)
      faults.turns.push_back(best->decisions - 1);
    if (best_fit > each.fit) {
      each.otherwise = describe(each, *best, run, best_fit);
      better = true;
    }
    each.fit = std::max(each.fit, best_fit);
  }
  return better;
}

ConsistentLaunches::Run ConsistentLaunches::execute(const std::function<void(Interpreter &)> &run,
                                                    const Choices &choices, std::vector<Open> &open) {
  Scenario scenario(context_, choices);
  met_.clear();
  interpreter_.assume(&scenario);
  run(interpreter_);
  interpreter_.assume(nullptr);
  steps_ += interpreter_.steps();
  steps_of_file_ += interpreter_.steps();
  ++runs_;
  Run result{choices, scenario.quantities(), scenario.decisive(), scenario.path(), {}, {}, {}, met_.entries()};
  Faults faults;
  news_ = harvest(result, scenario, open, faults);
  for (const auto &decision : scenario.decisions())
    news_ |= decisions_.insert(decision).second;
  result.quantities = scenario.quantities(); // with what was suggested just now
  result.decisive |= faults.quantities;
  result.wishes = std::move(faults.wishes);
  result.turns = std::move(faults.turns);
  result.terms = std::move(scenario.terms());
  return result;
}

void ConsistentLaunches::complete(const std::function<void(Interpreter &)> &run,
                                  std::vector<LaunchRecorder::Entry> &entries, std::size_t first) {
  std::vector<Open> open;
  for (std::size_t i = first; i < entries.size(); ++i)
    if (entries[i].kernel && is_open(entries[i].launch))
      add(entries[i], open);
  by_itself_ = false;
  allowed_eighths_ = kWholeRuns;
  complete(run, open);
}

void ConsistentLaunches::complete_by_itself(const clang::FunctionDecl *function,
                                            std::vector<LaunchRecorder::Entry> &entries) {
  const auto is_wanted = [](const Entry &entry) { return entry.kernel && is_open(entry.launch) && !is_done(entry); };
  Statements wanted, found;
  for (const Entry &entry : entries)
    if (is_wanted(entry))
      wanted.insert(entry.site);
  find_parts(function->getBody(), wanted, found);
  std::vector<Open> open;
  for (Entry &entry : entries)
    if (found.contains(entry.site) && is_wanted(entry))
      add(entry, open);
  by_itself_ = true;
  allowed_eighths_ = kWithFunctions;
  complete([&](Interpreter &each) { each.run_alone(function); }, open);
}

void ConsistentLaunches::complete_in_lambdas(std::vector<LaunchRecorder::Entry> &entries) {
  struct Group {
    const clang::FunctionDecl *function;
    std::vector<const clang::FunctionDecl *> lambdas;
    std::vector<Open> open;
  };
  std::vector<Group> groups; // in the order of the entries
  for (Entry &entry : entries) {
    const Lambdas lambdas = lambdas_of(entry);
    if (!lambdas.function || !entry.kernel || !is_open(entry.launch) || is_done(entry))
      continue;
    if (llvm::any_of(lambdas.around, [&](const clang::FunctionDecl *lambda) {
          const auto *closure = llvm::cast<clang::CXXMethodDecl>(lambda)->getParent();
          const auto *around = llvm::dyn_cast_or_null<clang::FunctionDecl>(closure->getParentFunctionOrMethod());
          return !around || captures_may_change(closure, around, context_.getSourceManager());
        }))
      continue;
    auto group = std::ranges::find(groups, lambdas.function, &Group::function);
    if (group == groups.end())
      group = groups.insert(group, {lambdas.function, {}, {}});
    for (const clang::FunctionDecl *lambda : lambdas.around)
      if (std::ranges::find(group->lambdas, lambda) == group->lambdas.end())
        group->lambdas.push_back(lambda);
    add(entry, group->open);
  }
  by_itself_ = true;
  allowed_eighths_ = kWithLambdas;
  for (Group &group : groups) {
    interpreter_.call_at_once(group.lambdas);
    complete([&](Interpreter &each) { each.run_alone(group.function); }, group.open);
  }
  interpreter_.call_at_once({});
}

void ConsistentLaunches::add(Entry &entry, std::vector<Open> &open) const {
  for (StatedLaunch &stated : stated_of(stated_, entry.launch.launch.mangled)) {
    Open each;
    each.entry = &entry;
    each.stated = std::move(stated);
    open.push_back(std::move(each));
  }
}

void ConsistentLaunches::complete(const std::function<void(Interpreter &)> &run, std::vector<Open> &open) {
  if (open.empty())
    return;
  tried_.clear();
  decisions_.clear();
  steps_ = 0;
  runs_ = 0;
  std::deque<Choices> queue{{}};
  const auto is_missing = [&](const Open &each) { return each.found.empty() && of_siblings(each, open).empty(); };
  const std::size_t most_runs = std::max(kMostRuns, kRunsOfLaunch * open.size());
  while (!queue.empty() && runs_ < most_runs && may_go_on() && std::ranges::any_of(open, is_missing)) {
    const Choices choices = std::move(queue.front());
    queue.pop_front();
    if (!tried_.insert(choices).second)
      continue;
    const Run executed = execute(run, choices, open);
    if (!news_)
      continue;
    std::vector<Choices> next = solved(executed);
    std::ranges::move(others(executed), std::back_inserter(next));
    queue.insert(queue.begin(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
  }
  prefer(run, open);
  if (allowed_eighths_ != kWithLambdas) // the other lambdas need what there is
    vary(run, open);
  for (Open &each : open)
    if (each.found.empty())
      each.found = of_siblings(each, open);
  for (Open &each : open) {
    std::vector<ConsistentLaunch> &result = each.entry->launch.consistent;
    const auto is_possible = [](const ConsistentLaunch &other) {
      return (!other.grid_known || is_possible_grid(other.launch.grid)) &&
             (!other.block_known || is_possible_block(other.launch.block));
    };
    if (each.found.empty() && each.otherwise && is_possible(*each.otherwise))
      each.found.push_back(std::move(*each.otherwise));
    const auto is_whole = [&](const ConsistentLaunch &other) { return is_complete(each.entry->launch, other); };
    if (std::ranges::any_of(each.found, is_whole))
      std::erase_if(result, std::not_fn(is_whole));
    std::move(each.found.begin(), each.found.end(), std::back_inserter(result));
  }
}

} // namespace smem
