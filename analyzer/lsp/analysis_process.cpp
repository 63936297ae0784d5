#include "lsp/analysis_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace smem::lsp {
namespace {

constexpr std::size_t kMostErrors = 64 << 10, kMostOutput = std::size_t{256} << 20;

struct Pipe {
  sinks::Descriptor read, write;
};

bool open_pipe(Pipe &pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return false;
  pipe.read = sinks::Descriptor(ends[0]);
  pipe.write = sinks::Descriptor(ends[1]);
  return true;
}

void never_wait(const sinks::Descriptor &end) { ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK); }

/// Reads what is there; closes at the end. What is beyond `most` is dropped.
void drain(sinks::Descriptor &from, std::string &into, std::size_t most) {
  char chunk[1 << 14];
  while (from) {
    const ssize_t count = ::read(from.get(), chunk, sizeof chunk);
    if (count > 0) {
      into.append(chunk, std::min(static_cast<std::size_t>(count), most - std::min(most, into.size())));
      continue;
    }
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      return;
    from = sinks::Descriptor();
  }
}

} // namespace

std::unique_ptr<AnalysisProcess> AnalysisProcess::start(const std::vector<std::string> &arguments, std::string &error) {
  Pipe in, out, err;
  if (!open_pipe(in) || !open_pipe(out) || !open_pipe(err)) {
    error = std::strerror(errno);
    return nullptr;
  }
  // Closed in this process, and in the other one but for these three.
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP); // a group, for those that it starts itself
  std::vector<char *> words{const_cast<char *>("smem-lint")};
  for (const std::string &argument : arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);
  std::unique_ptr<AnalysisProcess> process(new AnalysisProcess);
  const int failed = posix_spawn(&process->process_, "/proc/self/exe", &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed) {
    process->process_ = -1;
    error = std::strerror(failed);
    return nullptr;
  }
  process->in_ = std::move(in.write);
  process->out_ = std::move(out.read);
  process->err_ = std::move(err.read);
  for (const sinks::Descriptor *end : {&process->in_, &process->out_, &process->err_})
    never_wait(*end);
  return process;
}

void AnalysisProcess::input(std::string text) {
  input_ = std::move(text);
  started_ = std::chrono::steady_clock::now();
}

bool AnalysisProcess::alive() {
  pollfd ended{out_.get(), POLLIN, 0};
  return ::poll(&ended, 1, 0) == 0;
}

AnalysisProcess::~AnalysisProcess() {
  if (process_ < 0)
    return;
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
}

void AnalysisProcess::wait_for(std::vector<pollfd> &all) const {
  if (in_)
    all.push_back({in_.get(), POLLOUT, 0});
  if (out_)
    all.push_back({out_.get(), POLLIN, 0});
  if (err_)
    all.push_back({err_.get(), POLLIN, 0});
}

bool AnalysisProcess::step() {
  while (in_) {
    const ssize_t count = ::write(in_.get(), input_.data() + written_, input_.size() - written_);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      break;
    written_ += count > 0 ? static_cast<std::size_t>(count) : 0;
    if (count < 0 || written_ == input_.size()) { // one that has ended reads no more
      in_ = sinks::Descriptor();
      input_.clear();
    }
  }
  drain(out_, output_, kMostOutput);
  drain(err_, errors_, kMostErrors);
  return !out_ && !err_;
}

} // namespace smem::lsp
