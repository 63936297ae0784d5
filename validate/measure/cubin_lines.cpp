#include "cubin_lines.h"

#include "elf_image.h"

namespace smem_lint::validate {

smem::LineTable read_line_table(std::string_view cubin) {
  const auto image = ElfImage::parse(cubin);
  const auto *section = image ? image->find(".debug_line") : nullptr;
  if (!section)
    return {};
  const auto *names = image->find(".debug_str");
  std::map<std::uint64_t, std::string> functions;
  for (auto &relocation : image->relocations(".debug_line"))
    functions[relocation.offset] = std::move(relocation.symbol);
  return smem::LineTable::read(section->bytes, names ? names->bytes : std::string_view(), std::move(functions));
}

} // namespace smem_lint::validate
