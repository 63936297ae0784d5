// A walk over Clang's AST. Clang's own visitor is a template of a thousand functions: it is instantiated here once.
#pragma once

namespace clang {
class Decl;
class Stmt;
} // namespace clang

namespace smem {

class AstVisitor {
public:
  virtual ~AstVisitor() = default;
  /// Of a translation unit what declarations_of() has.
  void walk(clang::Decl *declaration);
  void walk(clang::Stmt *statement);

  /// Every statement and expression, parents before children.
  virtual void visit(clang::Stmt *) {}
  /// Neither this declaration nor what is in it.
  virtual bool skips(clang::Decl *) { return false; }
  virtual bool visits_instantiations() const { return false; }
};

} // namespace smem
