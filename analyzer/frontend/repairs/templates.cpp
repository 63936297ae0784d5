#include "frontend/repairs/templates.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <clang/Basic/DiagnosticSema.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "frontend/repairs/constructs.h"
#include "support/paths.h"

namespace smem {
namespace {

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' '; });
  return text;
}

/// Whether a kernel's full name is `wanted`, which may leave out namespaces.
bool is_named(const std::string &full, const std::string &wanted) {
  const std::string name = without_blanks(full), short_one = without_blanks(wanted);
  const std::size_t arguments = name.find('<');
  const std::size_t scope = name.substr(0, arguments).rfind("::");
  return name == short_one || (scope != std::string::npos && name.substr(scope + 2) == short_one);
}

/// Adds the instantiations that are wanted, are not there, and have a template; whether there were any.
bool add_wanted(const std::vector<std::string> &kernels, const SourceIndex &index,
                const std::vector<std::string> &templates, std::set<std::string> &wanted) {
  bool added = false;
  for (const std::string &kernel : kernels) {
    const std::size_t open = kernel.find('<');
    if (open == std::string::npos || std::any_of(index.kernels.begin(), index.kernels.end(), [&](const auto &known) {
          return known.second.assumed.empty() && is_named(known.second.display, kernel);
        }))
      continue;
    const std::string name = kernel.substr(0, open);
    const auto found = std::find_if(templates.begin(), templates.end(),
                                    [&](const std::string &one) { return one == name || one.ends_with("::" + name); });
    if (found == templates.end())
      continue;
    std::string qualified = *found;
    constexpr std::string_view kUnnamed = "(anonymous namespace)::";
    for (std::size_t at; (at = qualified.find(kUnnamed)) != std::string::npos;)
      qualified.erase(at, kUnnamed.size());
    added |= wanted.insert(qualified + kernel.substr(open)).second;
  }
  return added;
}

std::string first_error(const std::vector<Diagnostic> &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      return diagnostic.message;
  return "it does not compile";
}

} // namespace

Next TriedTemplates::after(Progress &progress) {
  constexpr int kMostAttempts = 3;
  if (!progress.attempt.again)
    return Next::Step;
  TemplateTrials &trials = progress.repairs.trials;
  const bool hopeless = std::ranges::any_of(progress.attempt.errors, [](const SourceError &error) {
    return error.tolerated && error.id == clang::diag::err_shared_var_init;
  });
  if (hopeless && rewrite_constructs(progress)) { // what no argument would have mended
    trials.next.clear();
    return Next::Again;
  }
  trials.enabled = ++trials.attempts < kMostAttempts;
  return Next::Again;
}

Next WantedKernels::after(Progress &progress) {
  const FrontendOptions &options = progress.options;
  std::set<std::string> &wanted = progress.repairs.wanted;
  if (progress.result.ok)
    return add_wanted(options.wanted_kernels, progress.result.index, progress.attempt.kernel_templates, wanted)
               ? Next::Again
               : Next::Done;
  if (wanted.empty())
    return Next::Step;
  if (rewrite_constructs(progress))
    return Next::Again;
  // Whatever the error: without these there was none.
  const std::string why = first_error(progress.result.diagnostics);
  for (const std::string &name : wanted)
    refused_.push_back({Diagnostic::Severity::Error,
                        {normalise_path(options.file), 0, 0},
                        "'" + name + "' cannot be instantiated: " + why});
  FrontendOptions without = options;
  without.wanted_kernels.clear();
  progress.result = run_frontend(without);
  progress.is_optimised = true;
  return Next::Done;
}

void WantedKernels::finish(Progress &progress) { std::ranges::move(refused_, std::back_inserter(progress.messages)); }

} // namespace smem
