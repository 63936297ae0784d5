#include "launches/launches.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/diagnostics.h"
#include "launches/interpreter.h"

namespace smem {

namespace {

/// Definitions of host functions in the user's own files, instantiations included, and variables whose initialisers run before
/// `main`, in the order of the source.
class HostDeclarations {
public:
  HostDeclarations(clang::ASTContext &context, LaunchReach &reach) : context_(context), reach_(reach) {
    visit(context.getTranslationUnitDecl());
  }

  const std::vector<const clang::FunctionDecl *> &launching() const { return launching_; }
  const std::vector<const clang::VarDecl *> &initialised_at_start() const { return initialised_at_start_; }
  const clang::FunctionDecl *main() const { return main_; }

private:
  void visit(const clang::DeclContext *scope) {
    for (const clang::Decl *declaration : scope->decls()) {
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
      else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl, clang::ExportDecl>(declaration))
        visit(llvm::cast<clang::DeclContext>(declaration));
    }
  }

  void add(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *definition = nullptr;
    if (!function->hasBody(definition) || definition != function || function->isDependentContext() ||
        function->isInvalidDecl() || function->hasAttr<clang::CUDAGlobalAttr>())
      return;
    if (function->isMain())
      main_ = function;
    if (reach_.reaches(function))
      launching_.push_back(function);
  }

  void add(const clang::VarDecl *variable) {
    if (variable->hasInit() && !variable->isInvalidDecl() && !variable->getDeclContext()->isDependentContext() &&
        !variable->getType()->isDependentType() && !variable->getInit()->containsErrors() && !variable->isConstexpr() &&
        !variable->hasConstantInitialization() &&
        !variable->hasAttr<clang::CUDADeviceAttr>() && !variable->hasAttr<clang::CUDAConstantAttr>())
      initialised_at_start_.push_back(variable);
  }

  clang::ASTContext &context_;
  LaunchReach &reach_;
  std::vector<const clang::FunctionDecl *> launching_;
  std::vector<const clang::VarDecl *> initialised_at_start_;
  const clang::FunctionDecl *main_ = nullptr;
};

} // namespace

HostLaunches infer_launches(clang::ASTContext &context, const IrNames &names) {
  LaunchRecorder recorder(context, names);
  Interpreter interpreter(context, recorder);
  const HostDeclarations host(context, interpreter.reach());
  if (host.launching().empty())
    return {};
  const clang::FunctionDecl *main = host.main();
  bool given_up = false;
  if (main) {
    // A program that insists on arguments, or on several GPUs, does nothing without them.
    for (const auto start : {Interpreter::Start::NoArguments, Interpreter::Start::AnyArguments, Interpreter::Start::Any})
      if (recorder.empty())
        interpreter.run_main(main, host.initialised_at_start(), start);
    given_up = interpreter.exhausted();
    recorder.enter_unreached();
  }
  // What is left: libraries, and functions that the run does not come to. Callers are tried before what they call.
  for (auto function = host.launching().rbegin(); function != host.launching().rend(); ++function)
    if (!interpreter.visited(*function))
      interpreter.run_alone(*function);
  HostLaunches result = recorder.take();
  if (given_up)
    result.diagnostics.push_back({Diagnostic::Severity::Warning, to_location(main->getLocation(), context.getSourceManager()),
                                  "the program is too long to be followed to its end; launches that it would still make may be missing"});
  return result;
}

} // namespace smem
