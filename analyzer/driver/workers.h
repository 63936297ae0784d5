// What may be at work at the same time: processes, and threads in them.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace smem {

/// So many of a run may be at work at the same time. Processes that were forked since share the count.
class JobSlots {
public:
  /// `jobs`: of -j; 0: one per core. `owners`: who takes slots is counted for each of them, so that those of an owner that has died can be given back.
  JobSlots(unsigned jobs, std::size_t owners);
  ~JobSlots();
  JobSlots(const JobSlots &) = delete;
  JobSlots &operator=(const JobSlots &) = delete;

  bool take(std::size_t owner);
  void give(std::size_t owner);
  /// Gives back all that the owner has.
  void bury(std::size_t owner);

private:
  using Count = std::atomic<std::size_t>;
  Count *counts_; ///< of free slots, then of those that each owner has; in memory that processes share
  std::size_t size_;
};

/// Threads of one owner.
class Workers {
public:
  Workers(JobSlots &slots, std::size_t owner) : slots_(slots), owner_(owner) {}

  /// Calls body(0) ... body(count - 1) in this thread and in others for which there are slots, and returns when all have returned. May be called by a
  /// body, too.
  void for_each(std::size_t count, const std::function<void(std::size_t)> &body);

private:
  JobSlots &slots_;
  const std::size_t owner_;
};

} // namespace smem
