// Listings of nvdisasm.
#include "sass/listing.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const smem::compiled::ParsedListing parsed =
      smem::compiled::parse_listing(std::string_view(reinterpret_cast<const char *>(data), size));
  if (!parsed.listing && parsed.error.empty())
    std::abort();
  return 0;
}
