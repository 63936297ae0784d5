#include "frontend/user_code.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>

namespace smem {

bool UserCodeConsumer::HandleTopLevelDecl(clang::DeclGroupRef group) {
  for (clang::Decl *declaration : group)
    visit(declaration);
  return true;
}

void UserCodeConsumer::HandleInlineFunctionDefinition(clang::FunctionDecl *function) { visit(function); }

void UserCodeConsumer::HandleCXXStaticMemberVarInstantiation(clang::VarDecl *member) { variable(*member); }

void UserCodeConsumer::visit(clang::Decl *declaration) {
  if (auto *found = llvm::dyn_cast<clang::VarDecl>(declaration))
    return variable(*found);
  if (context_.getSourceManager().isInSystemHeader(declaration->getLocation()))
    return;
  if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
    if (!function->isDependentContext() && function->doesThisDeclarationHaveABody())
      body(*function->getBody());
  } else if (auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration)) {
    if (!record->isDependentContext())
      for (clang::Decl *member : record->decls())
        visit(member);
  } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
    for (clang::Decl *member : llvm::cast<clang::DeclContext>(declaration)->decls())
      visit(member);
  }
}

} // namespace smem
