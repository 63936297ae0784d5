// Work in processes of its own, so that what goes wrong in one ends that one.
#pragma once

#include "driver/workers.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace smem {

/// How a process ended.
struct Ending {
  bool whole = false; ///< `result` is what the work returned
  std::string result;
  int code = 0;    ///< of a process that has exited
  int signal = 0;  ///< that ended it
  std::string why; ///< the process could not be started
};

/// What one of several processes does, and what comes of it.
struct ProcessWork {
  std::function<void(std::size_t)> begin; ///< in the parent, before the start; nothing else may be at work there
  /// In the process; what it returns becomes Ending::result. `tell` hands a message to the parent and may be called by several threads.
  std::function<std::string(std::size_t, const std::function<void(std::string_view)> &tell)> run;
  std::function<void(std::size_t, std::string_view)> told; ///< in the parent
  std::function<void(std::size_t, const Ending &)> end;    ///< in the parent
  std::function<void()>
      meanwhile; ///< once in the parent, when as many are at work as may be; what it starts has to have ended when it returns. May be empty
};

/// Does `work` for 0 ... count - 1, each in a fork of this process, as many at the same time as there are slots (the owner of a slot is the number), and
/// returns when all have ended. They begin in order and end in any. The process must have no other thread. Processes end with this one, however it
/// ends.
void run_in_processes(std::size_t count, JobSlots &slots, const ProcessWork &work);

} // namespace smem
