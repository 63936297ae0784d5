// The analysis of all files of the command line.
#pragma once

#include "driver/options.h"

#include <string>
#include <vector>

namespace smem {

/// In the order of the paths. `stdin_contents` is the text of "-"; `recorded` may be null.
std::vector<FileAnalysis> analyze_all(const DriverOptions &options, const Toolkit &toolkit, const std::string &stdin_contents,
                                      const RecordedLaunches *recorded);

/// What options say about kernels and parameters that no file has: one message each.
std::vector<std::string> unmatched_wishes(const DriverOptions &options, const std::vector<FileAnalysis> &files);

/// The same of a recording; empty if one of its kernels was analysed.
std::string unmatched_recording(const RecordedLaunches &recorded, const std::vector<FileAnalysis> &files);

/// The name that standard input goes by.
std::string stdin_name(const DriverOptions &options);

} // namespace smem
