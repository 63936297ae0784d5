#include "sass/machine_logic.h"

#include <optional>
#include <vector>

namespace smem::compiled {
namespace {

constexpr std::array<std::uint8_t, 3> kColumns{0xf0, 0xcc, 0xaa};

struct Term {
  enum class Kind : std::uint8_t { Constant, Operand, Binary } kind = Kind::Constant;
  std::uint8_t table = 0;
  unsigned operand = 0;
  bool complemented = false;
  Opcode opcode = Opcode::And;
  std::size_t left = 0, right = 0; ///< indices of terms
};

std::uint8_t joined(Opcode opcode, std::uint8_t a, std::uint8_t b) {
  return static_cast<std::uint8_t>(opcode == Opcode::And ? a & b : opcode == Opcode::Or ? a | b : a ^ b);
}

class Builder {
public:
  Builder(lower::ProgramBuilder &builder, const std::array<RegisterId, 3> &operands, std::uint8_t table)
      : builder_(builder), operands_(operands), table_(table), width_(builder.width(operands[0])) {
    for (unsigned i = 0; i < 3; ++i)
      if (const auto value = builder.constant_value(operands[i]))
        if (*value == 0 || *value == -1)
          rows_ &= *value == 0 ? static_cast<std::uint8_t>(~kColumns[i]) : kColumns[i];
  }

  RegisterId run() {
    // Shorter forms first: each round joins what there is with the operands.
    add({Term::Kind::Constant, 0x00, 0, false, Opcode::And, 0, 0});
    add({Term::Kind::Constant, 0xff, 0, true, Opcode::And, 0, 0});
    for (const bool complemented : {false, true})
      for (unsigned i = 0; i < 3; ++i)
        add({Term::Kind::Operand, static_cast<std::uint8_t>(complemented ? ~kColumns[i] : kColumns[i]), i, complemented,
             Opcode::And, 0, 0});
    const std::size_t leaves = terms_.size();
    join(leaves, leaves);
    const std::size_t pairs = terms_.size();
    join(pairs, leaves);
    return found_ ? emit(*found_) : by_third_operand();
  }

private:
  /// f = (c and f with c) or (not c and f without it): functions of two operands are all found.
  RegisterId by_third_operand() {
    const std::uint8_t with = table_ & kColumns[2], without = table_ & static_cast<std::uint8_t>(~kColumns[2]);
    const RegisterId one = Builder(builder_, operands_, static_cast<std::uint8_t>(with | (with >> 1))).run();
    const RegisterId other = Builder(builder_, operands_, static_cast<std::uint8_t>(without | (without << 1))).run();
    const RegisterId c = operands_[2], not_c = builder_.emit(Opcode::Xor, width_, {c, builder_.constant(width_, -1)});
    return builder_.emit(
        Opcode::Or, width_,
        {builder_.emit(Opcode::And, width_, {c, one}), builder_.emit(Opcode::And, width_, {not_c, other})});
  }

  void add(const Term &term) {
    if (found_)
      return;
    terms_.push_back(term);
    if (((term.table ^ table_) & rows_) == 0)
      found_ = terms_.size() - 1;
  }

  void join(std::size_t to, std::size_t with) {
    for (std::size_t a = 2; a < to; ++a)
      for (std::size_t b = 2; b < with; ++b)
        for (const Opcode opcode : {Opcode::And, Opcode::Or, Opcode::Xor})
          if (!found_)
            add({Term::Kind::Binary, joined(opcode, terms_[a].table, terms_[b].table), 0, false, opcode, a, b});
  }

  RegisterId emit(std::size_t index) {
    const Term term = terms_[index];
    switch (term.kind) {
    case Term::Kind::Constant: return builder_.constant(width_, term.complemented ? -1 : 0);
    case Term::Kind::Operand: {
      const RegisterId value = operands_[term.operand];
      return term.complemented ? builder_.emit(Opcode::Xor, width_, {value, builder_.constant(width_, -1)}) : value;
    }
    case Term::Kind::Binary: return builder_.emit(term.opcode, width_, {emit(term.left), emit(term.right)});
    }
    return kNone;
  }

  lower::ProgramBuilder &builder_;
  const std::array<RegisterId, 3> &operands_;
  const std::uint8_t table_;
  const std::uint8_t width_;
  std::uint8_t rows_ = 0xff; ///< combinations that can occur
  std::vector<Term> terms_;
  std::optional<std::size_t> found_;
};

} // namespace

RegisterId bitwise_function(lower::ProgramBuilder &builder, const std::array<RegisterId, 3> &operands,
                            std::uint8_t table) {
  return Builder(builder, operands, table).run();
}

} // namespace smem::compiled
