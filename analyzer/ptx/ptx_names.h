// What the words of a PTX opcode stand for.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/ptx_parser.h"
#include "smem/program.h"

namespace smem::lower::ptx {

/// The entry of a table by its name; null if there is none.
template <typename Value, std::size_t Size>
const Value *find(const std::array<std::pair<std::string_view, Value>, Size> &table, std::string_view key) {
  const auto it = std::find_if(table.begin(), table.end(), [&](const auto &entry) { return entry.first == key; });
  return it == table.end() ? nullptr : &it->second;
}

bool is_float(std::string_view type);
bool is_signed(std::string_view type);
/// Two numbers in one register.
bool is_packed(std::string_view type);

/// Modifiers of `instruction` that name a type, in order.
std::vector<std::string_view> types_of(const Instruction &instruction);

/// The state space that the instruction names; Generic if it names none.
AddressSpace space_of(const Instruction &instruction);

/// Whether L1 does not keep what such a load fetches.
bool bypasses_l1(const Instruction &instruction);

} // namespace smem::lower::ptx
