#include "frontend/frontend.h"

#include <memory>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <clang/Basic/DiagnosticLex.h>
#include <clang/Frontend/Utils.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/MemoryBuffer.h>

#include "frontend/attempt.h"
#include "frontend/command_line.h"
#include "frontend/device_action.h"
#include "frontend/diagnostics.h"
#include "frontend/headers.h"
#include "frontend/regular_files.h"
#include "frontend/user_macros.h"
#include "nvcc/cicc/llvm_settings.h"
#include "flags/translate_flags.h"
#include "sinks/files.h"
#include "support/paths.h"

namespace smem {

FrontendResult::FrontendResult() = default;
FrontendResult::~FrontendResult() = default;
FrontendResult::FrontendResult(FrontendResult &&) noexcept = default;
FrontendResult &FrontendResult::operator=(FrontendResult &&other) noexcept {
  if (this != &other) { // member by member the context would go before the modules in it
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}

namespace {

namespace fs = std::filesystem;

/// Deeply nested code makes Clang recurse; the main thread's stack is not ours to choose.
constexpr unsigned kStackBytes = 64u << 20;

void report(std::vector<Diagnostic> &sink, Diagnostic::Severity severity, std::string message,
            SourceLocation location = {}) {
  sink.push_back({severity, std::move(location), std::move(message)});
}

/// Why `path` cannot be analysed, or empty.
std::string unreadable_reason(const std::string &path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return "no such file: '" + path + "'";
  if (error)
    return "cannot read '" + path + "': " + error.message();
  if (status.type() == fs::file_type::directory)
    return "'" + path + "' is a directory";
  std::string wrong;
  if (!sinks::read_existing(path, wrong, kLargestSource))
    return "cannot read '" + path + "': " + wrong;
  return {};
}

/// Bodies that are left out, as kernels are hidden by them.
struct Isolation {
  std::vector<UnbalancedBody> bodies;
  std::size_t rounds = 0;
  std::size_t lost = 0;                 ///< kernels, before the last ones were left out
  std::optional<FrontendResult> before; ///< the same; as long as it is being tried
};

/// What the error that stands for a body is known by.
std::string isolation_mark(std::size_t number) { return "smem_lint_unbalanced_body_" + std::to_string(number) + "_"; }

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
bool add_wanted(const FrontendOptions &options, const SourceIndex &index, const std::vector<std::string> &templates,
                std::set<std::string> &wanted) {
  bool added = false;
  for (const std::string &kernel : options.wanted_kernels) {
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

/// What a result has: kernels with code, and messages about what it lacks.
struct Extent {
  std::size_t kernels = 0, messages = 0;
  bool exceeds(const Extent &other) const {
    return kernels > other.kernels || (kernels != 0 && kernels == other.kernels && messages < other.messages);
  }
};

Extent extent_of(const FrontendResult &result) {
  Extent extent;
  for (const auto &[name, kernel] : result.index.kernels) {
    const llvm::Function *function = result.module ? result.module->getFunction(name) : nullptr;
    extent.kernels += function && !function->isDeclaration();
  }
  extent.messages = static_cast<std::size_t>(std::ranges::count_if(
      result.diagnostics, [](const Diagnostic &one) { return one.severity != Diagnostic::Severity::Note; }));
  return extent;
}

/// Whether errors leave out a kernel or a part of one.
bool lacks_kernels(const FrontendResult &result) {
  return result.index.kernels.empty() || std::ranges::any_of(result.diagnostics, [](const Diagnostic &one) {
           return one.incomplete && one.severity == Diagnostic::Severity::Error;
         });
}

/// What there was before a definition that undeclared names ask for, as long as that is being tried.
struct Lacking {
  std::optional<FrontendResult> result;
  std::size_t missing = 0;                ///< headers that were not there
  std::vector<SkippedDeclarations> asked; ///< what may be tried
  std::vector<MacroDefinition> tried;     ///< with or without success
};

/// Back to what there was; a file that what was tried has read, or missed, may change what comes of the source.
void restore(FrontendResult &result, FrontendResult &&before) {
  SourceDependencies tried = std::move(result.dependencies);
  result = std::move(before);
  result.dependencies.read.merge(tried.read);
  result.dependencies.absent.merge(tried.absent);
  result.dependencies.complete = result.dependencies.complete && tried.complete;
}

std::string first_error(const std::vector<Diagnostic> &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      return diagnostic.message;
  return "it does not compile";
}

} // namespace

FrontendResult run_frontend(const FrontendOptions &options) {
  using Severity = Diagnostic::Severity;
  FrontendResult result;
  if (const std::string &lacks = prepare_llvm(); !lacks.empty()) {
    report(result.diagnostics, Severity::Error, lacks);
    return result;
  }
  if (!options.contents) {
    if (std::string reason = unreadable_reason(options.file); !reason.empty()) {
      report(result.diagnostics, Severity::Error, std::move(reason));
      return result;
    }
  }
  const std::string headers = find_shipped_headers();
  if (options.toolkit.shipped && headers.empty()) {
    report(result.diagnostics, Severity::Error, "the device headers that belong to smem-lint are missing");
    return result;
  }
  if (!options.toolkit.shipped && !has_headers(options.toolkit.root)) {
    report(result.diagnostics, Severity::Error, "no CUDA toolkit in '" + options.toolkit.root + "'");
    return result;
  }
  TranslatedFlags flags = translate_flags(options.compiler_flags);
  for (Diagnostic &diagnostic : diagnostics_of(flags.unused))
    flags.diagnostics.push_back(std::move(diagnostic));
  bool refused = false;
  for (Diagnostic &diagnostic : flags.diagnostics) {
    refused |= diagnostic.severity == Severity::Error;
    result.diagnostics.push_back(std::move(diagnostic));
  }
  if (refused)
    return result;
  if (const ParsedArchitecture parsed = architecture_for_clang(options); parsed.substituted)
    report(result.diagnostics, Severity::Note,
           "Clang 19 does not know " + std::string(options.architecture->name) + ": parsed as " + parsed.name +
               ", modelled as " + std::string(options.architecture->name));

  std::vector<std::string> arguments = driver_arguments(options, flags.clang, headers, options.file);
  // Most sources include what they use; for the others there is what nvcc's headers bring along, at the price of their parsing.
  bool may_widen_prelude = options.toolkit.shipped;
  // Each attempt repairs what the one before stumbled over; one construct can hide another.
  constexpr int kMaxAttempts = 12, kMaxPatches = 4, kMaxTrials = 3;
  constexpr std::size_t kMostDefinitions = 3, kMostIsolations = 3, kMostSearches = 16;
  std::size_t searches = 0;
  int patches = 0, trials = 0;
  Repairs repairs;
  repairs.own_headers.search = options.search_project;
  const std::vector<Diagnostic> before = std::move(result.diagnostics);
  std::vector<Diagnostic> about_headers;
  std::vector<Diagnostic> refusal; ///< of the last attempt that went on after no error
  std::vector<Diagnostic> about_wanted, about_definitions;
  std::optional<FrontendResult> without_definitions;
  Isolation isolation;
  Lacking lacking;
  bool without_kernels = false; ///< what there is of the source has none, for its errors
  clang::CodeGenOptions codegen;
  bool is_optimised = false;
  std::optional<FrontendResult> unpatched; ///< what there was before the last patch, as long as that is being tried
  for (int number = 0; number < kMaxAttempts; ++number) {
    Attempt attempt;
    result = {};
    result.diagnostics = before;
    llvm::CrashRecoveryContext guard;
    if (!guard.RunSafelyOnThread([&] { attempt_compilation(options, arguments, headers, repairs, result, attempt); },
                                 kStackBytes)) {
      // What the crash left half built is not to be touched again.
      (void)result.module.release();
      (void)result.context.release();
      result.ok = false;
      if (attempt.has_prefix) { // without it the compiler may fare better
        repairs.with_prefix = false;
        --number;
        continue;
      }
      if (repairs.trials.enabled && !repairs.trials.next.empty()) {
        repairs.trials.enabled = false; // what was tried may be the cause
        continue;
      }
      if (repairs.tolerant) // without the attempt to go on, the errors are what there is to say
        result.diagnostics = std::move(refusal);
      else if (std::ranges::none_of(result.diagnostics, [](const Diagnostic &one) {
                 return one.severity == Severity::Error;
               })) // what follows an error is no surprise
        report(result.diagnostics, Severity::Error, "the compiler front end crashed on this file",
               {normalise_path(options.file), 0, 0});
      break;
    }
    if (options.stop.stop_requested())
      break;
    if (attempt.has_prefix && attempt.needs_headers) {
      repairs.with_prefix = false;
      --number;
      continue;
    }
    if (attempt.again) {
      repairs.trials.enabled = ++trials < kMaxTrials;
      continue;
    }
    codegen = attempt.codegen;
    about_headers = std::move(attempt.inclusions.messages);
    if (searches < kMostSearches) {
      const std::size_t found = repairs.own_headers.found.size();
      repairs.own_headers.found.merge(attempt.inclusions.in_project);
      if (repairs.own_headers.found.size() != found) {
        ++searches;
        --number;
        continue;
      }
    }
    const std::size_t stand_ins = repairs.stand_ins.size();
    if (!attempt.inclusions.has_pytorch)
      repairs.stand_ins.merge(attempt.inclusions.replaceable);
    if (repairs.stand_ins.size() != stand_ins && !headers.empty())
      continue;
    if (unpatched && !result.ok)
      break;
    unpatched.reset();
    // Tolerated errors, too, may be about what nvcc accepts.
    if (result.ok && !isolation.before && patches < kMaxPatches && patch_sources(attempt.errors, repairs.patched)) {
      ++patches;
      unpatched = std::move(result);
      continue;
    }
    if (isolation.before && (!result.ok || attempt.lost >= isolation.lost)) { // it was not these bodies
      result = std::move(*isolation.before);
      isolation.before.reset();
      break;
    }
    isolation.before.reset();
    if (result.ok && !attempt.unbalanced.empty() && isolation.rounds++ < kMostIsolations) {
      isolation.lost = attempt.lost;
      isolation.before = std::move(result);
      const std::string path = attempt.unbalanced.front().path;
      std::string text = repairs.patched.files.contains(path) ? repairs.patched.files[path] : text_of(options, path);
      std::ranges::reverse(attempt.unbalanced); // from the end, so that offsets stay
      for (UnbalancedBody &body : attempt.unbalanced) {
        text = without_body(text, body, isolation_mark(isolation.bodies.size()));
        isolation.bodies.push_back(std::move(body));
      }
      repairs.patched.files[path] = std::move(text);
      continue;
    }
    const std::size_t missing = attempt.inclusions.skipped.size();
    bool in_vain = false;
    if (lacking.result && (missing > lacking.missing || !result.ok ||
                           !extent_of(result).exceeds(extent_of(*lacking.result)))) { // it was another one
      restore(result, std::move(*lacking.result));
      lacking.result.reset();
      about_definitions.pop_back();
      repairs.definitions.pop_back();
      in_vain = true;
    } else if (result.ok && repairs.tolerant) {
      if (attempt.has_prefix && !attempt.errors.empty()) { // what its headers leave out is not known
        lacking.result.reset();
        repairs.with_prefix = false;
        --number;
        continue;
      }
      lacking.asked = std::move(attempt.skipped);
      lacking.missing = missing;
    }
    lacking.result.reset();
    if (result.ok && repairs.tolerant) {
      const auto asked = std::ranges::find_if(lacking.asked, [&](const SkippedDeclarations &one) {
        return std::ranges::find(lacking.tried, one.definition) == lacking.tried.end() &&
               (!one.name.empty() || lacks_kernels(result));
      });
      if (asked != lacking.asked.end() && lacking.tried.size() < kMostDefinitions) {
        const std::string why = asked->name.empty()
                                    ? "without it, kernels have errors"
                                    : "'" + asked->name + "', which is used, is declared under this condition only";
        about_definitions.push_back(
            {Severity::Note, asked->condition, "analysed with -D" + asked->definition.text() + ": " + why});
        lacking.tried.push_back(asked->definition);
        repairs.definitions.push_back(asked->definition);
        repairs.trials = {}; // other arguments fit now
        trials = 0;
        lacking.result = std::move(result);
        continue;
      }
      if (in_vain) {
        without_kernels = result.index.kernels.empty();
        if (!without_kernels && !options.wanted_kernels.empty())
          continue;
        break;
      }
    }
    if (result.ok &&
        (result.lacks_headers ? extent_of(result).kernels == 0 : repairs.tolerant && result.index.kernels.empty())) {
      without_kernels = true;
      break;
    }
    if (result.ok && result.index.kernels.empty() && attempt.asked_for &&
        repairs.definitions.size() < kMostDefinitions &&
        std::ranges::find(repairs.definitions, *attempt.asked_for) == repairs.definitions.end()) {
      about_definitions.push_back(
          {Severity::Note,
           {normalise_path(options.file), attempt.asking_line, 1},
           "analysed with -D" + attempt.asked_for->text() + ": this condition leaves out every kernel otherwise"});
      repairs.definitions.push_back(std::move(*attempt.asked_for));
      if (!without_definitions)
        without_definitions = std::move(result);
      continue;
    }
    if (result.ok) {
      if (add_wanted(options, result.index, attempt.kernel_templates, repairs.wanted))
        continue;
      break;
    }
    if (!repairs.wanted.empty()) {
      // Whatever the error: without these there was none.
      for (const std::string &name : repairs.wanted)
        report(about_wanted, Severity::Error,
               "'" + name + "' cannot be instantiated: " + first_error(result.diagnostics),
               {normalise_path(options.file), 0, 0});
      FrontendOptions without = options;
      without.wanted_kernels.clear();
      result = run_frontend(without);
      is_optimised = true;
      break;
    }
    if (patches < kMaxPatches && patch_sources(attempt.errors, repairs.patched)) {
      ++patches;
      continue;
    }
    if (may_widen_prelude) {
      may_widen_prelude = false;
      arguments.emplace(arguments.begin(), "-DSMEM_LINT_FULL_PRELUDE");
      continue;
    }
    if (repairs.tolerant)
      break;
    repairs.tolerant = true;
    refusal = result.diagnostics;
  }
  if (!result.ok && (isolation.before || unpatched)) // nothing was gained
    result = std::move(isolation.before ? *isolation.before : *unpatched);
  if (lacking.result && !(result.ok && extent_of(result).exceeds(extent_of(*lacking.result)))) {
    restore(result, std::move(*lacking.result));
    about_definitions.pop_back();
    without_kernels = result.index.kernels.empty();
  }
  if (without_kernels || (result.lacks_headers && !result.ok)) { // nothing was gained by going on after errors
    if (result.lacks_headers) {
      refusal = before;
      std::move(about_headers.begin(), about_headers.end(), std::back_inserter(refusal));
    }
    result = {};
    result.diagnostics = std::move(refusal);
  }
  for (Diagnostic &diagnostic : result.diagnostics)
    for (std::size_t i = 0; i < isolation.bodies.size(); ++i)
      restore_error(diagnostic, isolation.bodies[i], isolation_mark(i));
  if (without_definitions && (!result.ok || result.index.kernels.empty())) { // nothing was gained
    result = std::move(*without_definitions);
    is_optimised = false;
  } else {
    std::move(about_definitions.begin(), about_definitions.end(), std::back_inserter(result.diagnostics));
  }
  std::move(about_wanted.begin(), about_wanted.end(), std::back_inserter(result.diagnostics));
  for (Diagnostic &diagnostic : result.diagnostics)
    diagnostic.message = with_source_names(std::move(diagnostic.message), repairs.patched.own_names);
  if (result.ok)
    std::move(repairs.patched.notes.begin(), repairs.patched.notes.end(), std::back_inserter(result.diagnostics));
  llvm::CrashRecoveryContext guard;
  if (result.module && !options.for_others && !is_optimised &&
      !guard.RunSafelyOnThread([&] { optimise(options, codegen, headers, result); }, kStackBytes)) {
    (void)result.module.release();
    (void)result.source.release();
    (void)result.context.release();
    result.ok = false;
    report(result.diagnostics, Severity::Error, "the compiler crashed on this file",
           {normalise_path(options.file), 0, 0});
  }
  return result;
}

} // namespace smem
