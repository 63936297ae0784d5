// Plausible arguments for the parameters of a function template.
#pragma once

#include <optional>
#include <vector>

#include <clang/AST/TemplateBase.h>

namespace clang {
class FunctionTemplateDecl;
class Sema;
} // namespace clang

namespace smem {

/// Arguments that the source itself writes for a template, by position; those that depend on other templates are null.
using WrittenArguments = std::vector<clang::TemplateArgumentLoc>;

/// The explicit arguments of candidate `number`, the most plausible first; nullopt: there are no more. Parameters with a default argument
/// keep it; packs are empty.
std::optional<clang::TemplateArgumentListInfo> template_candidate(clang::Sema &sema,
                                                                  clang::FunctionTemplateDecl *pattern,
                                                                  const WrittenArguments &written, std::size_t number);

} // namespace smem
