#include "frontend/host_errors.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>

#include "frontend/diagnostics.h"
#include "frontend/invalid_functions.h"
#include "frontend/kernel_marks.h"
#include "frontend/untyped_initialisers.h"
#include "support/paths.h"
#include "syntax/ast_visitor.h"
#include "syntax/declarations.h"
#include "syntax/locations.h"

namespace smem {
namespace {

/// Errors outside of functions that are listed.
constexpr std::size_t kMostOutside = 5;

bool stands_in(clang::SourceLocation error, const clang::FunctionDecl *function, const clang::SourceManager &sources) {
  const clang::SourceLocation place = sources.getExpansionLoc(error),
                              begin = sources.getExpansionLoc(function->getBeginLoc()),
                              end = sources.getExpansionLoc(function->getEndLoc());
  return place.isValid() && begin.isValid() && end.isValid() && !sources.isBeforeInTranslationUnit(place, begin) &&
         !sources.isBeforeInTranslationUnit(end, place);
}

/// Whether a value of this type has no size that is known, as an error took a part of it. `in_template`: it may depend on arguments or not be known yet, as in the body
/// of a generic lambda.
bool is_broken(clang::QualType type, bool in_template = false) {
  if (type.isNull() || type->isDependentType())
    return !in_template;
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record && record->isInvalidDecl();
}

/// Whether some expression refers to what could not be declared; of such a declaration only itself was an error.
bool contains_errors(const clang::Stmt *statement, bool in_template = false) {
  if (!statement)
    return false;
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(statement); lambda && lambda->isGenericLambda())
    in_template = true;
  if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement);
      expression && (expression->containsErrors() || is_broken(expression->getType(), in_template)))
    return true;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl *declaration : declarations->decls()) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (declaration->isInvalidDecl() || (variable && is_broken(variable->getType(), in_template)))
        return true;
    }
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const clang::Stmt *child) { return contains_errors(child, in_template); });
}

class HostErrorConsumer : public clang::ASTConsumer {
public:
  HostErrorConsumer(clang::CompilerInstance &compiler, const DiagnosticCollector &collector,
                    std::vector<DroppedFunction> &dropped)
      : compiler_(compiler), collector_(collector), dropped_(dropped) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (!collector_.tolerated().empty())
      for (clang::Decl *declaration : group)
        visit(declaration);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override {
    if (!collector_.tolerated().empty())
      visit(function);
  }
  /// A member whose type depends on an error has none, even where all arguments are known; Clang asks for the size of the class all the same, without
  /// an end. As one that has an error itself it has a size.
  void HandleTagDeclDefinition(clang::TagDecl *tag) override {
    auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(tag);
    if (!record || record->isDependentContext() || collector_.tolerated().empty())
      return;
    if (std::ranges::any_of(record->fields(),
                            [](const clang::FieldDecl *field) { return is_broken(field->getType()); }) ||
        std::ranges::any_of(record->bases(),
                            [](const clang::CXXBaseSpecifier &base) { return is_broken(base.getType()); }))
      record->setInvalidDecl();
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *) override {
    collector_.withdraw_tolerated(compiler_.getDiagnostics()); // the code generator comes next
  }
  void HandleTranslationUnit(clang::ASTContext &) override {
    collector_.withdraw_tolerated(compiler_.getDiagnostics());
  }

private:
  /// Templates come again as their instantiations. What a prefix has was parsed before there were errors.
  void visit(clang::Decl *declaration) {
    if (declaration->isFromASTFile())
      return;
    if (const clang::FunctionDecl *function = declaration->getAsFunction(); function && function->isInvalidDecl())
      invalid_.add(*function, message_in(*function));
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      if (!function->isDependentContext() && function->doesThisDeclarationHaveABody()) {
        give_initialisers_types(*function);
        check(function);
      }
    } else if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      check(variable);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(declaration)) {
      for (clang::Decl *member : llvm::cast<clang::DeclContext>(declaration)->decls())
        visit(member);
    }
  }

  std::string message_in(const clang::FunctionDecl &function) const {
    std::string last = "an error";
    for (const DiagnosticCollector::Tolerated &error : collector_.tolerated())
      if (stands_in(error.place, &function, compiler_.getSourceManager()))
        last = error.diagnostic.message;
    return last;
  }

  void check(clang::FunctionDecl *function) {
    if (!function->hasAttr<clang::CUDAGlobalAttr>() && !function->hasAttr<clang::CUDADeviceAttr>())
      return;
    const clang::SourceManager &sources = compiler_.getSourceManager();
    for (const DiagnosticCollector::Tolerated &error : collector_.tolerated())
      if (stands_in(error.place, function, sources))
        return drop(function, error.diagnostic.location, error.diagnostic.message);
    const bool wrong_parameter =
        std::any_of(function->param_begin(), function->param_end(), [](const clang::ParmVarDecl *parameter) {
          return parameter->isInvalidDecl() || is_broken(parameter->getType());
        });
    if (wrong_parameter || is_broken(function->getReturnType()) || contains_errors(function->getBody()))
      drop(function, to_location(function->getBeginLoc(), sources), "it uses a declaration with errors");
    else if (const auto *invalid = invalid_.named_by(*function); invalid && !function->isInvalidDecl())
      drop(function, to_location(function->getBeginLoc(), sources),
           "it uses '" + invalid->first + "', of which there is an error: " + invalid->second);
  }

  /// Code generation ends in a null pointer at a variable that could not be declared. As a declaration it does no harm: functions that use it are
  /// left out themselves.
  static void check(clang::VarDecl *variable) {
    const clang::QualType type = variable->getType();
    if (variable->isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly || variable->isStaticDataMember() ||
        !(variable->isInvalidDecl() || is_broken(type) || type->isIncompleteType()))
      return;
    variable->setInit(nullptr);
    variable->setStorageClass(clang::SC_Extern);
  }

  void drop(clang::FunctionDecl *function, const SourceLocation &place, const std::string &why) {
    function->setBody(nullptr);
    dropped_.push_back({function, place, why});
  }

  clang::CompilerInstance &compiler_;
  const DiagnosticCollector &collector_;
  std::vector<DroppedFunction> &dropped_;
  InvalidFunctions invalid_;
};

