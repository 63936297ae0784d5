#include "driver/time_limit.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace smem {

TimeLimit::TimeLimit(std::chrono::milliseconds limit, std::function<void()> overrun) : limit_(limit) {
  if (limit.count() == 0)
    return;
  guard_ = std::jthread([this, overrun = std::move(overrun)](std::stop_token ended) {
    using std::chrono::milliseconds;
    std::unique_lock lock(mutex_);
    const auto wait = [&](std::chrono::steady_clock::time_point until) {
      ended_.wait_until(lock, ended, until, [] { return false; });
    };
    const auto wait_for = [&](milliseconds limit) {
      wait(begin_ + limit);
      while (!ended.stop_requested() && !over(limit))
        wait(std::chrono::steady_clock::now() + std::max(limit_ / 16, milliseconds(1)));
      return !ended.stop_requested();
    };
    if (!wait_for(limit_))
      return;
    source_.request_stop();
    if (overrun && wait_for(limit_ + std::clamp(limit_ / 8, milliseconds(1000), milliseconds(10000))))
      overrun();
  });
}

TimeLimit::~TimeLimit() = default; // the guard is told, and waited for

bool TimeLimit::over(std::chrono::milliseconds limit) const {
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double process = static_cast<double>(std::clock() - begin_of_process_) / CLOCKS_PER_SEC;
  return std::max(std::min(wall, 2 * process), wall / 4) >= std::chrono::duration<double>(limit).count();
}

void TimeLimit::check() {
  if (limit_.count() != 0 && over(limit_))
    source_.request_stop();
}

std::string TimeLimit::text() const {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", static_cast<double>(limit_.count()) / 1000);
  return "time limit of " + std::string(seconds) + " s (--timeout)";
}

} // namespace smem
