// The threads of a run.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace smem {

/// So many threads work at the same time, whoever calls.
class Workers {
public:
  /// `jobs`: of -j; 0: one per core. The calling thread is one of them.
  explicit Workers(unsigned jobs);

  /// Calls body(0) ... body(count - 1) in this thread and in those that are free, and returns when all have returned. May be called by a
  /// body, too.
  void for_each(std::size_t count, const std::function<void(std::size_t)> &body);

private:
  bool take();

  std::atomic<std::size_t> free_;
};

} // namespace smem
