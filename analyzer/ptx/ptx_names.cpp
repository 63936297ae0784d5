#include "ptx/ptx_names.h"

namespace smem::lower::ptx {

bool is_float(std::string_view type) {
  return type.starts_with("f") || type.starts_with("bf") || type.starts_with("tf");
}

bool is_signed(std::string_view type) { return type.starts_with("s"); }

bool is_packed(std::string_view type) { return type.ends_with("x2"); }

std::vector<std::string_view> types_of(const Instruction &instruction) {
  std::vector<std::string_view> types;
  for (std::size_t i = 1; i < instruction.opcode.size(); ++i)
    if (type_width(instruction.opcode[i]))
      types.push_back(instruction.opcode[i]);
  return types;
}

AddressSpace space_of(const Instruction &instruction) {
  for (const std::string &part : instruction.opcode) {
    if (part == "shared" || part == "shared::cta" || part == "shared::cluster")
      return AddressSpace::Shared;
    if (part == "global")
      return AddressSpace::Global;
    if (part == "local")
      return AddressSpace::Local;
    if (part == "const" || part.starts_with("param"))
      return AddressSpace::Constant;
  }
  return AddressSpace::Generic;
}

bool bypasses_l1(const Instruction &instruction) {
  constexpr std::array kPast{"cg", "cv", "volatile", "relaxed", "acquire", "L1::no_allocate"};
  return std::any_of(kPast.begin(), kPast.end(), [&](const char *modifier) { return instruction.has(modifier); });
}

} // namespace smem::lower::ptx
