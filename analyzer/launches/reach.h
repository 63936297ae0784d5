// Which pieces of host code can lead to a kernel launch.
#pragma once

#include <llvm/ADT/DenseMap.h>

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace smem {

class LaunchReach {
public:
  bool reaches(const clang::Stmt *statement);
  bool reaches(const clang::FunctionDecl *function);

private:
  llvm::DenseMap<const clang::Stmt *, bool> statements_;
  llvm::DenseMap<const clang::FunctionDecl *, bool> functions_;
};

/// cudaLaunchKernel and its relatives.
bool is_launch_function(const clang::FunctionDecl *function);

} // namespace smem
