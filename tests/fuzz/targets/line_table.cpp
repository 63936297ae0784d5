// .debug_line of cubins: a byte says how much of the input is .debug_str.
#include "line_table/line_table.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size == 0)
    return 0;
  const std::string_view all(reinterpret_cast<const char *>(data) + 1, size - 1);
  const std::size_t names = all.size() * data[0] / 256;
  const smem::LineTable table =
      smem::LineTable::read(all.substr(names), all.substr(0, names), {{0, "k"}, {8, "k"}, {all.size() / 2, "l"}});
  for (const std::uint64_t pc : {0ull, 16ull, 1ull << 20, ~0ull})
    (void)table.at("k", pc);
  return 0;
}
