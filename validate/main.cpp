#include "catalogue/command.h"
#include "compare/command.h"
#include "doctor/command.h"
#include "measure/command.h"
#include "sinks/stream.h"

#include <csignal>
#include <cstring>
#include <iostream>
#include <unistd.h>

namespace {

int run(int argc, char **argv) {
  using namespace smem_lint::validate;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string command = arguments.empty() ? "" : arguments[0];
  const std::vector<std::string> rest(arguments.begin() + !arguments.empty(), arguments.end());
  if (command == "measure")
    return measure(rest);
  if (command == "compare")
    return smem::compare::run_command(rest, std::cout, std::cerr);
  if (command == "catalogue")
    return catalogue(rest);
  if (command == "doctor")
    return doctor(rest);
  if (command == "probe-library")
    return probe_library(rest);
  const bool asked = command == "--help" || command == "-h" || command == "help";
  if (!asked && !command.empty())
    std::cerr << "smem-validate: unknown command '" << command << "'\n";
  (asked ? std::cout : std::cerr)
      << "usage: smem-validate COMMAND\n\n"
         "  measure [options] -- PROGRAM [arguments]   the hardware's counters of every launch\n"
         "  catalogue [options] [NAME...]              builds, measures and times a folder of programs\n"
         "  compare PREDICTED MEASURED [options]       a prediction beside a measurement\n"
         "  doctor                                     whether this machine can measure\n\n"
         "`smem-validate COMMAND --help` lists a command's options.\n";
  return asked ? 0 : 2;
}

} // namespace

int main(int argc, char **argv) {
  // Of a comparison, a reader that is gone is an error of the write, which says so. Programs that are measured inherit the setting.
  const bool compares = argc > 1 && std::strcmp(argv[1], "compare") == 0;
  if (compares)
    std::signal(SIGPIPE, SIG_IGN);
  smem::sinks::PrintedStream errors(std::cerr, STDERR_FILENO, false), out(std::cout, STDOUT_FILENO, compares);
  const int code = run(argc, argv);
  const int wrong = out.finish();
  if (wrong == 0)
    return code;
  std::cerr << "smem-validate: error: cannot write to standard output: " << std::strerror(wrong) << '\n';
  return 2;
}
