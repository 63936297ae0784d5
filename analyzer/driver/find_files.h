// The files that a command line means: those that it names, those below the folders that it names, those of a compilation database.
#pragma once

#include "driver/options.h"
#include "driver/settings.h"

#include <string>
#include <vector>

namespace smem {

struct FoundFiles {
  std::vector<std::string>
      files; ///< each once, as they are shown: relative to the working directory where they lie in it
  std::vector<std::string>
      callers; ///< sources without kernels, which may call what launches in others: in folders, and C++ of the database
  std::vector<Diagnostic> diagnostics; ///< an error means that something is missing
};

/// Files are taken as they are named. Of a folder: the CUDA sources below it that hold kernels or launches, themselves or by what they include, and headers with
/// kernels that none of these includes; no hidden folders, no build folders, nothing behind a symbolic link, nothing that is excluded. Without any file: the CUDA
/// sources of the database that -p names. Files that cannot be read stay, for the analysis to say so.
FoundFiles find_files(const DriverOptions &options, Settings &settings);

/// Whether `path` (absolute), or a folder between the working directory and it, is excluded by the command line or by the configuration that holds for the folder
/// that it lies in.
bool is_excluded(const std::string &path, const DriverOptions &options, Settings &settings);

} // namespace smem
