#include "frontend/instantiation_budget.h"

#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Sema/TemplateInstCallback.h>

namespace smem {
namespace {

class Counter : public clang::TemplateInstantiationCallback {
public:
  explicit Counter(std::uint64_t most) : most_(most) {}

  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}
  void atTemplateEnd(const clang::Sema &, const clang::Sema::CodeSynthesisContext &) override {}

  void atTemplateBegin(const clang::Sema &sema, const clang::Sema::CodeSynthesisContext &instantiation) override {
    if (++count_ != most_ + 1)
      return;
    // The outermost one is the user's; after a fatal error Clang instantiates nothing more.
    const clang::SourceLocation place =
        sema.CodeSynthesisContexts.empty() ? instantiation.PointOfInstantiation : sema.CodeSynthesisContexts.front().PointOfInstantiation;
    clang::DiagnosticsEngine &diagnostics = sema.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(
        clang::DiagnosticsEngine::Fatal, "given up after %0 template instantiations, of which this began the last (--max-instantiations allows more)");
    diagnostics.Report(place, id) << std::to_string(most_);
  }

private:
  const std::uint64_t most_;
  std::uint64_t count_ = 0;
};

class Budget : public clang::SemaConsumer {
public:
  explicit Budget(std::uint64_t most) : most_(most) {}

  void InitializeSema(clang::Sema &sema) override { sema.TemplateInstCallbacks.push_back(std::make_unique<Counter>(most_)); }

private:
  const std::uint64_t most_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> make_instantiation_budget(std::uint64_t most) { return std::make_unique<Budget>(most); }

} // namespace smem
