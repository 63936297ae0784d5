// The parts of a 64-bit little-endian ELF file (a cubin) that measuring needs: sections, symbols, relocations.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem_lint::validate {

class ElfImage {
public:
  struct Section {
    std::string name;
    std::uint32_t type = 0, link = 0, info = 0;
    std::string_view bytes;
    std::uint64_t entry_size = 0;
  };
  struct Relocation {
    std::uint64_t offset = 0;
    std::string symbol;
  };

  // Nothing if `bytes` is not such a file; the caller keeps `bytes` alive.
  static std::optional<ElfImage> parse(std::string_view bytes);

  const Section *find(std::string_view name) const;
  // The relocations that apply to the section of that name.
  std::vector<Relocation> relocations(std::string_view section) const;

private:
  std::vector<Section> sections_;
};

// Little-endian value at an offset, or nothing past the end.
template <class T> std::optional<T> load(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

} // namespace smem_lint::validate
