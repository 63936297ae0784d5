#include "frontend/repairs/definitions.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>
#include <utility>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "frontend/repairs/extent.h"
#include "support/paths.h"

namespace smem {
namespace {

constexpr std::size_t kMostDefinitions = 3;

std::string why(const SkippedDeclarations &asked) {
  if (asked.for_cuda)
    return "'" + asked.name + "', which is used, is declared under this condition, which asks for CUDA";
  if (asked.choices > 1 && asked.refusal.empty())
    return "'" + asked.name + "', which is used, is declared under this condition, the first of " +
           std::to_string(asked.choices) + " that have it";
  if (asked.choices > 1)
    return "the first of " + std::to_string(asked.choices) + " choices; without any there is '#error " + asked.refusal +
           "'";
  if (asked.choices == 1 && !asked.refusal.empty())
    return "without it there is '#error " + asked.refusal + "'";
  return asked.name.empty() ? "without it, kernels have errors"
                            : "'" + asked.name + "', which is used, is declared under this condition only";
}

} // namespace

void AskedDefinitions::take_back(Progress &progress) {
  restore(progress.result, std::move(*before_));
  before_.reset();
  progress.messages.pop_back();
  progress.repairs.definitions.pop_back();
  progress.repairs.assumed_definition = std::exchange(assumed_before_, {});
}

/// Whether there is another one to try.
bool AskedDefinitions::ask(Progress &progress) {
  const auto next = std::ranges::find_if(asked_, [&](const SkippedDeclarations &one) {
    return std::ranges::find(tried_, one.definition) == tried_.end() &&
           (!one.name.empty() || has_errors(progress.result));
  });
  if (next == asked_.end() || tried_.size() == kMostDefinitions)
    return false;
  if (next->refusal.empty() && !next->name.empty()) { // whoever builds chooses among those that have the name
    next->choices = static_cast<std::size_t>(std::ranges::count_if(asked_, [&](const SkippedDeclarations &one) {
      return one.declared.contains(next->name) && std::ranges::find(tried_, one.definition) == tried_.end();
    }));
    next->for_cuda = next->choices > 1 && is_for_cuda(next->definition);
  }
  progress.messages.push_back(
      {Diagnostic::Severity::Note, next->condition, "analysed with -D" + next->definition.text() + ": " + why(*next)});
  tried_.push_back(next->definition);
  progress.repairs.definitions.push_back(next->definition);
  assumed_before_ = progress.repairs.assumed_definition;
  if (next->choices > 1 && !next->for_cuda && assumed_before_.empty())
    progress.repairs.assumed_definition =
        next->definition.text() + ", the first of " + std::to_string(next->choices) + " choices, is defined";
  progress.repairs.trials = {}; // other arguments fit now
  before_ = std::move(progress.result);
  return true;
}

Next AskedDefinitions::after(Progress &progress) {
  const std::size_t missing = progress.attempt.inclusions.skipped.size();
  const bool in_vain = before_ && ((missing > missing_ && !is_for_cuda(progress.repairs.definitions.back())) ||
                                   !progress.result.ok || !extent_of(progress.result).exceeds(extent_of(*before_)));
  if (in_vain)
    take_back(progress);
  before_.reset();
  if (!progress.result.ok || !progress.repairs.tolerant)
    return Next::Step;
  if (!in_vain) {
    if (progress.attempt.has_prefix && !progress.attempt.errors.empty()) { // what its headers leave out is not known
      progress.repairs.with_prefix = false;
      return Next::AgainForFree;
    }
    asked_ = std::move(progress.attempt.skipped);
    missing_ = missing;
  }
  if (ask(progress))
    return Next::Again;
  if (!in_vain)
    return Next::Step;
  progress.without_kernels = progress.result.index.kernels.empty();
  return progress.without_kernels || progress.options.wanted_kernels.empty() ? Next::Done : Next::Again;
}

void AskedDefinitions::finish(Progress &progress) {
  if (!before_ || (progress.result.ok && extent_of(progress.result).exceeds(extent_of(*before_))))
    return;
  take_back(progress);
  progress.without_kernels = progress.result.index.kernels.empty();
}

Next ConditionAroundKernels::after(Progress &progress) {
  constexpr std::size_t kMostOfConditions = 8;
  auto &definitions = progress.repairs.definitions;
  std::vector<MacroDefinition> asked_for = std::move(progress.attempt.asked_for);
  std::erase_if(asked_for, [&](const MacroDefinition &one) {
    return std::ranges::find(definitions, one.name, &MacroDefinition::name) != definitions.end();
  });
  if (!progress.result.ok || !progress.result.index.kernels.empty() || asked_for.empty() ||
      definitions.size() + asked_for.size() > kMostOfConditions)
    return Next::Step;
  std::string flags;
  for (const MacroDefinition &one : asked_for)
    flags += (flags.empty() ? "-D" : " -D") + one.text();
  progress.messages.push_back({Diagnostic::Severity::Note,
                               {normalise_path(progress.options.file), progress.attempt.asking_line, 1},
                               "analysed with " + flags + ": this condition leaves out every kernel otherwise"});
  std::ranges::move(asked_for, std::back_inserter(definitions));
  if (!without_)
    without_ = std::move(progress.result);
  return Next::Again;
}

void ConditionAroundKernels::finish(Progress &progress) {
  if (!without_ || (progress.result.ok && !progress.result.index.kernels.empty()))
    return;
  progress.result = std::move(*without_); // nothing was gained
  progress.is_optimised = false;
  progress.messages.clear();
}

} // namespace smem
