// --launch, --set and comments; what is understood is written as messages have it.
#include "plan/launch_spec.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  (void)smem::parse_launch_words(text);
  (void)smem::parse_set_option(text);
  const smem::ParsedWish parsed = smem::parse_launch_option(text);
  if (parsed.error.empty())
    (void)smem::launch_option_text(parsed.wish);
  return 0;
}
