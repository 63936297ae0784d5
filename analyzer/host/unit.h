// What other translation units may want of this one.
#pragma once

#include <vector>

#include "host/launches.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace smem {

class IrNames;

/// Definitions in the user's own files, instances of templates included.
struct UnitFunctions {
  const std::vector<const clang::FunctionDecl *> &kernels, &functions, &launching;
};

/// `launches` are those that were found, with what was recorded of calls.
UnitInterface describe_unit(clang::ASTContext &context, const IrNames &names, const UnitFunctions &functions,
                            const HostLaunches &launches, const std::vector<PassedCall> &calls);

} // namespace smem
