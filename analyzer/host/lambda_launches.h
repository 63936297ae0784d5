// Launches in lambdas: which these are, and whether what they capture is still the same when they are called.
#pragma once

#include <vector>

#include <clang/Basic/SourceManager.h>

#include "host/recorder.h"

namespace smem {

/// The call operators of the lambdas that a launch stands in, and the function that these stand in; null: there is none, or no lambda.
struct Lambdas {
  std::vector<const clang::FunctionDecl *> around;
  const clang::FunctionDecl *function = nullptr;
};
Lambdas lambdas_of(const LaunchRecorder::Entry &entry);

/// Whether what a lambda captures by reference may have changed by the time that it is called.
bool captures_may_change(const clang::CXXRecordDecl *lambda, const clang::FunctionDecl *function,
                         const clang::SourceManager &sources);

} // namespace smem
