// Which pieces of host code can lead to a kernel launch.
#pragma once

#include <functional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace clang {
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace smem {

class LaunchReach {
public:
  bool reaches(const clang::Stmt *statement);
  bool reaches(const clang::FunctionDecl *function);
  /// Of functions without a body: whether they launch in another translation unit. Before anything else is asked.
  void set_elsewhere(std::function<bool(const clang::FunctionDecl *)> launches) { elsewhere_ = std::move(launches); }

private:
  std::function<bool(const clang::FunctionDecl *)> elsewhere_;
  llvm::DenseMap<const clang::Stmt *, bool> statements_;
  llvm::DenseMap<const clang::FunctionDecl *, bool> functions_;
};

/// Whether one of the variables occurs in it.
bool mentions(const clang::Stmt *statement, const llvm::SmallPtrSetImpl<const clang::VarDecl *> &variables);

/// cudaLaunchKernel and its relatives.
bool is_launch_function(const clang::FunctionDecl *function);

} // namespace smem
