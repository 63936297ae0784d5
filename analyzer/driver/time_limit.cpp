#include "driver/time_limit.h"

#include <algorithm>
#include <cstdio>

namespace smem {

TimeLimit::TimeLimit(std::chrono::milliseconds limit) : limit_(limit) {
  if (limit.count() == 0)
    return;
  guard_ = std::jthread([this](std::stop_token ended) {
    std::unique_lock lock(mutex_);
    const auto wait = [&](std::chrono::steady_clock::time_point until) { ended_.wait_until(lock, ended, until, [] { return false; }); };
    wait(begin_ + limit_);
    while (!ended.stop_requested() && !over())
      wait(std::chrono::steady_clock::now() + std::max(limit_ / 16, std::chrono::milliseconds(1)));
    if (!ended.stop_requested())
      source_.request_stop();
  });
}

TimeLimit::~TimeLimit() = default; // the guard is told, and waited for

bool TimeLimit::over() const {
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double process = static_cast<double>(std::clock() - begin_of_process_) / CLOCKS_PER_SEC;
  return std::max(std::min(wall, 2 * process), wall / 4) >= std::chrono::duration<double>(limit_).count();
}

void TimeLimit::check() {
  if (limit_.count() != 0 && over())
    source_.request_stop();
}

std::string TimeLimit::text() const {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", static_cast<double>(limit_.count()) / 1000);
  return "time limit of " + std::string(seconds) + " s (--timeout)";
}

} // namespace smem
