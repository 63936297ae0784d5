// Recordings of `smem-validate measure`.
#include "plan/recorded_launches.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  std::string error, warning;
  const auto recorded = smem::RecordedLaunches::parse(std::string_view(reinterpret_cast<const char *>(data), size),
                                                      "r.jsonl", error, warning);
  if (!recorded && error.empty())
    std::abort();
  if (recorded)
    for (const std::string &kernel : recorded->kernels())
      (void)recorded->of(kernel);
  return 0;
}