/// Functions with a body in the user's files, as they are written.
void collect_functions(const clang::DeclContext *scope, const clang::SourceManager &sources,
                       std::vector<const clang::FunctionDecl *> &functions) {
  for (const clang::Decl *declaration : declarations_of(scope)) {
    if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
      continue;
    if (const auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(declaration); pattern && pattern->getTemplatedDecl())
      declaration = pattern->getTemplatedDecl();
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      functions.push_back(function);
    else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl, clang::ExportDecl>(
                 declaration))
      collect_functions(llvm::cast<clang::DeclContext>(declaration), sources, functions);
  }
}

/// Variables outside of functions. What uses one that has an error has one itself; whatever does not is the same without it.
void collect_variables(const clang::DeclContext *scope, const clang::SourceManager &sources,
                       std::vector<const clang::VarDecl *> &variables) {
  for (const clang::Decl *declaration : declarations_of(scope))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      if (variable->getBeginLoc() != variable->getLocation()) // a macro that is not there looks like one without a type
        variables.push_back(variable);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration) &&
               !sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()))) {
      collect_variables(llvm::cast<clang::DeclContext>(declaration), sources, variables);
    }
}

/// Whether what stands at a place, whatever it is, can change a function: it does not where that and all that it calls are written before. A
/// template means something only where it is instantiated.
class Precedes : public AstVisitor {
public:
  Precedes(const clang::SourceManager &sources, clang::SourceLocation place)
      : sources_(sources), place_(sources.getExpansionLoc(place)) {}

  bool operator()(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *definition = nullptr;
    if (!function->hasBody(definition) || !seen_.insert(definition).second)
      return true;
    const clang::SourceLocation end = sources_.getExpansionLoc(definition->getEndLoc());
    if (sources_.isInSystemHeader(end))
      return true;
    if (definition->isTemplateInstantiation() || definition->isDependentContext() ||
        !sources_.isBeforeInTranslationUnit(end, place_))
      return false;
    calls_.clear();
    walk(definition->getBody());
    for (const clang::FunctionDecl *called : std::vector(calls_))
      if (!(*this)(called))
        return false;
    return true;
  }
  void visit(clang::Stmt *statement) override {
    const clang::ValueDecl *named = nullptr;
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      named = reference->getDecl();
    else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(statement))
      named = member->getMemberDecl();
    else if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(statement))
      named = construct->getConstructor();
    if (const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(named))
      calls_.push_back(function);
  }

