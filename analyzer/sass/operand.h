// One operand of a machine instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem::compiled {

/// Registers of a thread and of a warp, and their predicates. RZ, URZ, PT and UPT are none.
enum class Bank : std::uint8_t { General, Uniform, Predicate, UniformPredicate };

struct MachineRegister {
  Bank bank = Bank::General;
  std::uint16_t number = 0;
  bool constant = false; ///< RZ, URZ: zero; PT, UPT: true
};

struct MachineOperand {
  enum class Kind : std::uint8_t { Register, Immediate, Constant, Memory, Label, Special, Other };

  /// A summand of an address.
  struct Summand {
    MachineRegister reg;
    std::uint32_t scale = 1;
  };

  Kind kind = Kind::Other;
  std::string text;              ///< as printed; of a label its name
  MachineRegister reg;           ///< Register; Constant: the index, where there is one
  bool negated = false;          ///< - of a number, ! of a predicate
  bool inverted = false;         ///< ~
  bool absolute = false;         ///< |R4|
  std::string part;              ///< what stands behind a register's point: "H0_H0", "U16"; not "64"
  std::int64_t value = 0;        ///< Immediate; Constant: offset in the bank; Memory: offset
  bool decimal = false;          ///< an Immediate that is printed as a floating-point number
  double number = 0;             ///< such a one
  std::uint32_t bank = 0;        ///< Constant
  bool indexed = false;          ///< Constant: `reg` is added to the offset
  std::vector<Summand> summands; ///< Memory
};

inline bool is_predicate(const MachineOperand &operand) {
  return operand.kind == MachineOperand::Kind::Register &&
         (operand.reg.bank == Bank::Predicate || operand.reg.bank == Bank::UniformPredicate);
}

MachineOperand parse_operand(std::string_view text);
std::optional<MachineRegister> parse_register(std::string_view text);

} // namespace smem::compiled
