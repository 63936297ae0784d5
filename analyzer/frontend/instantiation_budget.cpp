#include "frontend/instantiation_budget.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Sema/TemplateInstCallback.h>

#include "frontend/diagnostics.h"

namespace smem {
namespace {

class Counter : public clang::TemplateInstantiationCallback {
public:
  Counter(InstantiationBudget &budget, std::stop_token stop) : budget_(budget), stop_(std::move(stop)) {}

  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}
  void atTemplateEnd(const clang::Sema &, const clang::Sema::CodeSynthesisContext &) override {}

  void atTemplateBegin(const clang::Sema &sema, const clang::Sema::CodeSynthesisContext &instantiation) override {
    if (++budget_.begun != budget_.most + 1 && (stopped_ || !stop_.stop_requested()))
      return;
    stopped_ = stop_.stop_requested(); // nobody looks at what is said of a file that is given up for lack of time
    // The outermost one is the user's; after a fatal error Clang instantiates nothing more.
    const clang::SourceLocation place = sema.CodeSynthesisContexts.empty()
                                            ? instantiation.PointOfInstantiation
                                            : sema.CodeSynthesisContexts.front().PointOfInstantiation;
    clang::DiagnosticsEngine &diagnostics = sema.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(
        clang::DiagnosticsEngine::Fatal,
        "given up after %0 template instantiations, of which this began the last (--max-instantiations allows more)");
    DiagnosticCollector::add_hidden_error(diagnostics);
    diagnostics.Report(place, id) << std::to_string(budget_.most);
    DiagnosticCollector::add_hidden_error(diagnostics); // only what follows a fatal error makes it known to be one
  }

private:
  InstantiationBudget &budget_;
  const std::stop_token stop_;
  bool stopped_ = false;
};

class Budget : public clang::SemaConsumer {
public:
  Budget(InstantiationBudget &budget, std::stop_token stop) : budget_(budget), stop_(std::move(stop)) {}

  void InitializeSema(clang::Sema &sema) override {
    sema.TemplateInstCallbacks.push_back(std::make_unique<Counter>(budget_, stop_));
  }
  /// The parser ends where this is false.
  bool HandleTopLevelDecl(clang::DeclGroupRef) override { return !stop_.stop_requested(); }

private:
  InstantiationBudget &budget_;
  const std::stop_token stop_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> make_instantiation_budget(InstantiationBudget &budget, std::stop_token stop) {
  return std::make_unique<Budget>(budget, std::move(stop));
}

} // namespace smem
