// Where a source says `__global__`, and what became of it. A kernel that is not analysed is to be named, whatever hid it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceLocation.h>

#include "frontend/conditions.h"
#include "support/diagnostic.h"

namespace clang {
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace smem {

class KernelMarks {
public:
  /// Starts to watch the preprocessor; this object outlives it.
  void watch(clang::CompilerInstance &compiler);

  /// Marks in the user's files that the syntax tree has no declaration of: errors around them swallowed them.
  std::vector<clang::SourceLocation> lost(clang::ASTContext &context) const;

  /// Of a main file whose unit has no kernel.
  struct Hidden {
    std::vector<Diagnostic> reasons;        ///< why a mark in it is not one, where it is not just a declaration
    std::vector<MacroDefinition> asked_for; ///< by the condition that leaves the first one out
    unsigned line = 0;                      ///< of that condition
  };
  Hidden hidden(clang::ASTContext &context) const;

  /// What #if and the like left out of the user's files.
  const std::vector<clang::SourceRange> &skipped() const { return skipped_; }

private:
  friend class MarkWatcher;
  std::vector<clang::SourceLocation> marks_; ///< expansions of the keyword, which is a macro
  std::vector<clang::SourceRange> skipped_;  ///< by #if and the like, of the user's files
};

/// Kernels as they are declared in the user's files, templates among them.
std::vector<const clang::FunctionDecl *> declared_kernels(clang::ASTContext &context);

} // namespace smem
