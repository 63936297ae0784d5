#include "archive/build_id.h"

#include <cstddef>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <span>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>

namespace smem {
namespace {

/// In the notes of a segment.
std::string build_id_in(std::span<const std::uint8_t> notes) {
  const auto padded = [](std::size_t size) { return (size + 3) & ~std::size_t{3}; };
  constexpr char kOwner[] = "GNU";
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t name = sizeof note, description = name + padded(note.n_namesz),
                      end = description + padded(note.n_descsz);
    if (end > notes.size())
      break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof kOwner &&
        std::memcmp(notes.data() + name, kOwner, sizeof kOwner) == 0)
      return llvm::toHex(llvm::ArrayRef(notes.data() + description, note.n_descsz), /*LowerCase=*/true);
    notes = notes.subspan(end);
  }
  return {};
}

} // namespace

std::string build_id() {
  std::string found;
  // The program itself comes first.
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *result) {
        for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr) &segment = info->dlpi_phdr[i];
          std::string &id = *static_cast<std::string *>(result);
          if (segment.p_type == PT_NOTE && id.empty())
            id = build_id_in({reinterpret_cast<const std::uint8_t *>(info->dlpi_addr + segment.p_vaddr),
                              static_cast<std::size_t>(segment.p_memsz)});
        }
        return 1;
      },
      &found);
  return found;
}

} // namespace smem
