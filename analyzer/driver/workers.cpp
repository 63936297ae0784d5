#include "driver/workers.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <thread>
#include <vector>

namespace smem {

JobSlots::JobSlots(unsigned jobs, std::size_t owners) : size_((owners + 1) * sizeof(Count)) {
  static_assert(Count::is_always_lock_free);
  void *shared = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    throw std::bad_alloc();
  counts_ = static_cast<Count *>(shared);
  for (std::size_t i = 0; i <= owners; ++i)
    new (counts_ + i) Count(0);
  counts_[0] = jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency());
}

JobSlots::~JobSlots() { munmap(counts_, size_); }

bool JobSlots::take(std::size_t owner) {
  std::size_t free = counts_[0];
  while (free != 0)
    if (counts_[0].compare_exchange_weak(free, free - 1)) {
      ++counts_[owner + 1];
      return true;
    }
  return false;
}

void JobSlots::give(std::size_t owner) {
  --counts_[owner + 1];
  ++counts_[0];
}

void JobSlots::bury(std::size_t owner) { counts_[0] += counts_[owner + 1].exchange(0); }

void Workers::for_each(std::size_t count, const std::function<void(std::size_t)> &body) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++)
      body(i);
  };
  std::vector<std::thread> helpers;
  while (helpers.size() + 1 < count && slots_.take(owner_)) {
    try {
      helpers.emplace_back([&] {
        work();
        slots_.give(owner_); // for others, while those of this call may still be at work
      });
    } catch (const std::system_error &) { // fewer will do
      slots_.give(owner_);
      break;
    }
  }
  work();
  for (std::thread &helper : helpers)
    helper.join();
}

} // namespace smem
