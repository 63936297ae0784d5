// Cubins: sections, relocations, line tables, memory instructions by their encoding.
#include "cubin_lines.h"
#include "elf_image.h"
#include "instruction.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace smem_lint::validate;
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  (void)read_line_table(bytes).at("k", 16);
  if (const auto image = ElfImage::parse(bytes))
    (void)image->relocations(".debug_line");
  (void)decode(bytes);
  return 0;
}
