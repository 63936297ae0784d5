#include "host/launches.h"

#include <algorithm>
#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include "syntax/ir_names.h"
#include "syntax/declarations.h"
#include "syntax/locations.h"
#include "host/consistent.h"
#include "host/interpreter.h"
#include "host/unit.h"

namespace smem {

namespace {

bool opts_in(const clang::Stmt *statement) {
  if (!statement)
    return false;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement))
    if (const clang::FunctionDecl *callee = call->getDirectCallee();
        callee && callee->getIdentifier() && callee->getName() == "cudaFuncSetAttribute")
      return true;
  return llvm::any_of(statement->children(), opts_in);
}

/// Definitions of host functions in the user's own files, instantiations included, and variables whose initialisers run before
/// `main`, in the order of the source.
class HostDeclarations {
public:
  HostDeclarations(clang::ASTContext &context, LaunchReach &reach) : context_(context), reach_(reach) {
    visit(context.getTranslationUnitDecl());
  }

  const std::vector<const clang::FunctionDecl *> &launching() const { return launching_; }
  const std::vector<const clang::FunctionDecl *> &opting_in() const { return opting_in_; }
  const std::vector<const clang::VarDecl *> &initialised_at_start() const { return initialised_at_start_; }
  const std::vector<const clang::FunctionDecl *> &kernels() const { return kernels_; }
  /// All that have a body.
  const std::vector<const clang::FunctionDecl *> &functions() const { return functions_; }
  const clang::FunctionDecl *main() const { return main_; }

private:
  void visit(const clang::DeclContext *scope) {
    for (const clang::Decl *declaration : declarations_of(scope)) {
      const clang::SourceManager &sources = context_.getSourceManager();
      if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
        continue;
      if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
        add(function);
      else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration))
        add(variable);
      else if (const auto *function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
        for (const clang::FunctionDecl *instance : function_template->specializations())
          add(instance);
      else if (const auto *class_template = llvm::dyn_cast<clang::ClassTemplateDecl>(declaration))
        for (const clang::ClassTemplateSpecializationDecl *instance : class_template->specializations())
          visit(instance);
      else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl, clang::ExportDecl>(
                   declaration))
        visit(llvm::cast<clang::DeclContext>(declaration));
    }
  }

  void add(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *definition = nullptr;
    if (!function->hasBody(definition) || definition != function || function->isDependentContext() ||
        function->isInvalidDecl())
      return;
    if (function->hasAttr<clang::CUDAGlobalAttr>()) {
      kernels_.push_back(function);
      return;
    }
    functions_.push_back(function);
    if (function->isMain())
      main_ = function;
    if (reach_.reaches(function))
      launching_.push_back(function);
    else if (opts_in(function->getBody()))
      opting_in_.push_back(function);
  }

  void add(const clang::VarDecl *variable) {
    if (variable->hasInit() && !variable->isInvalidDecl() && !variable->getDeclContext()->isDependentContext() &&
        !variable->getType()->isDependentType() && !variable->getInit()->containsErrors() && !variable->isConstexpr() &&
        !variable->hasConstantInitialization() && !variable->hasAttr<clang::CUDADeviceAttr>() &&
        !variable->hasAttr<clang::CUDAConstantAttr>())
      initialised_at_start_.push_back(variable);
  }

  clang::ASTContext &context_;
  LaunchReach &reach_;
  std::vector<const clang::FunctionDecl *> kernels_, functions_, launching_, opting_in_;
  std::vector<const clang::VarDecl *> initialised_at_start_;
  const clang::FunctionDecl *main_ = nullptr;
};

/// What functions that are run alone may take, in steps: all of a file, and the instances of one template, where they are too long to be
/// followed. The next one probably is, too.
class HostBudget {
public:
  std::uint64_t share(const clang::FunctionDecl *function) const {
    constexpr unsigned kMostHalvings = 6;
    constexpr std::uint64_t kLeast = kHostSteps >> kMostHalvings;
    const auto known = exhausted_.find(written(function));
    const unsigned times = known == exhausted_.end() ? 0 : known->second;
    return std::max(std::min(kHostSteps >> std::min(times, kMostHalvings), left_ / 2), kLeast);
  }
  void spend(const clang::FunctionDecl *function, std::uint64_t steps, bool exhausted) {
    left_ -= std::min(left_, steps);
    if (exhausted)
      ++exhausted_[written(function)];
  }

private:
  /// As the source has it, for all instances.
  static const clang::FunctionDecl *written(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *pattern = function->getTemplateInstantiationPattern();
    return (pattern ? pattern : function)->getCanonicalDecl();
  }

