// One analysis, in a process of its own: what goes wrong in it ends nothing else, and what is outdated is killed.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/types.h>

#include "sinks/files.h"

namespace smem::lsp {

class AnalysisProcess {
public:
  /// Starts this program with other arguments; it waits for input(). Null, with an error text, if it cannot be started.
  static std::unique_ptr<AnalysisProcess> start(const std::vector<std::string> &arguments, std::string &error);
  /// Kills it if it has not ended.
  ~AnalysisProcess();
  AnalysisProcess(const AnalysisProcess &) = delete;
  AnalysisProcess &operator=(const AnalysisProcess &) = delete;

  /// What it finds on standard input: once, and the time since started() counts from then.
  void input(std::string text);
  bool alive(); ///< it waits for input

  /// Adds what it waits for.
  void wait_for(std::vector<pollfd> &all) const;
  /// Moves what can be moved without waiting; true once it has ended.
  bool step();

  const std::string &output() const { return output_; }
  const std::string &errors() const { return errors_; } ///< its standard error, of which at most the first 64 KiB
  std::chrono::steady_clock::time_point started() const { return started_; }

private:
  AnalysisProcess() = default;

  pid_t process_ = -1;
  sinks::Descriptor in_, out_, err_;
  std::string input_;
  std::size_t written_ = 0;
  std::string output_, errors_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

} // namespace smem::lsp
