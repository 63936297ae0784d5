// Which code an exception may leave.
#pragma once

#include <llvm/ADT/DenseMap.h>

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace smem {

/// Whether an exception may leave a statement: it has a `throw`, or calls what is not known to have none. Memory suffices, so that `new` has none; functions of
/// C have none, and CUDA's are such.
class Exceptions {
public:
  bool may_leave(const clang::Stmt *statement);

private:
  bool may_leave(const clang::FunctionDecl &function);

  llvm::DenseMap<const clang::FunctionDecl *, bool> known_;
};

} // namespace smem
