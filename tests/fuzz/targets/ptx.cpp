// Statements of inline PTX.
#include "ptx/ptx_parser.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  (void)smem::lower::ptx::parse(std::string_view(reinterpret_cast<const char *>(data), size));
  return 0;
}
