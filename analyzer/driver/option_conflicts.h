// Options that exclude one another: each function returns what is wrong; empty: nothing.
#pragma once

#include <string>

#include <boost/program_options.hpp>

#include "driver/options.h"

namespace smem {

/// What repairs exclude.
std::string conflict_of_fixes(const boost::program_options::variables_map &given, const DriverOptions &options);
/// What machine code excludes.
std::string conflict_of_machine_code(const DriverOptions &options);
/// What init, merge, a part of a run and the formats exclude.
std::string conflict_of_output(const boost::program_options::variables_map &given, const DriverOptions &options);
/// What the language server excludes.
std::string conflict_of_lsp(const boost::program_options::variables_map &given, const DriverOptions &options);
/// Whether there is something to read, and standard input once.
std::string conflict_of_inputs(Action subcommand, const DriverOptions &options);

} // namespace smem
