// Baselines; what is valid is written and read again, the same.
#include "gate/baseline.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  std::string error;
  if (const auto baseline = smem::Baseline::parse(std::string(reinterpret_cast<const char *>(data), size), error)) {
    const auto again = smem::Baseline::parse(baseline->text(), error);
    if (!again || again->text() != baseline->text())
      std::abort();
  } else if (error.empty()) {
    std::abort();
  }
  return 0;
}
