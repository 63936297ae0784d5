#include "frontend/assumed_templates.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Sema/Template.h>
#include <clang/Sema/TemplateDeduction.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/diagnostics.h"
#include "frontend/instantiation_budget.h"
#include "frontend/kernel_marks.h"
#include "frontend/template_candidates.h"
#include "syntax/ast_visitor.h"
#include "support/paths.h"
#include "syntax/declarations.h"
#include "syntax/locations.h"

namespace smem {
namespace {

/// Of static shared memory: more is refused by ptxas, so nobody launches it.
constexpr std::uint64_t kMostStaticShared = 48 << 10;

/// What part of the instantiations that the file may begin the trials of one template may, in one attempt: made-up arguments can be those of a pack of thousands.
constexpr std::uint64_t kTriedPart = 100;
/// In TemplateTrials::next: no candidate of this template is tried any more.
constexpr std::size_t kTooMany = SIZE_MAX;

/// What uninstantiated code says of templates: the arguments that it writes, and what host templates launch.
class Uses : public AstVisitor {
public:
  explicit Uses(const clang::SourceManager &sources) : sources_(sources) {}

  std::map<const clang::FunctionTemplateDecl *, WrittenArguments> written;
  std::vector<clang::FunctionTemplateDecl *> mentioned; ///< since the last clear()
  bool launches = false;

  bool skips(clang::Decl *declaration) override {
    return declaration->getDeclContext() && declaration->getDeclContext()->isTranslationUnit() &&
           sources_.isInSystemHeader(sources_.getExpansionLoc(declaration->getLocation()));
  }
  void visit(clang::Stmt *statement) override {
    launches |= llvm::isa<clang::CUDAKernelCallExpr>(statement);
    const auto *lookup = llvm::dyn_cast<clang::OverloadExpr>(statement);
    if (!lookup)
      return;
    for (const clang::NamedDecl *declaration : lookup->decls())
      if (auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(
              const_cast<clang::NamedDecl *>(declaration->getUnderlyingDecl()))) {
        pattern = pattern->getCanonicalDecl();
        mentioned.push_back(pattern);
        if (lookup->hasExplicitTemplateArgs())
          note(written[pattern], lookup->template_arguments());
      }
  }

private:
  /// The first one that is written for a position counts.
  static void note(WrittenArguments &known, llvm::ArrayRef<clang::TemplateArgumentLoc> arguments) {
    known.resize(std::max(known.size(), arguments.size()));
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (known[i].getArgument().isNull() && !arguments[i].getArgument().isDependent() &&
          !arguments[i].getArgument().isPackExpansion() &&
          !(arguments[i].getArgument().getKind() == clang::TemplateArgument::Expression &&
            arguments[i].getArgument().getAsExpr()->containsErrors()))
        known[i] = arguments[i];
  }

