// The analysis of the command line's files, with everything that it needs read.
#pragma once

#include "driver/run.h"
#include "driver/settings.h"
#include "report/source_lines.h"

#include <optional>
#include <vector>

namespace smem {

struct Analysed {
  std::vector<FileAnalysis> files; ///< places as they are shown
  std::vector<FileFixes> fixes;    ///< parallel to them if asked for, else empty
  SourceLines sources;             ///< with the text of standard input
  bool unmatched = false;          ///< something that the command line says is about none of the files; said so
};

/// Nothing if it cannot begin (configuration, recording, missing baseline); the reason has been printed.
std::optional<Analysed> analyse(const DriverOptions &options, Settings &settings,
                                const std::optional<Relocation> &relocation = {});

} // namespace smem
