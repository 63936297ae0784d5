// What a run is doing, as one line on a terminal.
#pragma once

#include "analysis/analysis.h"

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace smem {

/// Shows the file that has been at work for longest: number, name, time, and what is done with it; of many files, the time that is left if the others
/// take as long as those that are done. Writes nothing unless `shown`. Any thread may call it.
class ProgressLine {
public:
  explicit ProgressLine(bool shown) : shown_(shown) {}
  ~ProgressLine();

  /// So many more of them are about to begin.
  void expect(std::size_t files);
  void begin(std::size_t file, const std::string &name);
  void update(std::size_t file, const AnalysisProgress &progress);
  void end(std::size_t file);

  /// "about 3 min left", after `done` of `files`; empty where too few are done to say.
  static std::string estimate(std::size_t done, std::size_t files, std::chrono::seconds taken);

private:
  struct Active {
    std::size_t file = 0;
    std::string name, doing;
    std::chrono::steady_clock::time_point since;
  };
  void show();

  const bool shown_;
  std::size_t files_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::vector<Active> active_; ///< in the order in which they began
  std::size_t done_ = 0;
  bool anything_ = false; ///< stands there
};

} // namespace smem