  const clang::SourceManager &sources_;
};

void collect_templates(const clang::DeclContext *scope, const clang::SourceManager &sources,
                       std::vector<clang::FunctionTemplateDecl *> &templates) {
  for (clang::Decl *declaration : declarations_of(scope)) {
    if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
      continue;
    if (auto *function = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
      if (function->getTemplatedDecl()->doesThisDeclarationHaveABody() && !function->isInvalidDecl())
        templates.push_back(function);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      collect_templates(llvm::cast<clang::DeclContext>(declaration), sources, templates);
    }
  }
}

/// Whether this unit has an instantiation, if one with errors.
bool is_instantiated(const clang::FunctionTemplateDecl *pattern) {
  return std::any_of(pattern->spec_begin(), pattern->spec_end(), [](const clang::FunctionDecl *function) {
    return function->isDefined() ||
           (function->getPointOfInstantiation().isValid() &&
            function->getTemplateSpecializationKind() != clang::TSK_ExplicitInstantiationDeclaration);
  });
}

/// Bytes of the shared arrays that a kernel declares itself.
class SharedBytes : public AstVisitor {
public:
  explicit SharedBytes(const clang::ASTContext &context) : context_(context) {}
  std::uint64_t bytes = 0;
  void visit(clang::Stmt *statement) override {
    if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const clang::Decl *declaration : declarations->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
            variable && variable->hasAttr<clang::CUDASharedAttr>() && !variable->hasExternalStorage() &&
            variable->getType()->isConstantSizeType())
          bytes += static_cast<std::uint64_t>(context_.getTypeSizeInChars(variable->getType()).getQuantity());
  }

private:
  const clang::ASTContext &context_;
};

std::string parameter_names(const clang::FunctionTemplateDecl *pattern) {
  std::string names;
  for (const clang::NamedDecl *parameter : *pattern->getTemplateParameters())
    names += (names.empty() ? "" : ", ") + (parameter->getName().empty() ? "_" : parameter->getNameAsString()) +
             (parameter->isTemplateParameterPack() ? "..." : "");
  std::string name = pattern->getQualifiedNameAsString();
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(kUnnamed)) != std::string::npos;)
    name.erase(at, kUnnamed.size());
  return name + "<" + names + ">";
}

class Assumer : public clang::SemaConsumer {
public:
  Assumer(clang::CompilerInstance &compiler, DiagnosticCollector &collector, InstantiationBudget &instantiations,
          TemplateTrials &trials, AssumedTemplates &result)
      : compiler_(compiler), collector_(collector), instantiations_(instantiations), trials_(trials), result_(result) {}

  void InitializeSema(clang::Sema &sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!sema_ || compiler_.getDiagnostics().hasErrorOccurred())
      return;
    const clang::SourceManager &sources = context.getSourceManager();
    std::vector<clang::FunctionTemplateDecl *> templates;
    collect_templates(context.getTranslationUnitDecl(), sources, templates);
    const auto is_kernel = [](const clang::FunctionTemplateDecl *one) {
      return one->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>();
    };
    const auto is_own = [&](const clang::Decl *one) {
      return sources.isInMainFile(sources.getExpansionLoc(one->getLocation()));
    };
    // A file that has no kernel itself stands for the headers beside it that it includes, if these have nothing else to show.
    const std::string main_file = to_location(sources.getLocForStartOfFile(sources.getMainFileID()), sources).file;
    const std::string folder =
        main_file.substr(0, main_file.find_last_of('/') == std::string::npos ? 0 : main_file.find_last_of('/'));
    const auto is_beside = [&](const clang::Decl *one) {
      return lies_in(to_location(sources.getExpansionLoc(one->getLocation()), sources).file, folder);
    };
    const std::vector<const clang::FunctionDecl *> kernels = declared_kernels(context);
    const bool headers_too = std::none_of(kernels.begin(), kernels.end(), [&](const clang::FunctionDecl *kernel) {
      const clang::FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate();
      return is_own(kernel) || (pattern ? is_instantiated(pattern) : kernel->hasBody());
    });
    std::erase_if(templates, [&](const clang::FunctionTemplateDecl *one) {
      return is_instantiated(one) || (!is_own(one) && !(headers_too && is_beside(one)));
    });
    if (templates.empty())
      return;
    Uses uses(sources);
    uses.walk(context.getTranslationUnitDecl());
    remember_kernels(context, nullptr);
    for (clang::FunctionTemplateDecl *one : templates) {
      const clang::FunctionDecl *function = one->getTemplatedDecl();
      if (is_kernel(one) || function->hasAttr<clang::CUDADeviceAttr>() || !launches_missing_kernel(sources, one))
        continue;
      assume(context, one, uses);
    }
    // What a host template instantiated in vain is no instantiation in the next tree; so its kernels are tried in this one.
    for (clang::FunctionTemplateDecl *one : templates)
      if (is_kernel(one) && (result_.again || !is_instantiated(one)) && !assume(context, one, uses))
        result_.diagnostics.push_back({Diagnostic::Severity::Warning, to_location(one->getLocation(), sources),
                                       "template " + parameter_names(one) + kNotInstantiated +
                                           " and not analysed: " + why_none(one, sources) + "; `--launch '" +
                                           one->getNameAsString() + "<...>:'` names them",
                                       /*incomplete=*/true});
    if (result_.again) { // no code is to be generated from this tree
      clang::DiagnosticsEngine &diagnostics = compiler_.getDiagnostics();
      collector_.begin_trial();
      diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "tried in vain"));
      collector_.end_trial();
    }
  }

