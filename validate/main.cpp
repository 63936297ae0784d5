#include "catalogue/command.h"
#include "compare/command.h"
#include "doctor/command.h"
#include "measure/command.h"

#include <iostream>

int main(int argc, char** argv) {
  using namespace smem_lint::validate;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string command = arguments.empty() ? "" : arguments[0];
  const std::vector<std::string> rest(arguments.begin() + !arguments.empty(), arguments.end());
  if (command == "measure") return measure(rest);
  if (command == "compare") return smem::compare::run_command(rest, std::cout, std::cerr);
  if (command == "catalogue") return catalogue(rest);
  if (command == "doctor") return doctor(rest);
  if (command == "probe-library") return probe_library(rest);
  const bool asked = command == "--help" || command == "-h" || command == "help";
  if (!asked && !command.empty()) std::cerr << "smem-validate: unknown command '" << command << "'\n";
  (asked ? std::cout : std::cerr) << "usage: smem-validate COMMAND\n\n"
                                     "  measure [options] -- PROGRAM [arguments]   the hardware's counters of every launch\n"
                                     "  catalogue [options] [NAME...]              builds, measures and times a folder of programs\n"
                                     "  compare PREDICTED MEASURED [options]       a prediction beside a measurement\n"
                                     "  doctor                                     whether this machine can measure\n\n"
                                     "`smem-validate COMMAND --help` lists a command's options.\n";
  return asked ? 0 : 2;
}
