#include "instruction.h"

#include "elf_image.h"

#include <array>

namespace smem_lint::validate {
namespace {

// Loads, stores and copies keep the size of the access in bits 73..75; atomics their type in the same place.
enum class Width { size, atomic, row, unknown };

struct Entry {
  std::uint32_t code; // the low 12 bits; variants of one operation differ in the top three of them
  Instruction instruction;
  Width width;
};

// Read off cuobjdump's listings of the micro-benchmarks, except those of LDL, STL, ATOM and the 0x3.. forms of ST and LDG.
constexpr std::array kEntries{
    Entry{0x984, {"LDS", "shared", "load"}, Width::size},
    Entry{0x988, {"STS", "shared", "store"}, Width::size},
    Entry{0x388, {"STS", "shared", "store"}, Width::size},
    Entry{0x981, {"LDG", "global", "load"}, Width::size},
    Entry{0x381, {"LDG", "global", "load"}, Width::size},
    Entry{0x986, {"STG", "global", "store"}, Width::size},
    Entry{0x386, {"STG", "global", "store"}, Width::size},
    Entry{0x980, {"LD", "generic", "load"}, Width::size},
    Entry{0x985, {"ST", "generic", "store"}, Width::size},
    Entry{0x385, {"ST", "generic", "store"}, Width::size},
    Entry{0x983, {"LDL", "local", "load"}, Width::size},
    Entry{0x987, {"STL", "local", "store"}, Width::size},
    Entry{0x387, {"STL", "local", "store"}, Width::size},
    Entry{0xfae, {"LDGSTS", "shared", "copy"}, Width::size},
    Entry{0x9ae, {"LDGSTS", "shared", "copy"}, Width::size},
    Entry{0x83b, {"LDSM", "shared", "matrix-load"}, Width::row},
    Entry{0x844, {"STSM", "shared", "matrix-store"}, Width::row},
    Entry{0x98c, {"ATOMS", "shared", "atomic"}, Width::unknown},
    Entry{0x38c, {"ATOMS", "shared", "atomic"}, Width::unknown},
    Entry{0xf8c, {"ATOMS", "shared", "atomic"}, Width::unknown}, // POPC.INC
    Entry{0x98d, {"ATOMS.CAS", "shared", "atomic"}, Width::unknown},
    Entry{0x38d, {"ATOMS.CAS", "shared", "atomic"}, Width::unknown},
    Entry{0x9a8, {"ATOMG", "global", "atomic"}, Width::unknown},
    Entry{0x3a8, {"ATOMG", "global", "atomic"}, Width::unknown},
    Entry{0x9a3, {"ATOMG", "global", "atomic"}, Width::unknown}, // floating point
    Entry{0x9a9, {"ATOMG.CAS", "global", "atomic"}, Width::unknown},
    Entry{0x3a9, {"ATOMG.CAS", "global", "atomic"}, Width::unknown},
    Entry{0x98e, {"RED", "global", "reduction"}, Width::unknown},
    Entry{0x9a6, {"REDG", "global", "reduction"}, Width::unknown},
    Entry{0x98a, {"ATOM", "generic", "atomic"}, Width::unknown},
    Entry{0x38a, {"ATOM", "generic", "atomic"}, Width::unknown},
    Entry{0x9a2, {"ATOM", "generic", "atomic"}, Width::unknown}, // floating point
    Entry{0x98b, {"ATOM.CAS", "generic", "atomic"}, Width::unknown},
    Entry{0x38b, {"ATOM.CAS", "generic", "atomic"}, Width::unknown},
    // sm_90: bulk copies, matrix products with operands in shared memory, asynchronous stores to other blocks.
    Entry{0x3ba, {"UBLKCP", "shared", "copy"}, Width::unknown},
    Entry{0x3bb, {"UBLKRED", "shared", "copy"}, Width::unknown},
    Entry{0x3bc, {"UBLKPF", "global", "copy"}, Width::unknown},
    Entry{0x5b4, {"UTMALDG", "shared", "copy"}, Width::unknown},
    Entry{0x3b5, {"UTMASTG", "shared", "copy"}, Width::unknown},
    Entry{0x3b6, {"UTMAREDG", "shared", "copy"}, Width::unknown},
    Entry{0x5b8, {"UTMAPF", "global", "copy"}, Width::unknown},
    Entry{0xdf0, {"HGMMA", "shared", "load"}, Width::unknown},
    Entry{0x9f0, {"HGMMA", "shared", "load"}, Width::unknown},
    Entry{0xdf1, {"IGMMA", "shared", "load"}, Width::unknown},
    Entry{0x9f1, {"IGMMA", "shared", "load"}, Width::unknown},
    Entry{0xdf2, {"BGMMA", "shared", "load"}, Width::unknown},
    Entry{0x9f2, {"BGMMA", "shared", "load"}, Width::unknown},
    Entry{0xdf3, {"QGMMA", "shared", "load"}, Width::unknown},
    Entry{0x9f3, {"QGMMA", "shared", "load"}, Width::unknown},
    Entry{0xdbd, {"STAS", "shared", "store"}, Width::unknown},
};

} // namespace

Instruction decode(std::string_view code) {
  const auto low = load<std::uint64_t>(code, 0), high = load<std::uint64_t>(code, 8);
  if (!low || !high)
    return {};
  for (const auto &entry : kEntries) {
    if (entry.code != (*low & 0xfff))
      continue;
    Instruction result = entry.instruction;
    if (entry.width == Width::row)
      result.width = 128;
    if (entry.width == Width::size) {
      static constexpr int kBits[] = {8, 8, 16, 16, 32, 64, 128, 0};
      result.width = kBits[*high >> 9 & 7];
    }
    return result;
  }
  return {};
}

} // namespace smem_lint::validate
