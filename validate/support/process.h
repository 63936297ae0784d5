// Runs a program and waits for it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace smem_lint::validate {

struct Command {
  std::vector<std::string> arguments;             // the program first, looked up in PATH
  std::map<std::string, std::string> environment; // set on top of the caller's
  std::string output;                             // file for standard output and error; empty: the caller's own
};

struct Ending {
  int code = 0;        // the exit code, or that of a shell for a program that was killed (128 + signal)
  int signal = 0;      // 0 if it ended by itself
  bool started = true; // false: no such program, or not executable; `code` is 127
};

// Nothing if no process could be made.
std::optional<Ending> run(const Command &command);

// The first file of that name in PATH that can be executed; empty if there is none.
std::string find_program(const std::string &name);

} // namespace smem_lint::validate
