// Launches that `smem-validate measure` recorded, as configurations for an analysis.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "smem/launch.h"

namespace smem {

struct RecordedLaunch {
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  SourceLocation location; ///< the line of the recording
};

class RecordedLaunches {
public:
  /// JSON lines. On failure `error` says why; `warning` names what is not fatal, such as an end that is missing.
  static std::optional<RecordedLaunches> load(const std::string &path, std::string &error, std::string &warning);

  /// The different launches of a kernel, in the order of their execution. Compilers spell kernels of internal linkage
  /// differently, so that names are compared as people read them.
  std::span<const RecordedLaunch> of(const std::string &mangled) const;

  /// Changes with the contents of the recording.
  const std::string &digest() const { return hash; }

  /// The signatures of all kernels that were launched.
  std::vector<std::string> kernels() const;

private:
  std::map<std::string, std::vector<RecordedLaunch>> launches; ///< by demangled name
  std::string hash;
};

} // namespace smem
