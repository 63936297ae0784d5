// .smem-lint.yaml; what is valid is written and read again.
#include "config/config.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const smem::ParsedConfig parsed = smem::parse_config(text, "c.yaml", "/");
  if (parsed.diagnostics.empty()) {
    const smem::ParsedConfig again = smem::parse_config(smem::dump(parsed.config), "again.yaml", "/");
    if (!again.diagnostics.empty())
      std::abort();
  }
  return 0;
}
