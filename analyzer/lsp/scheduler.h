// When analyses run: a while after the last change, those of the last version only, a few at the same time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lsp/analysis_process.h"

namespace smem::lsp {

using Clock = std::chrono::steady_clock;

/// What an analysis is started with.
struct Prepared {
  std::vector<std::string> arguments;
  std::string input;
  std::int64_t version = 0; ///< of the document, for whoever takes the result
};

/// Called by the scheduler's thread, which holds no lock then.
struct SchedulerCalls {
  /// Of a document that is about to be analysed, with or without fixes; nothing: it need not be.
  std::function<std::optional<Prepared>(const std::string &path, bool fixes)> prepare;
  /// It takes long.
  std::function<void(const std::string &path, bool fixes)> slow;
  /// It has ended. `slow`: slow() was called of it. One that was dropped after that ends with a version of -1 and no output.
  std::function<void(const std::string &path, bool fixes, std::int64_t version, const std::string &output,
                     const std::string &errors, bool slow)>
      done;
};

class Scheduler {
public:
  explicit Scheduler(SchedulerCalls calls);
  /// Ends what is running.
  ~Scheduler();
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// An analysis of a document, in place of all others of it.
  void schedule(const std::string &path, Clock::duration delay, bool fixes);
  void drop(const std::string &path);

private:
  struct Waiting {
    Clock::time_point due;
    bool fixes = false;
  };
  struct Running {
    std::string path;
    bool fixes = false, slow = false, outdated = false;
    std::int64_t version = 0;
    std::unique_ptr<AnalysisProcess> process;
  };

  void run();
  void wake();
  /// One that is due and for which there is room; those without fixes first.
  std::optional<std::pair<std::string, bool>> next(Clock::time_point now);
  int milliseconds_to_next(Clock::time_point now) const;

  const SchedulerCalls calls_;
  sinks::Descriptor wakeup_;
  std::mutex mutex_; ///< of what follows; `running_` changes in the thread only
  std::map<std::string, Waiting> waiting_;
  std::vector<Running> running_;
  bool stop_ = false;
  std::thread thread_;
};

} // namespace smem::lsp
