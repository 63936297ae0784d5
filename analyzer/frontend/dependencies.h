// What a translation unit was made of: enough to tell later whether it would be the same again.
#pragma once

#include <memory>

#include "frontend/frontend.h"

namespace clang {
class DependencyCollector;
} // namespace clang

namespace smem {

/// To be added to the compiler before it runs; `dependencies` is complete when it has run and must live as long.
std::shared_ptr<clang::DependencyCollector> make_dependency_collector(SourceDependencies &dependencies);

} // namespace smem
