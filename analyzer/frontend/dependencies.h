// What a translation unit was made of: enough to tell later whether it would be the same again.
#pragma once

#include <memory>

#include "frontend/frontend.h"

namespace clang {
class DependencyCollector;
class PreprocessorOptions;
} // namespace clang

namespace smem {

struct Prefix;
struct SearchedNames;

/// Notes headers of the command line that the working directory lacks, where Clang looks first; a prefix takes their place later.
void add_forced_includes(const clang::PreprocessorOptions &options, SourceDependencies &dependencies);

/// To be added to the compiler before it runs; `dependencies` is complete when it has run and must live as long. `prefix`: what it begins with; may be null.
std::shared_ptr<clang::DependencyCollector> make_dependency_collector(SourceDependencies &dependencies,
                                                                      const Prefix *prefix);
/// The same of a prefix itself, with the names that were searched.
std::shared_ptr<clang::DependencyCollector> make_dependency_collector(Prefix &prefix);

} // namespace smem
