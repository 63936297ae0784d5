#include "compare/command.h"
#include "measure/command.h"

#include <iostream>

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (command == "measure") return smem_lint::validate::measure({arguments.begin() + 1, arguments.end()});
  if (command == "compare") return smem::compare::run_command({arguments.begin() + 1, arguments.end()}, std::cout, std::cerr);
  const bool asked = command == "--help" || command == "-h" || command == "help";
  (asked ? std::cout : std::cerr) << "usage: smem-validate COMMAND\n\n"
                                     "  measure [options] -- PROGRAM [arguments]   the hardware's counters of every launch\n"
                                     "  compare PREDICTED MEASURED [options]       a prediction beside a measurement\n\n"
                                     "`smem-validate COMMAND --help` lists a command's options.\n";
  return asked ? 0 : 2;
}
