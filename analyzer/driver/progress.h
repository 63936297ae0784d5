// What a run is doing, as one line on a terminal.
#pragma once

#include "analysis/analysis.h"

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace smem {

/// Shows the file that has been at work for longest: number, name, time, and what is done with it. Writes nothing unless `shown`. Any thread may
/// call it.
class ProgressLine {
public:
  ProgressLine(bool shown, std::size_t files) : shown_(shown), files_(files) {}
  ~ProgressLine();

  void begin(std::size_t file, const std::string &name);
  void update(std::size_t file, const AnalysisProgress &progress);
  void end(std::size_t file);

private:
  struct Active {
    std::size_t file = 0;
    std::string name, doing;
    std::chrono::steady_clock::time_point since;
  };
  void show();

  const bool shown_;
  const std::size_t files_;
  std::mutex mutex_;
  std::vector<Active> active_; ///< in the order in which they began
  std::size_t done_ = 0;
  bool anything_ = false; ///< stands there
};

} // namespace smem
