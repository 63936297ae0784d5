// Which global variables a function may assign, for calls that are not followed.
#pragma once

#include <map>

#include <llvm/ADT/SmallPtrSet.h>

namespace clang {
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace smem {

class AssignedGlobals {
public:
  struct Set {
    llvm::SmallPtrSet<const clang::VarDecl *, 4> variables; ///< canonical
    bool others = false; ///< it calls functions that are defined elsewhere, or that are not known
  };

  /// With all that it calls; null if it has no body here.
  const Set *of(const clang::FunctionDecl *function);

private:
  void collect(const clang::Stmt *statement, bool read, Set &set,
               llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &met);
  void collect(const clang::FunctionDecl *function, Set &set, llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &met);

  std::map<const clang::FunctionDecl *, Set> sets_;
};

} // namespace smem