  std::uint64_t left_ = 10 * kHostSteps;
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> exhausted_;
};

} // namespace

HostLaunches infer_launches(clang::ASTContext &context, const IrNames &names, std::uint64_t source_bytes,
                            const std::vector<StatedLaunch> &stated, const ForeignCode &foreign, std::stop_token stop) {
  LaunchRecorder recorder(context, names);
  Interpreter interpreter(context, recorder, stop);
  const std::set<std::string> elsewhere(foreign.launchers.begin(), foreign.launchers.end());
  if (!elsewhere.empty())
    interpreter.reach().set_elsewhere(
        [&](const clang::FunctionDecl *function) { return elsewhere.contains(names.name(function)); });
  const HostDeclarations host(context, interpreter.reach());
  const auto with_unit = [&](HostLaunches result) {
    result.unit =
        describe_unit(context, names, {host.kernels(), host.functions(), host.launching()}, result, recorder.calls());
    return result;
  };
  if (host.launching().empty() && host.opting_in().empty())
    return with_unit({});
  ConsistentLaunches consistent(context, names, stated, source_bytes, stop);
  const clang::FunctionDecl *main = host.main();
  bool given_up = false;
  if (main) {
    // A program that insists on arguments, or on several GPUs, does nothing without them.
    for (const auto start :
         {Interpreter::Start::NoArguments, Interpreter::Start::AnyArguments, Interpreter::Start::Any})
      if (recorder.empty()) {
        interpreter.run_main(main, host.initialised_at_start(), start);
        consistent.complete([&](Interpreter &each) { each.run_main(main, host.initialised_at_start(), start); },
                            recorder.entries(), 0);
      }
    given_up = interpreter.exhausted();
  }
  if (!foreign.calls.empty()) {
    HostBudget budget;
    for (const clang::FunctionDecl *function : host.launching()) {
      const std::string name = names.name(function);
      for (const PassedCall &call : foreign.calls) {
        if (call.function != name)
          continue;
        const std::size_t first = recorder.entries().size();
        const std::uint64_t share = budget.share(function);
        recorder.called_by(&call);
        if (!call.reached)
          recorder.enter_unreached();
        interpreter.run_alone(function, share, &call);
        budget.spend(function, interpreter.steps(), interpreter.exhausted());
        consistent.complete([&](Interpreter &each) { each.run_alone(function, share, &call); }, recorder.entries(),
                            first);
        if (!call.reached)
          recorder.leave_unreached();
        recorder.called_by(nullptr);
      }
    }
  }
  if (main)
    recorder.enter_unreached();
  // What is left: libraries, and functions that the run does not come to. Callers are tried before what they call.
  HostBudget budget;
  const auto run_alone = [&](const clang::FunctionDecl *function) {
    const std::uint64_t share = budget.share(function);
    interpreter.run_alone(function, share);
    budget.spend(function, interpreter.steps(), interpreter.exhausted());
    return share;
  };
  for (auto function = host.launching().rbegin(); function != host.launching().rend(); ++function)
    if (!interpreter.visited(*function)) {
      const std::size_t first = recorder.entries().size();
      const std::uint64_t share = run_alone(*function);
      consistent.complete([&](Interpreter &each) { each.run_alone(*function, share); }, recorder.entries(), first);
    }
  for (const clang::FunctionDecl *function : host.launching())
    consistent.complete_by_itself(function, recorder.entries());
  consistent.complete_in_lambdas(recorder.entries());
  // Set-up functions that launch nothing.
  recorder.mute();
  for (const clang::FunctionDecl *function : host.opting_in())
    if (!interpreter.visited(function))
      run_alone(function);
  recorder.unmute();
  HostLaunches result = recorder.take();
  if (given_up)
    result.diagnostics.push_back(
        {Diagnostic::Severity::Warning, to_location(main->getLocation(), context.getSourceManager()),
         "the program is too long to be followed to its end (" + std::to_string(kHostSteps) + " steps, " +
             std::to_string(kHostBytes >> 20) + " MB of values); launches that it would still make may be missing"});
  return with_unit(std::move(result));
}

} // namespace smem
