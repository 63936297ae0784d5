// Launches that `smem-validate measure` recorded, as configurations for an analysis.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "smem/launch.h"

namespace smem {

struct RecordedLaunch {
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  SourceLocation location; ///< the line of the recording
  /// In the order of the parameters, as they lay in memory; of a large one perhaps only its beginning. Empty: not recorded.
  std::vector<std::string> arguments;

  /// Little-endian; nothing if the recording does not have all of it. `width` in bits, at most 64.
  std::optional<std::uint64_t> argument(std::uint32_t index, std::uint64_t offset, std::uint32_t width) const;
};

class RecordedLaunches {
public:
  /// JSON lines. On failure `error` says why; `warning` names what is not fatal, such as an end that is missing.
  static std::optional<RecordedLaunches> load(const std::string &path, std::string &error, std::string &warning);
  /// The same of a text, which messages call `path`.
  static std::optional<RecordedLaunches> parse(std::string_view text, const std::string &path, std::string &error,
                                               std::string &warning);

  /// The launches of a kernel in the order of their execution, without those that equal the one before them in the same
  /// shape. Compilers spell kernels of internal linkage differently, so that names are compared as people read them.
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
