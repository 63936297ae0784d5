#include "process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace smem_lint::validate {
namespace {

[[noreturn]] void become(const Command& command, int failure) {
  if (!command.output.empty()) {
    const int file = open(command.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file >= 0) dup2(file, STDOUT_FILENO), dup2(file, STDERR_FILENO);
  }
  for (const auto& [name, value] : command.environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const auto& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  [[maybe_unused]] const auto written = write(failure, "x", 1);
  _exit(127);
}

}  // namespace

std::optional<Ending> run(const Command& command) {
  // Closed by a successful exec: a byte in it tells a program that could not be started from one that exits with 127.
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) become(command, failure[1]);
  close(failure[1]);
  Ending ending;
  char byte = 0;
  ssize_t got = 0;
  while (child > 0 && (got = read(failure[0], &byte, 1)) < 0 && errno == EINTR) {}
  ending.started = got <= 0;
  close(failure[0]);
  if (child < 0) return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return std::nullopt;
  ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.code = ending.signal ? 128 + ending.signal : WEXITSTATUS(status);
  return ending;
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) return file.string();
  }
  return {};
}

}  // namespace smem_lint::validate
