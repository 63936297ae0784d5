#include "frontend/constant_variables.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include "frontend/user_code.h"
#include "syntax/ast_visitor.h"

namespace smem {
namespace {

class StaticLocals : public AstVisitor {
public:
  explicit StaticLocals(clang::ASTContext &context) : context_(context) {}

  void visit(clang::Stmt *visited) override {
    if (auto *statement = llvm::dyn_cast<clang::DeclStmt>(visited))
      for (clang::Decl *declaration : statement->decls())
        if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration); variable && variable->isStaticLocal())
          put_into_global_memory(*variable);
  }

private:
  void put_into_global_memory(clang::VarDecl &variable) {
    if (!variable.hasAttr<clang::CUDAConstantAttr>() && !variable.hasAttr<clang::CUDASharedAttr>() &&
        !variable.hasAttr<clang::CUDADeviceAttr>())
      variable.addAttr(clang::CUDADeviceAttr::CreateImplicit(context_));
  }

  clang::ASTContext &context_;
};

class ConstantVariableConsumer : public UserCodeConsumer {
public:
  explicit ConstantVariableConsumer(clang::ASTContext &context) : UserCodeConsumer(context), locals_(context) {}

protected:
  void body(clang::Stmt &body) override { locals_.walk(&body); }

  void variable(clang::VarDecl &variable) override {
    const auto *device = variable.getAttr<clang::CUDADeviceAttr>();
    const auto *constant = variable.getAttr<clang::CUDAConstantAttr>();
    if (device && !device->isImplicit() && constant && constant->isImplicit())
      variable.dropAttr<clang::CUDAConstantAttr>();
  }

private:
  StaticLocals locals_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> make_constant_variable_consumer(clang::ASTContext &context) {
  return std::make_unique<ConstantVariableConsumer>(context);
}

} // namespace smem
