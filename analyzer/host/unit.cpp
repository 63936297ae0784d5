#include "host/unit.h"

#include <algorithm>
#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include "syntax/ir_names.h"
#include "syntax/locations.h"

namespace smem {

namespace {

/// Functions of the user's that a piece of code mentions and that have no body here.
class Undefined {
public:
  Undefined(const clang::ASTContext &context, const IrNames &names) : context_(context), names_(names) {}

  void visit(const clang::Stmt *statement) {
    if (!statement)
      return;
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      add(llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()));
    else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(statement))
      add(llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()));
    for (const clang::Stmt *child : statement->children())
      visit(child);
  }

  std::vector<std::string> take() const { return {found_.begin(), found_.end()}; }

private:
  void add(const clang::FunctionDecl *function) {
    const clang::SourceManager &sources = context_.getSourceManager();
    if (!function || function->hasBody() || function->getBuiltinID() != 0 || function->isInvalidDecl() ||
        function->isDependentContext() || function->hasAttr<clang::CUDAGlobalAttr>() ||
        !function->isExternallyVisible() ||
        sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation())) ||
        !seen_.insert(function->getCanonicalDecl()).second)
      return;
    found_.insert(names_.name(function));
  }

  const clang::ASTContext &context_;
  const IrNames &names_;
  std::set<const clang::FunctionDecl *> seen_;
  std::set<std::string> found_;
};

/// Of the kernel as written: instances have its text, and their own names say which they are.
std::uint32_t code_of(const clang::FunctionDecl *kernel) {
  const clang::FunctionDecl *written = kernel->getTemplateInstantiationPattern();
  if (!written)
    written = kernel;
  return const_cast<clang::FunctionDecl *>(written)->getODRHash(); // computed once and kept
}

} // namespace

UnitInterface describe_unit(clang::ASTContext &context, const IrNames &names, const UnitFunctions &functions,
                            const HostLaunches &launches, const std::vector<PassedCall> &calls) {
  const clang::SourceManager &sources = context.getSourceManager();
  UnitInterface unit;
  std::set<std::string> launched;
  for (const HostLaunch &launch : launches.launches)
    launched.insert(launch.launch.mangled);
  std::set<std::string> own; // kernels that are of no use to others, or cannot be named by them
  for (const clang::FunctionDecl *kernel : functions.kernels) {
    UnitDefinition definition{names.name(kernel), to_location(kernel->getLocation(), sources),
                              kernel->isExternallyVisible()};
    definition.launched = launched.contains(definition.mangled);
    definition.code = code_of(kernel);
    if (sources.isInMainFile(sources.getExpansionLoc(kernel->getLocation())))
      own.insert(definition.mangled);
    unit.kernels.push_back(std::move(definition));
  }
  for (const clang::FunctionDecl *function : functions.launching)
    if (function->isExternallyVisible() && !function->isMain())
      unit.launchers.push_back({names.name(function), to_location(function->getLocation(), sources)});
  const auto by_name = [](const UnitDefinition &a, const UnitDefinition &b) { return a.mangled < b.mangled; };
  std::ranges::stable_sort(unit.kernels, by_name);
  std::ranges::stable_sort(unit.launchers, by_name);
  Undefined undefined(context, names);
  for (const clang::FunctionDecl *function : functions.functions)
    undefined.visit(function->getBody());
  unit.undefined = undefined.take();
  for (const HostLaunch &launch : launches.launches)
    if (!own.contains(launch.launch.mangled))
      unit.launches.push_back(launch);
  for (const auto &[kernel, bytes] : launches.opted_in)
    if (!kernel.empty() && !own.contains(kernel))
      unit.opted_in.emplace_back(kernel, bytes);
  unit.calls = calls;
  return unit;
}

} // namespace smem
