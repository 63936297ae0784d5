#include "sass/run_tool.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char **environ;

namespace smem::compiled {
namespace {

constexpr int kCannotRun = 127;

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return kCannotRun;
  return exit_status(status);
}

bool redirect(const char *file, int flags, int to) {
  const int opened = open(file, flags | O_CLOEXEC, 0600);
  return opened >= 0 && dup2(opened, to) == to;
}

/// What the tool's process does until it is the tool.
[[noreturn]] void become(const ToolRun &run, char *const *words, char *const *environment, const sigset_t &mask) {
  setpgid(0, 0);
  std::signal(SIGPIPE, SIG_DFL);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if ((run.directory.empty() || chdir(run.directory.c_str()) == 0) && redirect("/dev/null", O_RDONLY, STDIN_FILENO) &&
      redirect(run.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) &&
      redirect(run.errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO)) {
    execve(words[0], words, environment);
    const char *reason = std::strerror(errno);
    (void)!write(STDERR_FILENO, reason, std::strlen(reason));
  }
  _exit(kCannotRun);
}

/// Between this process and the tool there is one that nobody knows, in a group that no terminal does: a signal tells it that its parent has gone,
/// and it clears up. The death signal of the tool itself would not reach what the tool starts.
[[noreturn]] void keep(const ToolRun &run, char *const *words, char *const *environment, const sigset_t &waited,
                       const sigset_t &mask, pid_t parent) {
  setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
  close_range(3, ~0u, 0); // who waits for the end of a pipe waits for this one otherwise
  const bool orphan = getppid() != parent;
  const pid_t tool = orphan ? -1 : fork();
  if (tool == 0)
    become(run, words, environment, mask);
  if (tool < 0 && !orphan)
    _exit(kCannotRun);
  if (!orphan)
    setpgid(tool, tool); // here and there: whoever comes first
  int status = 0, signal = orphan ? SIGTERM : 0;
  while (signal != SIGTERM) {
    signal = sigwaitinfo(&waited, nullptr);
    if (signal == SIGCHLD && waitpid(tool, &status, WNOHANG) == tool) {
      kill(-tool, SIGKILL); // what it has left running
      _exit(exit_status(status));
    }
  }
  if (!orphan) {
    kill(-tool, SIGKILL);
    wait_for(tool);
  }
  std::error_code ignored;
  std::filesystem::remove_all(run.scratch, ignored);
  _exit(kCannotRun);
}

} // namespace

int run_tool(const ToolRun &run, std::string &why) {
  std::vector<char *> words{const_cast<char *>(run.program.c_str())};
  for (const std::string &argument : run.arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);
  // nvcc's own temporaries go where ours are.
  std::string temporaries = "TMPDIR=" + run.scratch;
  std::vector<char *> environment{temporaries.data()};
  for (char **variable = environ; *variable; ++variable)
    if (std::strncmp(*variable, "TMPDIR=", 7) != 0)
      environment.push_back(*variable);
  environment.push_back(nullptr);

  sigset_t waited, mask;
  sigemptyset(&waited);
  sigaddset(&waited, SIGTERM);
  sigaddset(&waited, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &waited, &mask);
  const pid_t parent = getpid(), keeper = fork();
  if (keeper == 0)
    keep(run, words.data(), environment.data(), waited, mask, parent);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (keeper < 0) {
    why = std::strerror(errno);
    return kCannotRun;
  }
  {
    // Until it has been waited for, nothing else has its number.
    const std::stop_callback ended(run.stop, [keeper] { kill(keeper, SIGTERM); });
    siginfo_t ignored;
    while (waitid(P_PID, static_cast<id_t>(keeper), &ignored, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  }
  return wait_for(keeper);
}

} // namespace smem::compiled
