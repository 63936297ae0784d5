// Preloaded into smem-lint by tests: counts the calls that write to a file system, and makes one of them fail or the last.
//
//   SMEM_FAULT=count       counts; the number goes to the file $SMEM_FAULT_COUNT when the program ends
//   SMEM_FAULT=kill@N      SIGKILL in the N-th call; of a write, half is done before
//   SMEM_FAULT=full@N      from the N-th call on the disk is full
//   SMEM_FAULT=interrupt   every call is interrupted once before it is done, and takes few bytes at a time
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

enum class Kind { None, Count, Kill, Full, Interrupt };

struct Fault {
  Kind kind = Kind::None;
  long at = 0, calls = 0;
  bool interrupted = false;

  Fault() {
    const char *text = std::getenv("SMEM_FAULT");
    if (!text)
      return;
    const char *number = std::strchr(text, '@');
    at = number ? std::atol(number + 1) : 0;
    kind = !std::strncmp(text, "count", 5)  ? Kind::Count
           : !std::strncmp(text, "kill", 4) ? Kind::Kill
           : !std::strncmp(text, "full", 4) ? Kind::Full
                                            : Kind::Interrupt;
  }
  ~Fault() {
    const char *path = std::getenv("SMEM_FAULT_COUNT");
    if (std::FILE *file = kind == Kind::Count && path ? std::fopen(path, "w") : nullptr) {
      std::fprintf(file, "%ld", calls);
      std::fclose(file);
    }
  }

  bool dies() { return ++calls == at && kind == Kind::Kill; }
  /// errno of the call that has just been counted; 0: it is done.
  int error() {
    if (kind == Kind::Full && calls >= at)
      return ENOSPC;
    if (kind == Kind::Interrupt && (interrupted = !interrupted))
      return EINTR;
    return 0;
  }
};

Fault &fault() {
  static Fault only;
  return only;
}

template <class Function> Function real(const char *name) { return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); }

/// Calls the system's function, or does what the fault asks for.
template <class Result, class... Arguments> Result call(const char *name, Arguments... arguments) {
  if (fault().dies())
    raise(SIGKILL);
  if (const int error = fault().error(); error != 0) {
    errno = error;
    return -1;
  }
  return real<Result (*)(Arguments...)>(name)(arguments...);
}

} // namespace

extern "C" {

ssize_t write(int file, const void *bytes, std::size_t count) {
  const auto system_write = real<ssize_t (*)(int, const void *, std::size_t)>("write");
  if (fault().dies()) {
    (void)system_write(file, bytes, count / 2);
    raise(SIGKILL);
  }
  if (const int error = fault().error(); error != 0) {
    errno = error;
    return -1;
  }
  return system_write(file, bytes, fault().kind == Kind::Interrupt ? std::min<std::size_t>(count, 100) : count);
}

int openat(int folder, const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (flags & O_CREAT)
    return call<int>("openat", folder, name, flags, mode);
  return real<int (*)(int, const char *, int, ...)>("openat")(folder, name, flags);
}

int mkdirat(int folder, const char *name, mode_t mode) {
  return fault().kind == Kind::Interrupt ? real<int (*)(int, const char *, mode_t)>("mkdirat")(folder, name, mode)
                                         : call<int>("mkdirat", folder, name, mode);
}
int fsync(int file) { return call<int>("fsync", file); }
int renameat(int from, const char *old_name, int to, const char *name) {
  return fault().kind == Kind::Interrupt
             ? real<int (*)(int, const char *, int, const char *)>("renameat")(from, old_name, to, name)
             : call<int>("renameat", from, old_name, to, name);
}

} // extern "C"
