#include "syntax/ir_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/AST/Mangle.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {

IrNames::IrNames(clang::ASTContext &context, clang::CodeGenerator *generator, const llvm::Module *module)
    : mangler_(context.createMangleContext()) {
  if (!generator || !module)
    return;
  for (const llvm::GlobalValue &value : module->global_values()) {
    if (value.isDeclaration() || value.getName().starts_with("llvm."))
      continue;
    const auto *declaration =
        llvm::dyn_cast_or_null<clang::NamedDecl>(generator->GetDeclForMangledName(value.getName()));
    if (!declaration)
      continue;
    names_.try_emplace(declaration->getCanonicalDecl(), value.getName().str());
    emitted_.push_back({declaration, value.getName().str()});
  }
}

IrNames::~IrNames() = default;

std::string IrNames::name(const clang::NamedDecl *declaration) const {
  if (auto found = names_.find(declaration->getCanonicalDecl()); found != names_.end())
    return found->second;
  if (!mangler_->shouldMangleDeclName(declaration))
    return declaration->getNameAsString();
  std::string text;
  llvm::raw_string_ostream out(text);
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(declaration))
    mangler_->mangleName(clang::GlobalDecl(constructor, clang::Ctor_Complete), out);
  else if (const auto *destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(declaration))
    mangler_->mangleName(clang::GlobalDecl(destructor, clang::Dtor_Complete), out);
  else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
    mangler_->mangleName(clang::GlobalDecl(function), out);
  else
    mangler_->mangleName(llvm::cast<clang::VarDecl>(declaration), out);
  return out.str();
}

} // namespace smem
