// From FrontendOptions to the arguments of Clang's device compilation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace clang {
class CompilerInvocation;
class DiagnosticsEngine;
} // namespace clang

namespace smem {

/// The architecture that Clang is asked for: the requested one, or the newest that it knows.
struct ParsedArchitecture {
  std::string name; ///< "sm_90"
  bool substituted = false;
};
ParsedArchitecture architecture_for_clang(const FrontendOptions &options);

/// The arguments for Clang's driver, without the program's name. `headers` is the folder of the shipped headers.
std::vector<std::string> driver_arguments(const FrontendOptions &options, const std::vector<std::string> &user_flags,
                                          const std::string &headers, const std::string &input);

/// Runs the driver and picks the device compilation. Null if the driver found the arguments wrong (see `diagnostics`).
std::shared_ptr<clang::CompilerInvocation> device_invocation(const std::vector<std::string> &driver_arguments,
                                                             clang::DiagnosticsEngine &diagnostics);

} // namespace smem
