// What consumers of the AST do with the code that is generated, before it is.
#pragma once

#include <clang/AST/ASTConsumer.h>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class VarDecl;
} // namespace clang

namespace smem {

/// Comes before the code generator. Templates come as their instantiations.
class UserCodeConsumer : public clang::ASTConsumer {
public:
  explicit UserCodeConsumer(clang::ASTContext &context) : context_(context) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *variable) override;

protected:
  /// Of each function that is no header's of the system.
  virtual void body(clang::Stmt &body) = 0;
  /// Of namespaces and classes, in any header.
  virtual void variable(clang::VarDecl &) {}

  clang::ASTContext &context_;

private:
  void visit(clang::Decl *declaration);
};

} // namespace smem
