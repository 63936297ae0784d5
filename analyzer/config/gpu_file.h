// A GPU as a file describes it: what the tables of smem/gpu.h have of the known ones.
#pragma once

#include "smem/gpu.h"

#include <string>
#include <string_view>

namespace smem {

struct ParsedGpu {
  Gpu gpu;           ///< complete and possible, unless there is an error
  std::string error; ///< not empty: `card.yaml:3:1: unknown key 'Sm'; did you mean 'Sms'?`
};

/// YAML: `Name`, `Arch`, `Sms`, `ClockMHz` (the highest), `DramGBs`, `L2MiB`, and `Registers` of an SM, which may be left out. `name` is what messages
/// call the text.
ParsedGpu parse_gpu(std::string_view text, const std::string &name);

ParsedGpu read_gpu_file(const std::string &path);

} // namespace smem
