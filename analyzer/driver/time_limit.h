// An end after some time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace smem {

/// Asks for an end once so much time has passed. It is the last guard: budgets in steps, which are the same on every machine, normally end an
/// analysis long before.
///
/// It is wall time, but on a machine that is busy with other work a file is not given up for that: where the process gets less than half a
/// processor, twice its processor time counts, and no less than a quarter of the wall time.
class TimeLimit {
public:
  /// 0: no limit. `overrun`: called in a thread of its own when what was asked to end has not within an eighth of the time more (a second at least, ten at
  /// most); it must not return then.
  explicit TimeLimit(std::chrono::milliseconds limit, std::function<void()> overrun = {});
  ~TimeLimit();

  std::stop_token token() const { return source_.get_token(); }
  /// Asks for an end if it is time; for those who begin something.
  void check();
  /// "time limit of 60 s (--timeout)"
  std::string text() const;

private:
  bool over(std::chrono::milliseconds limit) const;

  std::chrono::milliseconds limit_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::clock_t begin_of_process_ = std::clock();
  std::stop_source source_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread guard_;
};

} // namespace smem
