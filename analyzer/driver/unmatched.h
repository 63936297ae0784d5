// What is said of kernels and parameters that no file has.
#pragma once

#include "analysis/analysis.h"
#include "plan/launch_wish.h"
#include "support/diagnostic.h"

#include <string>
#include <vector>

namespace smem {

/// What a configuration says of kernels that none of the files has: a warning where a name is near, else one note, as other files may have them.
std::vector<Diagnostic> unmatched_globs(const std::vector<LaunchWish> &configured,
                                        const std::vector<FileAnalysis> &files);

/// One message for each glob of --kernel that names no kernel.
std::vector<std::string> unmatched_kernels(const std::vector<std::string> &globs,
                                           const std::vector<FileAnalysis> &files);

/// What a configuration says of the parameters of a kernel that has none of that name. Other files may have a kernel that does.
std::vector<Diagnostic> unmatched_names(const std::vector<LaunchWish> &configured, const FileAnalysis &file);

/// What options say about kernels and parameters that no file has: one message each.
std::vector<std::string> unmatched_wishes(const std::vector<LaunchWish> &wishes,
                                          const std::vector<FileAnalysis> &files);

/// The same of a recording; empty if one of its kernels was analysed.
std::string unmatched_recording(const RecordedLaunches &recorded, const std::vector<FileAnalysis> &files);

} // namespace smem
