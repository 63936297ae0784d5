#include "driver/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

#include <llvm/Support/ErrorHandling.h>

namespace smem {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

/// A limit that does not exceed the one that there is.
void lower(int resource, std::uint64_t bytes) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0)
    return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, bytes);
  (void)setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

/// What this process has by now, most of it from the one that it was forked from: results of a project's other files.
struct Held {
  std::uint64_t mapped = 0, data = 0; ///< bytes
};

Held held() {
  std::uint64_t mapped = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0; // pages, as proc(5) has them
  std::ifstream("/proc/self/statm") >> mapped >> resident >> shared >> text >> library >> data;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {mapped * page, data * page};
}

/// Threads that cannot be made are the only fatal error of LLVM's that memory causes and that does not pass its handler for that.
void end_or_abort(void *, const char *reason, bool) {
  if (std::strstr(reason, "pthread_create") || std::strstr(reason, "memory"))
    end_for_memory();
  std::abort(); // which a CrashRecoveryContext catches
}

} // namespace

void end_for_memory() { _exit(kOutOfMemory); }

bool can_bound_memory() { return !kSanitized; }

void bound_process(std::uint64_t mib) {
  if (!can_bound_memory())
    return;
  if (const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0)
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::dup2(null, stream);
  std::set_terminate([] { std::abort(); });
  llvm::install_fatal_error_handler(end_or_abort);
  std::set_new_handler(end_for_memory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { end_for_memory(); });
  if (mib == 0)
    return;
  const std::uint64_t bytes = std::min<std::uint64_t>(mib, 1u << 24) << 20;
  // What is written to; addresses that the allocator only reserves for its threads do not count. Systems that do not know this limit know the other one,
  // which has to leave room for such addresses.
  constexpr std::uint64_t kReserved = std::uint64_t{4} << 30;
  const Held before = held();
  lower(RLIMIT_DATA, before.data + bytes);
  lower(RLIMIT_AS, before.mapped + bytes + kReserved);
  rlimit none{};
  (void)setrlimit(RLIMIT_CORE, &none);
}

std::string needs_more_memory(std::uint64_t mib) {
  return "it needs more than " + std::to_string(mib) + " MiB of memory (--max-memory allows more)";
}

} // namespace smem
