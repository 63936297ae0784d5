// The text of an inline PTX statement: instructions, guards, operands. What they mean is lower_inline_ptx.cpp's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem::lower::ptx {

struct Operand {
  enum class Kind : std::uint8_t {
    Placeholder, ///< operand `number` of the asm statement
    Name,        ///< register, special register, predicate, label, `_`
    Immediate,   ///< number; floating-point literals by their bits
    Address,     ///< `[a+b]`: the sum of parts
    Vector,      ///< `{a, b}`: parts
    Pair,        ///< `d|p`: parts
    Other,       ///< anything else, such as the coordinates of a tensor
  };
  Kind kind = Kind::Other;
  bool negated = false; ///< `!p`; of a part of an address: subtracted
  unsigned number = 0;
  std::int64_t immediate = 0;
  std::string name;
  std::vector<Operand> parts;
};

struct Instruction {
  std::optional<Operand> guard;    ///< `@p`, negated for `@!p`
  std::vector<std::string> opcode; ///< `ld`, `shared`, `v4`, `f32`
  std::vector<Operand> operands;

  std::string name() const; ///< `ld.shared.v4.f32`
  bool has(std::string_view modifier) const;
};

struct Register {
  std::string name;
  std::uint8_t width; ///< bits; 1 for predicates
};

struct Label {
  std::string name;
  std::size_t at = 0; ///< the instruction that follows
};

struct Statement {
  std::vector<Register> registers;
  std::vector<Label> labels; ///< those that nothing in an inner scope hides
  std::vector<Instruction> instructions;
  bool branches = false;      ///< labels: the instructions do not run one after the other
  std::string not_understood; ///< the first text that is not PTX as known here
};

/// `text` is LLVM's template: `$0` and `${0:x}` are operands, `$$` a dollar. Names declared in inner scopes are made
/// unique.
Statement parse(std::string_view text);

/// Bits of a type name such as `u32`, `b128` or `f16x2`; 0 if it is none.
unsigned type_width(std::string_view type);

} // namespace smem::lower::ptx