private:
  const clang::SourceManager &sources_;
  clang::SourceLocation place_;
  std::set<const clang::FunctionDecl *> seen_;
  std::vector<const clang::FunctionDecl *> calls_;
};

/// Kernel templates that expressions with an error name, and where: what should be launched there.
class BrokenLaunches : public AstVisitor {
public:
  BrokenLaunches(const clang::SourceManager &sources, const std::vector<DiagnosticCollector::Tolerated> &errors)
      : sources_(sources), errors_(errors) {}
  std::map<const clang::FunctionTemplateDecl *, clang::SourceLocation> found; ///< canonical

  /// Of a template the statements with an error are those that its instantiations have it in.
  void look(const clang::FunctionDecl *function) {
    of_template_ = function->isDependentContext();
    if (of_template_ && std::ranges::none_of(errors_, [&](const DiagnosticCollector::Tolerated &error) {
          return stands_in(error.place, function, sources_);
        }))
      return;
    walk(function->getBody());
  }
  void visit(clang::Stmt *statement) override {
    const auto *expression = llvm::dyn_cast<clang::Expr>(statement);
    if (!expression || !is_broken(expression))
      return;
    Named named;
    named.walk(statement);
    for (const clang::FunctionTemplateDecl *pattern : named.templates)
      if (pattern->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>())
        found.emplace(pattern->getCanonicalDecl(), expression->getBeginLoc());
  }

private:
  struct Named : AstVisitor {
    std::vector<const clang::FunctionTemplateDecl *> templates;
    void visit(clang::Stmt *statement) override {
      if (const auto *lookup = llvm::dyn_cast<clang::OverloadExpr>(statement)) {
        for (const clang::NamedDecl *declaration : lookup->decls())
          add(llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration->getUnderlyingDecl()));
      } else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
        const auto *function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
        add(function ? function->getPrimaryTemplate() : nullptr);
      }
    }
    void add(const clang::FunctionTemplateDecl *pattern) {
      if (pattern)
        templates.push_back(pattern);
    }
  };

  bool is_broken(const clang::Expr *expression) const {
    if (!of_template_)
      return expression->containsErrors();
    return llvm::isa<clang::CUDAKernelCallExpr>(expression) &&
           std::ranges::any_of(errors_, [&](const DiagnosticCollector::Tolerated &error) {
             const clang::SourceLocation place = sources_.getExpansionLoc(error.place);
             return place.isValid() &&
                    !sources_.isBeforeInTranslationUnit(place, sources_.getExpansionLoc(expression->getBeginLoc())) &&
                    !sources_.isBeforeInTranslationUnit(sources_.getExpansionLoc(expression->getEndLoc()), place);
           });
  }

  const clang::SourceManager &sources_;
  const std::vector<DiagnosticCollector::Tolerated> &errors_;
  bool of_template_ = false;
};

/// Messages about one error in several places, as a macro that is not there is missing in many. A header that is missing makes many errors: of
/// what these make warnings of, few are told one by one.
class GroupedMessages {
public:
  explicit GroupedMessages(std::vector<Diagnostic> &messages) : messages_(messages) {}

  /// `what` (a host function), of several with an s, `name`, `says` or `say` of it or of them.
  void add(Diagnostic::Severity severity, const SourceLocation &place, const std::string &what, const std::string &name,
           const std::string &says, const std::string &say, const std::string &error) {
    constexpr std::size_t kMostWarnings = 3; // of one kind; what is beyond is one message
    const bool known = groups_.contains({severity, what, error});
    std::size_t &errors = errors_[{severity, what}];
    errors += !known;
    const bool beyond = !known && severity == Diagnostic::Severity::Warning && errors > kMostWarnings;
    const auto [entry, fresh] =
        groups_.try_emplace({severity, what, beyond ? std::string() : error}, Group{messages_.size(), name, error});
    Group &group = entry->second;
    if (fresh)
      messages_.push_back({severity, place, {}});
    const std::size_t more = group.others++;
    messages_[group.message].message = more == 0
                                           ? what + " " + group.first + " " + says + ": " + group.error
                                           : what + "s " + group.first + " and " + std::to_string(more) + " more " +
                                                 say + ": " + group.error + (beyond ? ", and other errors" : "");
  }

private:
  struct Group {
    std::size_t message = 0;  ///< of messages_
    std::string first, error; ///< the first one's
    std::size_t others = 0;
  };
  std::vector<Diagnostic> &messages_;
  std::map<std::tuple<Diagnostic::Severity, std::string, std::string>, Group> groups_;
  std::map<std::pair<Diagnostic::Severity, std::string>, std::size_t> errors_; ///< different ones
};