private:
  /// Whether a host template launches a kernel that there is no instantiation of.
  static bool launches_missing_kernel(const clang::SourceManager &sources, const clang::FunctionTemplateDecl *one) {
    Uses own(sources);
    own.walk(one->getTemplatedDecl()->getBody());
    return own.launches &&
           std::any_of(own.mentioned.begin(), own.mentioned.end(), [](const clang::FunctionTemplateDecl *mentioned) {
             return mentioned->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>() && !is_instantiated(mentioned);
           });
  }

  /// Kernels that exist now; with a reason, what is new of them exists for it.
  void remember_kernels(clang::ASTContext &context, const AssumedKernel *why) {
    for (const clang::FunctionDecl *kernel : declared_kernels(context))
      if (const clang::FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate())
        for (const clang::FunctionDecl *instance : pattern->specializations())
          if (known_.insert(instance->getCanonicalDecl()).second && why)
            result_.kernels.emplace(instance->getCanonicalDecl(), *why);
  }

  std::string why_none(const clang::FunctionTemplateDecl *pattern, const clang::SourceManager &sources) const {
    const auto next = trials_.next.find(to_string(to_location(pattern->getLocation(), sources)));
    return next != trials_.next.end() && next->second == kTooMany
               ? "looking for plausible arguments took more than " + std::to_string(instantiations_.most / kTriedPart) +
                     " template instantiations"
               : "no plausible arguments were found";
  }

  bool assume(clang::ASTContext &context, clang::FunctionTemplateDecl *pattern, const Uses &uses) {
    const SourceLocation place = to_location(pattern->getLocation(), context.getSourceManager());
    std::size_t &next = trials_.next[to_string(place)];
    const auto written = uses.written.find(pattern->getCanonicalDecl());
    tried_up_to_ = std::min(instantiations_.begun + instantiations_.most / kTriedPart, instantiations_.most);
    for (; trials_.enabled && next != kTooMany; ++next) {
      const auto arguments = template_candidate(
          *sema_, pattern, written == uses.written.end() ? WrittenArguments() : written->second, next);
      if (!arguments)
        return false;
      const clang::FunctionDecl *function = instantiate(pattern, *arguments);
      if (!function && instantiations_.begun > tried_up_to_) {
        next = kTooMany;
        return false;
      }
      if (!function)
        continue;
      std::string name;
      llvm::raw_string_ostream out(name);
      clang::PrintingPolicy policy(context.getLangOpts());
      policy.SuppressUnwrittenScope = policy.SuppressTagKeyword = policy.Bool = true;
      function->getNameForDiagnostic(out, policy, /*Qualified=*/true);
      result_.diagnostics.push_back(
          {Diagnostic::Severity::Note, place,
           "template " + parameter_names(pattern) + kNotInstantiated + "; analysed as " + name + " (assumed)"});
      const AssumedKernel why{
          name + ": nothing in this file instantiates the template",
          made_up(pattern, *arguments, written == uses.written.end() ? nullptr : &written->second, policy)};
      remember_kernels(context, &why);
      return true;
    }
    return false;
  }

  /// "SEQ=32": of the arguments those that the source does not write.
  static std::vector<std::string> made_up(const clang::FunctionTemplateDecl *pattern,
                                          const clang::TemplateArgumentListInfo &arguments,
                                          const WrittenArguments *written, const clang::PrintingPolicy &policy) {
    std::vector<std::string> texts;
    for (unsigned i = 0; i < arguments.size(); ++i) {
      const clang::NamedDecl *parameter = pattern->getTemplateParameters()->getParam(i);
      if (parameter->getName().empty() || (written && i < written->size() && !(*written)[i].getArgument().isNull()))
        continue;
      std::string text = parameter->getNameAsString() + "=";
      llvm::raw_string_ostream out(text);
      arguments[i].getArgument().print(policy, out, /*IncludeType=*/false);
      texts.push_back(text);
    }
    return texts;
  }

  /// Null if the arguments do not fit, or nothing can be made of them.
  const clang::FunctionDecl *instantiate(clang::FunctionTemplateDecl *pattern,
                                         clang::TemplateArgumentListInfo arguments) {
    clang::FunctionDecl *function = nullptr;
    const std::uint64_t most_of_file = std::exchange(instantiations_.most, tried_up_to_);
    collector_.begin_trial();
    {
      clang::Sema::SFINAETrap trap(*sema_);
      llvm::SmallVector<clang::TemplateArgument, 8> sugared, canonical;
      clang::sema::TemplateDeductionInfo info(pattern->getLocation());
      clang::Sema::InstantiatingTemplate context(
          *sema_, pattern->getLocation(), pattern, {},
          clang::Sema::CodeSynthesisContext::ExplicitTemplateArgumentSubstitution, info);
      if (!context.isInvalid() &&
          !sema_->CheckTemplateArgumentList(pattern, pattern->getLocation(), arguments, false, sugared, canonical) &&
          !trap.hasErrorOccurred()) {
        function = sema_->InstantiateFunctionDeclaration(
            pattern, clang::TemplateArgumentList::CreateCopy(sema_->Context, canonical), pattern->getLocation());
        if (trap.hasErrorOccurred() || (function && function->isInvalidDecl()))
          function = nullptr;
      }
    }
    if (function && !tried_.insert(function->getCanonicalDecl()).second)
      function = nullptr; // other parameters of the candidate differ, and it has none of them
    if (function) {
      sema_->InstantiateFunctionDefinition(pattern->getLocation(), function, /*Recursive=*/true,
                                           /*DefinitionRequired=*/true, /*AtEndOfTU=*/true);
      sema_->PerformPendingInstantiations();
      sema_->emitDeferredDiags();
    }
    const bool clean = collector_.end_trial();
    instantiations_.most = most_of_file;
    clang::DiagnosticsEngine &diagnostics = compiler_.getDiagnostics();
    if (diagnostics.hasErrorOccurred())
      diagnostics.Reset(/*soft=*/true);
    bool good = function && clean && function->isDefined();
    if (good && function->hasAttr<clang::CUDAGlobalAttr>()) {
      SharedBytes shared(sema_->Context);
      shared.walk(function->getBody());
      good = shared.bytes <= kMostStaticShared;
    }
    result_.again |= (function && !good) || instantiations_.begun > tried_up_to_;
    return good ? function : nullptr;
  }

  clang::CompilerInstance &compiler_;
  DiagnosticCollector &collector_;
  InstantiationBudget &instantiations_;
  TemplateTrials &trials_;
  AssumedTemplates &result_;
  clang::Sema *sema_ = nullptr;
  std::set<const clang::Decl *> known_, tried_;
  std::uint64_t tried_up_to_ = 0; ///< as InstantiationBudget::begun
};

} // namespace

std::unique_ptr<clang::ASTConsumer> make_template_assumer(clang::CompilerInstance &compiler,
                                                          DiagnosticCollector &collector,
                                                          InstantiationBudget &instantiations, TemplateTrials &trials,
                                                          AssumedTemplates &result) {
  return std::make_unique<Assumer>(compiler, collector, instantiations, trials, result);
}

} // namespace smem
