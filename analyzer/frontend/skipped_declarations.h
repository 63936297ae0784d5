// What a unit uses and does not declare, as the preprocessor left the declaration out.
//
// A library's build defines macros (`-DWITH_CUDA`, `-DENABLE_FP8`) that its sources do not: without them its headers are empty, and nvcc refuses
// the file. So where a name that is missed has its declaration under such a condition, the build defines what the condition asks for; and where
// errors have no such names (`no matching function`), a condition on a macro for CUDA is one that the build of a CUDA file fulfils.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <clang/Basic/SourceLocation.h>

#include "frontend/conditions.h"
#include "frontend/source_patches.h"
#include "support/diagnostic.h"

namespace clang {
class LangOptions;
class SourceManager;
} // namespace clang

namespace smem {

/// A condition that leaves out declarations of names that are missed, or asks for CUDA, or has to hold.
struct SkippedDeclarations {
  MacroDefinition definition; ///< under which it holds
  SourceLocation condition;
  std::string name; ///< the first of them; empty: it declares none
  std::size_t names = 0;
  std::set<std::string> declared{}; ///< all of them
  std::string
      refusal{}; ///< not empty: what `#error` says where no condition of a chain holds; this is the first one (required_macros.h)
  std::size_t choices = 0; ///< conditions of that chain, or those that declare the name
  bool for_cuda = false;   ///< of those that declare the name this one asks for CUDA
};

/// The rest of a directive's line behind its `#`, with what is continued.
std::string directive_at(clang::SourceLocation hash, const clang::SourceManager &sources);

/// The name that an error of Clang's says is not declared.
struct UndeclaredName {
  std::string name;
  bool in_std = false; ///< as a member of namespace std
};
std::optional<UndeclaredName> undeclared_name(std::string_view error);

/// The names that errors say are not declared, in the order of the errors.
std::vector<std::string> undeclared_names(const std::vector<SourceError> &errors);

/// Of the ranges, which the preprocessor has left out, those that declare one of the names, that with most of them first, and then those that a
/// macro for CUDA would let in.
std::vector<SkippedDeclarations> find_skipped_declarations(const std::vector<clang::SourceRange> &ranges,
                                                           const std::vector<std::string> &names,
                                                           const clang::SourceManager &sources,
                                                           const clang::LangOptions &language);

/// Those of the names that a text, which is lexed and not parsed, declares: `struct X`, `using X =`, `typedef int X;`, `int X(`, `#define X`, or `#include` of the header
/// that is known to declare it.
std::set<std::string> declared_names(std::string_view text, const std::set<std::string> &names,
                                     const clang::LangOptions &language);

} // namespace smem
