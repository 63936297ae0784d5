// What each opcode of a Program is called and how its operands relate to its result.
#pragma once

#include <cstdint>
#include <string_view>

#include "smem/program.h"

namespace smem {

/// How an opcode's operands relate to its result; what verify() checks.
enum class Shape : std::uint8_t {
  Leaf,       ///< no operands
  Same,       ///< every operand has the result's width
  Compare,    ///< two operands of one width, 1-bit result
  Narrow,     ///< one wider operand
  Widen,      ///< one narrower operand
  Convert,    ///< one operand of any width
  SelectOf,   ///< 1-bit condition, two operands of the result's width
  Shift3,     ///< funnel shift: three operands of the result's width
  Exchange,   ///< shuffle: value of the result's width, two 32-bit words
  ExchangeOk, ///< shuffle predicate: any value, two 32-bit words, 1-bit result
  Vote,       ///< 1-bit operand, 32-bit members
  Match,      ///< any operand, 32-bit members
  Place,      ///< address of the result's width, 1-bit condition
  Free,       ///< anything
  Effect,     ///< no result
};

struct OpcodeInfo {
  std::string_view name;
  Shape shape;
  std::uint8_t operands; ///< kAnyNumber: as many as there are
};

constexpr std::uint8_t kAnyNumber = 255;

/// Null for what is no opcode: an immediate may be anything before verify() has looked at it.
const OpcodeInfo *find_info(std::int64_t opcode);
const OpcodeInfo &info(Opcode opcode);

/// Whether its immediate is a FloatMode.
bool is_floating(Opcode opcode);

/// `threadIdx.x`; empty if there is no such register.
std::string_view name_of_special(std::int64_t special);

} // namespace smem
