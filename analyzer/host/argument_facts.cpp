#include "host/argument_facts.h"

#include <clang/AST/DeclCXX.h>

#include "host/argument_walker.h"

namespace smem {

struct ArgumentFactsFinder::State {
  clang::ASTContext &context;
  std::map<const clang::FunctionDecl *, std::map<const clang::Expr *, LaunchFacts>> functions;
};

ArgumentFactsFinder::ArgumentFactsFinder(clang::ASTContext &context) : state_(new State{context, {}}) {}
ArgumentFactsFinder::~ArgumentFactsFinder() = default;

const LaunchFacts &ArgumentFactsFinder::of(const clang::FunctionDecl *function, const clang::Expr *site) {
  static const LaunchFacts kNone;
  // The function that lambdas around the launch stand in.
  for (const clang::CXXMethodDecl *method;
       (method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function)) && method->getParent()->isLambda();
       function = llvm::dyn_cast_or_null<clang::FunctionDecl>(method->getParent()->getParentFunctionOrMethod()))
    ;
  if (!function || !function->hasBody())
    return kNone;
  const auto [known, fresh] = state_->functions.try_emplace(function);
  if (fresh && !function->isDependentContext()) {
    const clang::FunctionDecl *definition = nullptr;
    function->hasBody(definition);
    unsigned steps = 0;
    argument_facts::ArgumentWalker walker(state_->context, known->second, steps, 0);
    walker.run(definition, {});
    if (walker.lost())
      known->second.clear();
  }
  const auto found = known->second.find(site);
  return found == known->second.end() || !found->second.met ? kNone : found->second;
}

} // namespace smem
