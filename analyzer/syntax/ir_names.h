// The name that a declaration has in the module.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <llvm/ADT/DenseMap.h>

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
class MangleContext;
class NamedDecl;
} // namespace clang
namespace llvm {
class Module;
}

namespace smem {

/// Names taken from code generation itself, as it decorates some declarations (internal linkage in device code) beyond
/// what the mangler does; the mangler answers for what was not emitted.
class IrNames {
public:
  /// `generator` and `module` may be null: after errors nothing was emitted.
  IrNames(clang::ASTContext &context, clang::CodeGenerator *generator, const llvm::Module *module);
  ~IrNames();

  std::string name(const clang::NamedDecl *declaration) const;

  /// Of what has a definition in the module as generated, in the module's order. A constructor has two, for complete objects and for bases: it is here twice.
  struct Emitted {
    const clang::NamedDecl *declaration;
    std::string name;
  };
  const std::vector<Emitted> &emitted() const { return emitted_; }

private:
  std::unique_ptr<clang::MangleContext> mangler_;
  llvm::DenseMap<const clang::Decl *, std::string> names_; ///< by canonical declaration
  std::vector<Emitted> emitted_;
};

} // namespace smem