/// Whether there is an instantiation to analyse, here or, as the source says, elsewhere.
bool has_instantiation(const clang::FunctionTemplateDecl *pattern) {
  return std::any_of(pattern->spec_begin(), pattern->spec_end(), [](const clang::FunctionDecl *function) {
    return function->isDefined() ||
           function->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDeclaration;
  });
}

} // namespace

std::unique_ptr<clang::ASTConsumer> make_host_error_consumer(clang::CompilerInstance &compiler,
                                                             const DiagnosticCollector &collector,
                                                             std::vector<DroppedFunction> &dropped) {
  return std::make_unique<HostErrorConsumer>(compiler, collector, dropped);
}

ToleratedErrors name_tolerated(clang::ASTContext &context, const DiagnosticCollector &collector,
                               bool framework_missing) {
  using Severity = Diagnostic::Severity;
  const clang::SourceManager &sources = context.getSourceManager();
  const Severity of_host = framework_missing ? Severity::Warning : Severity::Error;
  std::vector<const clang::FunctionDecl *> functions;
  std::set<const clang::FunctionDecl *> named;
  ToleratedErrors found;
  std::size_t outside = 0;
  GroupedMessages grouped(found.diagnostics);
  std::set<std::string> outside_said;
  std::vector<const clang::VarDecl *> variables;
  std::vector<const clang::FunctionDecl *> kernels;
  if (!collector.tolerated().empty()) {
    collect_functions(context.getTranslationUnitDecl(), sources, functions);
    collect_variables(context.getTranslationUnitDecl(), sources, variables);
    for (const clang::FunctionDecl *kernel : declared_kernels(context)) {
      if (!kernel->isDependentContext())
        kernels.push_back(kernel);
      if (const clang::FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate())
        kernels.insert(kernels.end(), pattern->spec_begin(), pattern->spec_end());
    }
  }
  const auto has_lost_instantiation = [&](const clang::FunctionDecl *pattern) {
    return std::ranges::any_of(kernels, [&](const clang::FunctionDecl *kernel) {
      return !kernel->isDefined() && kernel->getTemplateInstantiationPattern() == pattern &&
             kernel->getTemplateSpecializationKind() != clang::TSK_ExplicitInstantiationDeclaration;
    });
  };
  const auto harmless = [](const SourceLocation &place, const char *for_what) {
    return "the error in line " + std::to_string(place.line) + " does not affect " + for_what;
  };
  const auto has_other_error = [&](const clang::FunctionDecl *function) {
    return std::ranges::any_of(collector.tolerated(), [&](const DiagnosticCollector::Tolerated &error) {
      return !error.calls_device && error.place.isValid() && stands_in(error.place, function, sources);
    });
  };
  for (const DiagnosticCollector::Tolerated &error : collector.tolerated()) {
    if (error.place.isInvalid() || sources.isInSystemHeader(sources.getExpansionLoc(error.place)))
      continue;
    const auto within = std::find_if(functions.begin(), functions.end(), [&](const clang::FunctionDecl *one) {
      return stands_in(error.place, one, sources);
    });
    const SourceLocation &place = error.diagnostic.location;
    if (within == functions.end()) {
      // Kernels may be in what the project's own header would have brought.
      const bool fresh = outside_said.insert(error.diagnostic.message).second; // a macro may be missing in many places
      if (fresh && ++outside <= kMostOutside)
        found.diagnostics.push_back(
            {of_host, place, error.diagnostic.message, error.diagnostic.message.ends_with("file not found")});
      const auto lies_in_range = [&](const clang::VarDecl *variable) {
        const clang::SourceLocation at = sources.getExpansionLoc(error.place);
        return !sources.isBeforeInTranslationUnit(at, sources.getExpansionLoc(variable->getBeginLoc())) &&
               !sources.isBeforeInTranslationUnit(sources.getExpansionLoc(variable->getEndLoc()), at);
      };
      if (std::any_of(variables.begin(), variables.end(), lies_in_range))
        continue;
      for (const clang::FunctionDecl *kernel : kernels)
        if (!Precedes(sources, error.place)(kernel))
          found.of_kernels.emplace(kernel->getCanonicalDecl(), harmless(place, "the kernel"));
      continue;
    }
    const clang::FunctionDecl *function = *within;
    if (named.contains(function) || (error.calls_device && has_other_error(function)))
      continue;
    named.insert(function);
    const std::string name = "'" + function->getQualifiedNameAsString() + "'";
    const bool device = function->hasAttr<clang::CUDAGlobalAttr>() || function->hasAttr<clang::CUDADeviceAttr>();
    if (function->isDependentContext()) {
      // nvcc looks less closely at a template that the file does not use; but a kernel of the file's own is wanted.
      const bool missed =
          function->hasAttr<clang::CUDAGlobalAttr>() &&
          (sources.isInMainFile(sources.getExpansionLoc(function->getLocation())) || has_lost_instantiation(function));
      const std::string left_out = "what instantiates it is left out";
      if (missed)
        found.diagnostics.push_back(
            {Severity::Error, place,
             "template " + name + " has an error, and " + left_out + ": " + error.diagnostic.message, missed});
      else
        grouped.add(Severity::Warning, place, "template", name, "has an error, and " + left_out,
                    "have an error, and what instantiates them is left out", error.diagnostic.message);
    } else if (!device) {
      grouped.add(error.calls_device ? Severity::Warning : of_host, place, "host function", name,
                  "is followed in part only", "are followed in part only", error.diagnostic.message);
    }
    const clang::FunctionTemplateDecl *pattern = function->getDescribedFunctionTemplate();
    const bool unused = pattern && pattern->spec_begin() == pattern->spec_end();
    if (!device && !unused && found.of_host.empty())
      found.of_host = harmless(place, "the launch");
  }
  for (const clang::FunctionDecl *function : functions)
    if (function->isDependentContext() && function->hasAttr<clang::CUDAGlobalAttr>() && !named.contains(function) &&
        has_lost_instantiation(function))
      found.diagnostics.push_back(
          {Severity::Error, to_location(function->getLocation(), sources),
           "kernel '" + function->getQualifiedNameAsString() + "' is not analysed" +
               (has_instantiation(function->getDescribedFunctionTemplate()) ? " as it is launched" : "") +
               ": an error elsewhere keeps its template from being instantiated",
           /*incomplete=*/true});
  BrokenLaunches broken(sources, collector.tolerated());
  for (const clang::FunctionDecl *function : functions)
    if (!function->hasAttr<clang::CUDAGlobalAttr>() && !function->hasAttr<clang::CUDADeviceAttr>() &&
        function->doesThisDeclarationHaveABody()) {
      broken.look(function);
      if (const clang::FunctionTemplateDecl *pattern = function->getDescribedFunctionTemplate())
        for (const clang::FunctionDecl *instance : pattern->specializations())
          broken.look(instance);
    }
  std::vector<std::pair<const clang::FunctionTemplateDecl *, clang::SourceLocation>> in_order(broken.found.begin(),
                                                                                              broken.found.end());
  std::ranges::sort(in_order, {}, [](const auto &one) { return one.second.getRawEncoding(); });
  for (const auto &[pattern, launch] : in_order) {
    const clang::FunctionDecl *kernel = nullptr;
    if (!pattern->getTemplatedDecl()->isDefined(kernel) || has_instantiation(pattern))
      continue;
    const SourceLocation place = to_location(kernel->getLocation(), sources);
    SourceLocation launched = to_location(sources.getExpansionLoc(launch), sources);
    launched.file = seen_from_here(launched.file);
    const std::string name = "'" + kernel->getQualifiedNameAsString() + "'";
    const bool told = std::ranges::any_of(found.diagnostics, [&](const Diagnostic &one) {
      return one.incomplete && one.severity == Severity::Error &&
             (one.location == place || one.message.starts_with("template " + name));
    });
    if (!told)
      found.diagnostics.push_back(
          {Severity::Error, place,
           "kernel " + name + " is not analysed: its launch at " + to_string(launched) + " has an error",
           /*incomplete=*/true});
  }
  return found;
}

} // namespace smem
