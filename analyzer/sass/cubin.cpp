#include "sass/cubin.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <llvm/BinaryFormat/ELF.h>
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-move" // in LLVM's own header
#endif
#include <llvm/Object/ELF.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

namespace smem::compiled {
namespace {

using llvm::StringRef;
using llvm::object::ELF64LE;
using llvm::object::ELFFile;

constexpr StringRef kText = ".text.", kLines = ".debug_line";

/// From this version of the ABI on (CUDA 13) the architecture stands in the second byte of the flags, before in the first. Read off cubins of
/// ptxas 13.0 for sm_75 to sm_120, and of cubins that Triton's ptxas 11.4 to 12.8 made.
constexpr unsigned kAbiOfSecondByte = 8;

/// Of the symbol's st_other: it can be launched (STO_CUDA_ENTRY, as nvdisasm prints it).
constexpr unsigned char kEntry = 0x10;

/// The text of an error, which has to be taken.
std::string text_of(llvm::Error error) {
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) { text = info.message(); });
  return text;
}

ReadCubin broken(llvm::Error error) { return {{}, "it is a damaged ELF file: " + text_of(std::move(error))}; }

} // namespace

std::string machine_name(unsigned machine) {
  switch (machine) {
  case llvm::ELF::EM_386: return "x86";
  case llvm::ELF::EM_X86_64: return "x86-64";
  case llvm::ELF::EM_ARM: return "ARM";
  case llvm::ELF::EM_AARCH64: return "AArch64";
  case llvm::ELF::EM_PPC64: return "PowerPC";
  case llvm::ELF::EM_RISCV: return "RISC-V";
  case llvm::ELF::EM_AMDGPU: return "an AMD GPU";
  default: return "machine " + std::to_string(machine);
  }
}

std::string no_fatbin(std::string_view bytes) {
  const StringRef text(bytes.data(), bytes.size());
  if (!text.starts_with(StringRef(llvm::ELF::ElfMagic, 4)))
    return {};
  if (text.size() <= llvm::ELF::EI_DATA || text[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 ||
      text[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB)
    return "it is an ELF file of 32 bits, or big-endian, which has no machine code of a GPU";
  llvm::Expected<ELFFile<ELF64LE>> file = ELFFile<ELF64LE>::create(text);
  if (!file)
    return broken(file.takeError()).error;
  auto sections = file->sections();
  if (!sections)
    return broken(sections.takeError()).error;
  for (const auto &section : *sections) {
    llvm::Expected<StringRef> name = file->getSectionName(section);
    if (!name)
      return broken(name.takeError()).error;
    if (*name == ".nv_fatbin" || *name == "__nv_relfatbin")
      return {};
  }
  return "it is an ELF file of " + machine_name(file->getHeader().e_machine) +
         " without machine code of a GPU (no section .nv_fatbin)";
}

std::vector<std::string_view> fatbins_of(std::string_view bytes) {
  constexpr std::size_t kAlignment = 8;
  struct Head {
    std::uint32_t magic;
    std::uint16_t version, bytes;
    std::uint64_t content;
  } head{};
  constexpr std::uint32_t kMagic = 0xba55ed50;
  std::vector<std::string_view> found;
  llvm::Expected<ELFFile<ELF64LE>> file = ELFFile<ELF64LE>::create(StringRef(bytes.data(), bytes.size()));
  if (!file) {
    llvm::consumeError(file.takeError());
    return found;
  }
  auto sections = file->sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return found;
  }
  for (const auto &section : *sections) {
    llvm::Expected<StringRef> name = file->getSectionName(section);
    auto contents = file->getSectionContents(section);
    const bool of_fatbins = name && contents && (*name == ".nv_fatbin" || *name == "__nv_relfatbin");
    if (!name)
      llvm::consumeError(name.takeError());
    if (!contents)
      llvm::consumeError(contents.takeError());
    if (!of_fatbins)
      continue;
    const std::string_view all(reinterpret_cast<const char *>(contents->data()), contents->size());
    for (std::size_t at = 0; at + sizeof head <= all.size();) {
      std::memcpy(&head, all.data() + at, sizeof head);
      const std::size_t left = all.size() - at;
      if (head.magic != kMagic || head.bytes < sizeof head || head.bytes > left || head.content > left - head.bytes) {
        at += kAlignment;
        continue;
      }
      const std::size_t size = head.bytes + static_cast<std::size_t>(head.content);
      found.push_back(all.substr(at, size));
      at += (size + kAlignment - 1) / kAlignment * kAlignment;
    }
  }
  return found;
}

ReadCubin read_cubin(std::string_view bytes) {
  const StringRef text(bytes.data(), bytes.size());
  if (!text.starts_with(StringRef(llvm::ELF::ElfMagic, 4)))
    return {{}, "it is no ELF file"};
  if (text.size() <= llvm::ELF::EI_ABIVERSION || text[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 ||
      text[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB)
    return {{}, "it is an ELF file of 32 bits, or big-endian: no cubin of a GPU that is modelled"};
  llvm::Expected<ELFFile<ELF64LE>> file = ELFFile<ELF64LE>::create(text);
  if (!file)
    return broken(file.takeError());
  const auto &head = file->getHeader();
  if (head.e_machine != llvm::ELF::EM_CUDA)
    return {{}, "it is an ELF file of " + machine_name(head.e_machine) + ", not of a GPU"};
  if (auto headers = file->program_headers(); !headers)
    return broken(headers.takeError());
  ReadCubin read;
  const unsigned flags = head.e_flags;
  read.cubin.architecture =
      "sm_" +
      std::to_string(head.e_ident[llvm::ELF::EI_ABIVERSION] >= kAbiOfSecondByte ? (flags >> 8) & 0xff : flags & 0xff);
  auto sections = file->sections();
  if (!sections)
    return broken(sections.takeError());
  for (const auto &section : *sections) {
    llvm::Expected<StringRef> name = file->getSectionName(section);
    if (!name)
      return broken(name.takeError());
    read.cubin.has_lines |= *name == kLines;
    if (section.sh_type != llvm::ELF::SHT_NOBITS)
      if (auto contents = file->getSectionContents(section); !contents)
        return broken(contents.takeError());
    if (section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    auto symbols = file->symbols(&section);
    if (!symbols)
      return broken(symbols.takeError());
    llvm::Expected<StringRef> names = file->getStringTableForSymtab(section);
    if (!names)
      return broken(names.takeError());
    for (const auto &symbol : *symbols) {
      if (symbol.getType() != llvm::ELF::STT_FUNC || !(symbol.st_other & kEntry))
        continue;
      llvm::Expected<StringRef> kernel = symbol.getName(*names);
      if (!kernel)
        return broken(kernel.takeError());
      read.cubin.kernels.push_back(kernel->str());
    }
  }
  std::sort(read.cubin.kernels.begin(), read.cubin.kernels.end());
  return read;
}

} // namespace smem::compiled
