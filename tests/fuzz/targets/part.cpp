// Parts of a run, as `smem-lint merge` reads them: without the hash and the version in front, which anybody can write.
#include "archive/archive.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  (void)smem::read_run_part_contents(std::string_view(reinterpret_cast<const char *>(data), size));
  return 0;
}
