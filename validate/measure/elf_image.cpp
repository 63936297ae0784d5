#include "elf_image.h"

#include <elf.h>

namespace smem_lint::validate {
namespace {

std::string text_at(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size())
    return {};
  const auto end = table.find('\0', offset);
  return std::string(table.substr(offset, end == std::string_view::npos ? end : end - offset));
}

} // namespace

std::optional<ElfImage> ElfImage::parse(std::string_view bytes) {
  const auto header = load<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  std::vector<Elf64_Shdr> raw;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = load<Elf64_Shdr>(bytes, header->e_shoff + std::uint64_t{i} * header->e_shentsize);
    if (!section)
      return std::nullopt;
    raw.push_back(*section);
  }
  ElfImage image;
  for (const auto &section : raw) {
    Section s;
    s.type = section.sh_type, s.link = section.sh_link, s.info = section.sh_info, s.entry_size = section.sh_entsize;
    if (section.sh_type != SHT_NOBITS && section.sh_offset <= bytes.size())
      s.bytes = bytes.substr(section.sh_offset, section.sh_size);
    image.sections_.push_back(std::move(s));
  }
  if (header->e_shstrndx < image.sections_.size())
    for (std::size_t i = 0; i < raw.size(); ++i)
      image.sections_[i].name = text_at(image.sections_[header->e_shstrndx].bytes, raw[i].sh_name);
  return image;
}

const ElfImage::Section *ElfImage::find(std::string_view name) const {
  for (const auto &section : sections_)
    if (section.name == name)
      return &section;
  return nullptr;
}

std::vector<ElfImage::Relocation> ElfImage::relocations(std::string_view section) const {
  std::vector<Relocation> result;
  for (const char *prefix : {".rel", ".rela"}) {
    const Section *table = find(std::string(prefix) + std::string(section));
    if (!table || table->link >= sections_.size() || table->entry_size == 0)
      continue;
    const Section &symbols = sections_[table->link];
    const std::string_view names = symbols.link < sections_.size() ? sections_[symbols.link].bytes : std::string_view{};
    for (std::uint64_t at = 0; at + table->entry_size <= table->bytes.size(); at += table->entry_size) {
      const auto relocation = load<Elf64_Rel>(table->bytes, at);
      if (!relocation)
        break;
      const auto symbol = load<Elf64_Sym>(symbols.bytes, ELF64_R_SYM(relocation->r_info) * sizeof(Elf64_Sym));
      if (!symbol)
        continue;
      std::string name = text_at(names, symbol->st_name);
      if (name.empty() && symbol->st_shndx < sections_.size())
        name = sections_[symbol->st_shndx].name;
      if (name.rfind(".text.", 0) == 0)
        name.erase(0, 6);
      result.push_back({relocation->r_offset, std::move(name)});
    }
  }
  return result;
}

} // namespace smem_lint::validate
