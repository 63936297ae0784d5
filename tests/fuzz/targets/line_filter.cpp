// --line-filter: JSON and unified diffs.
#include "gate/line_filter.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  std::string error;
  (void)smem::LineFilter::parse(std::string_view(reinterpret_cast<const char *>(data), size), error);
  return 0;
}
