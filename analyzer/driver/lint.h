// From options to an exit code: analyse, judge, print.
#pragma once

#include "driver/options.h"

namespace smem {

inline constexpr int kClean = 0, kFindings = 1, kFailure = 2;

/// Analyses the files and reports.
int lint(const DriverOptions &options);

/// Prints a message of the program itself.
void complain(const std::string &message);

/// Prints diagnostics (errors always, others unless --quiet); whether one of them is an error.
bool print_diagnostics(std::span<const Diagnostic> diagnostics, const DriverOptions &options);

} // namespace smem
