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

// What exec takes, made before fork: afterwards a process with several threads may not allocate.
class Arguments {
public:
  explicit Arguments(const std::vector<std::string> &texts) : texts_(texts) {
    for (auto &text : texts_)
      pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  char **get() { return pointers_.data(); }

private:
  std::vector<std::string> texts_;
  std::vector<char *> pointers_;
};

std::vector<std::string> environment_with(const std::map<std::string, std::string> &added) {
  std::vector<std::string> variables;
  for (char **variable = environ; *variable; ++variable)
    if (const std::string text = *variable; !added.contains(text.substr(0, text.find('='))))
      variables.push_back(text);
  for (const auto &[name, value] : added)
    variables.push_back(name + "=" + value);
  return variables;
}

[[noreturn]] void become(const char *output, char **arguments, char **environment, int failure) {
  if (*output) {
    const int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file >= 0)
      dup2(file, STDOUT_FILENO), dup2(file, STDERR_FILENO);
  }
  execvpe(arguments[0], arguments, environment);
  [[maybe_unused]] const auto written = write(failure, "x", 1);
  _exit(127);
}

} // namespace

std::optional<Ending> run(const Command &command) {
  // Closed by a successful exec: a byte in it tells a program that could not be started from one that exits with 127.
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0)
    return std::nullopt;
  Arguments arguments(command.arguments), environment(environment_with(command.environment));
  const pid_t child = fork();
  if (child == 0)
    become(command.output.c_str(), arguments.get(), environment.get(), failure[1]);
  close(failure[1]);
  Ending ending;
  char byte = 0;
  ssize_t got = 0;
  while (child > 0 && (got = read(failure[0], &byte, 1)) < 0 && errno == EINTR) {}
  ending.started = got <= 0;
  close(failure[0]);
  if (child < 0)
    return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return std::nullopt;
  ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.code = ending.signal ? 128 + ending.signal : WEXITSTATUS(status);
  return ending;
}

std::string find_program(const std::string &name) {
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file))
      return file.string();
  }
  return {};
}

} // namespace smem_lint::validate
