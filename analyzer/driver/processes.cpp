#include "driver/processes.h"

#include "sinks/files.h"
#include "sinks/stream.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smem {
namespace {

/// A message of a process: a byte that says which, the length, the text.
constexpr char kMessage = 'm', kResult = 'r';
constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);

std::string frame(char kind, std::string_view text) {
  const std::uint64_t size = text.size();
  std::string bytes(1, kind);
  bytes.append(reinterpret_cast<const char *>(&size), sizeof size).append(text);
  return bytes;
}

/// One process, as its parent sees it.
struct Child {
  std::size_t number = 0;
  pid_t process = -1;
  sinks::Descriptor pipe;
  std::string read; ///< what is not taken apart yet
  Ending ending;
};

[[noreturn]] void be_child(const ProcessWork &work, std::size_t number, int pipe, pid_t parent) {
  // Not even a parent that is killed leaves processes behind.
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  int code = 1;
  try {
    std::mutex mutex;
    const std::string result = work.run(number, [&](std::string_view text) {
      const std::lock_guard lock(mutex);
      (void)sinks::write_all(pipe, frame(kMessage, text));
    });
    code = sinks::write_all(pipe, frame(kResult, result)) == 0 ? 0 : 1;
  } catch (...) {
    code = 1;
  }
  _exit(code); // what the parent has buffered or registered for its exit is the parent's
}

bool start(const ProcessWork &work, Child &child) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    child.ending.why = std::strerror(errno);
    return false;
  }
  child.pipe = sinks::Descriptor(ends[0]);
  const sinks::Descriptor write_end(ends[1]);
  const pid_t parent = getpid();
  child.process = fork();
  if (child.process == 0)
    be_child(work, child.number, write_end.get(), parent);
  if (child.process < 0)
    child.ending.why = std::strerror(errno);
  return child.process > 0;
}

/// Takes what has come; false: nothing more will.
bool receive(const ProcessWork &work, Child &child) {
  char buffer[65536];
  const ssize_t count = ::read(child.pipe.get(), buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return true;
  if (count <= 0)
    return false;
  child.read.append(buffer, static_cast<std::size_t>(count));
  for (;;) {
    std::uint64_t size = 0;
    if (child.read.size() < kHead)
      return true;
    std::memcpy(&size, child.read.data() + 1, sizeof size);
    if (child.read.size() - kHead < size)
      return true;
    if (child.read.front() == kResult) {
      child.ending.result = child.read.substr(kHead, size);
      child.ending.whole = true;
    } else {
      work.told(child.number, std::string_view(child.read).substr(kHead, size));
    }
    child.read.erase(0, kHead + size);
  }
}

void wait_for(Child &child) {
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {}
  child.ending.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  child.ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  child.ending.whole &= status == 0;
}

} // namespace

void run_in_processes(std::size_t count, JobSlots &slots, const ProcessWork &work) {
  std::vector<Child> children;
  std::size_t next = 0;
  bool done_meanwhile = !work.meanwhile;
  const auto finish = [&](Child child) {
    slots.bury(child.number);
    work.end(child.number, child.ending);
  };
  while (next < count || !children.empty() || !done_meanwhile) {
    while (next < count && slots.take(next)) {
      Child child;
      child.number = next++;
      work.begin(child.number);
      if (start(work, child))
        children.push_back(std::move(child));
      else
        finish(std::move(child));
    }
    if (!std::exchange(done_meanwhile, true))
      work.meanwhile();
    if (children.empty())
      continue;
    std::vector<pollfd> waiting;
    for (const Child &child : children)
      waiting.push_back({child.pipe.get(), POLLIN, 0});
    // A process that gives a slot back before it ends does not wake this one.
    constexpr int kLookAgain = 20; // ms
    if (poll(waiting.data(), waiting.size(), next < count ? kLookAgain : -1) < 0)
      continue;
    std::vector<Child> left;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (waiting[i].revents == 0 || receive(work, children[i])) {
        left.push_back(std::move(children[i]));
      } else {
        wait_for(children[i]);
        finish(std::move(children[i]));
      }
    }
    children = std::move(left);
  }
}

} // namespace smem
