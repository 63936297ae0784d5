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

/// What is looked for, what takes least time first. Each has what those before it have.
enum class Pass : std::uint8_t { Costs, Races, Fixes };

/// What an analysis is started with.
struct Prepared {
  std::vector<std::string> arguments;
  std::string input;
  std::int64_t version = 0; ///< of the document, for whoever takes the result
};

/// Called by the scheduler's thread, which holds no lock then.
struct SchedulerCalls {
  /// Of a document that is about to be analysed; nothing: it need not be.
  std::function<std::optional<Prepared>(const std::string &path, Pass pass)> prepare;
  /// It takes long.
  std::function<void(const std::string &path, Pass pass)> slow;
  /// It has ended. `slow`: slow() was called of it. One that was dropped after that ends with a version of -1 and no output.
  std::function<void(const std::string &path, Pass pass, std::int64_t version, const std::string &output,
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
  void schedule(const std::string &path, Clock::duration delay, Pass pass);
  void drop(const std::string &path);

private:
  struct Waiting {
    Clock::time_point due;
    Pass pass = Pass::Costs;
  };
  struct Running {
    std::string path;
    Pass pass = Pass::Costs;
    bool slow = false, outdated = false;
    std::int64_t version = 0;
    std::unique_ptr<AnalysisProcess> process;
  };

  void run();
  void wake();
  /// Starts it, or takes the one that stands by.
  std::unique_ptr<AnalysisProcess> start(Prepared prepared, Pass pass, std::string &error);
  /// One that is due and for which there is room; early passes first.
  std::optional<std::pair<std::string, Pass>> next(Clock::time_point now);
  int milliseconds_to_next(Clock::time_point now) const;

  const SchedulerCalls calls_;
  sinks::Descriptor wakeup_;
  std::mutex mutex_; ///< of what follows; `running_` changes in the thread only
  std::map<std::string, Waiting> waiting_;
  std::vector<Running> running_;
  bool stop_ = false;
  /// A process that has come as far as one can without a text, and the arguments that it was started with: half of the time that a small file takes is
  /// the start of a program. Of the thread.
  std::unique_ptr<AnalysisProcess> standby_;
  std::vector<std::string> of_standby_;
  std::thread thread_;
};

} // namespace smem::lsp
