#include "driver/workers.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace smem {

Workers::Workers(unsigned jobs) : free_((jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency())) - 1) {}

bool Workers::take() {
  std::size_t free = free_;
  while (free != 0)
    if (free_.compare_exchange_weak(free, free - 1))
      return true;
  return false;
}

void Workers::for_each(std::size_t count, const std::function<void(std::size_t)> &body) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++)
      body(i);
  };
  std::vector<std::thread> helpers;
  while (helpers.size() + 1 < count && take())
    helpers.emplace_back([&] {
      work();
      ++free_; // for others, while those of this call may still be at work
    });
  work();
  for (std::thread &helper : helpers)
    helper.join();
}

} // namespace smem
