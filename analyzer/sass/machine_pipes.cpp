#include "sass/machine_pipes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "sass/machine_flow.h"

namespace smem::compiled {
namespace {

// Pipes as Nsight Compute's documentation describes them ("Pipelines"): ALU has bit manipulation, logic and integers but for multiplications, and
// comparisons; FMA floats; its heavier half multiplications of integers; XU special functions and most conversions.
// [H100] Nsight Compute counts as many instructions of XU as a kernel has of F2I, I2F and F2F (HeCBench's intrinsics-cast: 33 and 24 a warp), and less
// of ALU than there would be with VIADD (its intrinsics-simd and all-pairs-distance) and FCHK (its langevin).
constexpr std::array<std::string_view, 21> kAlu{"IADD3", "LOP3", "SHF",   "SHL",  "SHR",     "ISETP",    "VIMNMX",
                                                "IMNMX", "PRMT", "LEA",   "IABS", "SEL",     "FSETP",    "FMNMX",
                                                "BMSK",  "SGXT", "PLOP3", "FSEL", "VIMNMX3", "VABSDIFF", "VIADDMNMX"};
constexpr std::array<std::string_view, 3> kFp32{"FADD", "FMUL", "FFMA"};
constexpr std::array<std::string_view, 3> kFp64{"DADD", "DMUL", "DFMA"};
constexpr std::array<std::string_view, 7> kSpecial{"MUFU", "POPC", "FLO", "BREV", "F2I", "I2F", "F2F"};

template <std::size_t N> bool is_one_of(std::string_view base, const std::array<std::string_view, N> &all) {
  return std::ranges::find(all, base) != all.end();
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// m x n x k of "HMMA.16816.F32" or of "HGMMA.64x128x16.F32", which is that of four warps; 0: not known.
std::uint64_t products_of(std::string_view opcode) {
  const std::size_t dot = opcode.find('.');
  if (dot == std::string_view::npos)
    return 0;
  std::string_view shape = opcode.substr(dot + 1);
  shape = shape.substr(0, shape.find('.'));
  if (shape.find('x') != std::string_view::npos) {
    std::uint64_t products = 1;
    for (std::size_t at = 0; at <= shape.size();) {
      const std::size_t end = std::min(shape.find('x', at), shape.size());
      const std::optional<std::uint64_t> one = number(shape.substr(at, end - at));
      if (!one || *one == 0 || *one > 1024)
        return 0;
      products *= *one;
      at = end + 1;
    }
    return products;
  }
  constexpr std::pair<std::string_view, std::uint64_t> kShapes[]{
      {"884", 8 * 8 * 4},   {"1684", 16 * 8 * 4}, {"1688", 16 * 8 * 8},   {"16816", 16 * 8 * 16},
      {"8816", 8 * 8 * 16}, {"8832", 8 * 8 * 32}, {"16832", 16 * 8 * 32}, {"16864", 16 * 8 * 64}};
  const auto *const known = std::ranges::find(kShapes, shape, [](const auto &one) { return one.first; });
  return known == std::end(kShapes) ? 0 : known->second;
}

/// In multiplications of 16-bit numbers; the white papers have rates of the others as multiples of theirs.
std::uint64_t tensor_of(std::string_view base, std::string_view opcode) {
  constexpr std::uint64_t kWarpsOfGroup = 4;
  if (has_modifier(opcode, "SP"))
    return 0; // every second factor is zero, and is skipped
  const std::uint64_t products = products_of(opcode);
  if (base == "HMMA")
    return has_modifier(opcode, "TF32") ? 2 * products : products;
  if (base == "IMMA" || base == "QMMA") {
    const bool four_bits = has_modifier(opcode, "S4") || has_modifier(opcode, "U4");
    return base == "QMMA" ? products / 4 : products / (four_bits ? 4 : 2);
  }
  if (base == "HGMMA")
    return (has_modifier(opcode, "TF32") ? 2 * products : products) / kWarpsOfGroup;
  if (base == "IGMMA" || base == "QGMMA")
    return products / 2 / kWarpsOfGroup;
  return 0;
}

} // namespace

ArithmeticWork work_of(std::string_view opcode, bool guarded) {
  const std::string_view base = base_of(opcode);
  ArithmeticWork work;
  work.instructions = 1;
  if (guarded)
    return work;
  if (is_one_of(base, kAlu))
    work.integer = 1;
  else if (is_one_of(base, kFp32))
    work.fp32 = 1;
  else if (base == "IMAD" || base == "IMUL" || base == "IDP")
    work.multiply = 1;
  else if (is_one_of(base, kFp64))
    work.fp64 = 1;
  else if (is_one_of(base, kSpecial))
    work.special = 1;
  else if (base == "SHFL")
    work.shuffles = 1;
  else
    work.tensor = tensor_of(base, opcode);
  return work;
}

} // namespace smem::compiled
