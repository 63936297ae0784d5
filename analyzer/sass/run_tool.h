// Programs of the toolkit, which nothing of the run survives: neither they nor what they start, nor the folder that they work in.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace smem::compiled {

struct ToolRun {
  std::string program;                ///< absolute
  std::vector<std::string> arguments; ///< without the program; no shell sees them
  std::string output, errors;         ///< files that get what it prints
  std::string scratch;                ///< a folder for its temporaries
  std::string directory = {};         ///< that it works in; empty: this process's
  std::stop_token stop = {};          ///< ends it
};

/// Waits for its end. The exit status, 128 + N when signal N ended it, 127 when it cannot be run; `why` then says the reason, where there is
/// one. Should this process die meanwhile, however it does, the tool and what it has started are killed and `scratch` is removed.
int run_tool(const ToolRun &run, std::string &why);

} // namespace smem::compiled
