#include "sass/disassembler/decode.h"

#include <bit>

#include "sass/disassembler/number_text.h"

namespace smem::compiled {
namespace {

using Kind = EncodingElement::Kind;

constexpr unsigned kInstructionBytes = 16, kScheduling = 105;
constexpr unsigned kNoRegister = 255, kNoUniformRegister = 63, kTrue = 7;

std::int64_t sign_extended(std::uint64_t value, unsigned width) {
  const unsigned unused = 64 - width;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::string numbered(const char *letter, std::uint64_t number, std::uint64_t none, const char *name) {
  return number == none ? name : letter + std::to_string(number);
}

class Decoder {
public:
  Decoder(const EncodingTable &table, const InstructionWord &word, std::uint64_t offset)
      : table_(table), word_(word), offset_(offset) {}

  DecodedInstruction run(const EncodingRow &row) {
    read_ = row.ignored;
    read_.mark(0, 16); // opcode and guard
    for (const EncodingCondition &condition : row.conditions)
      read_.mark(condition.first, condition.width);
    std::string text;
    for (const EncodingElement &element : row.elements)
      text += text_of(element);
    // What is not read might change what the instruction is.
    read_.mark(kScheduling, 128 - kScheduling);
    if (const std::uint64_t low = word_.low & ~read_.low, high = word_.high & ~read_.high;
        result_.error.empty() && (low || high))
      result_.error =
          "bit " + std::to_string(low ? std::countr_zero(low) : 64 + std::countr_zero(high)) + " is not known";
    result_.text = guard(row.uniform) + text;
    return std::move(result_);
  }

private:
  std::uint64_t take(unsigned first, unsigned width) {
    read_.mark(first, width);
    return word_.bits(first, width);
  }

  std::string guard(bool uniform) const {
    const std::uint64_t predicate = word_.bits(12, 3), negated = word_.bits(15, 1);
    if (predicate == kTrue && !negated)
      return {};
    return std::string(negated ? "@!" : "@") +
           (uniform ? numbered("UP", predicate, kTrue, "UPT") : numbered("P", predicate, kTrue, "PT")) + " ";
  }

  std::string refuse(const std::string &what) {
    if (result_.error.empty())
      result_.error = what;
    return {};
  }

  /// In words of 32 bits; the lower eight bits lie elsewhere.
  std::int64_t branch_distance() {
    const std::uint64_t lower = take(16, 8), upper = take(34, 48);
    return sign_extended(upper << 8 | lower, 56) * 4;
  }

  std::string branch_to(std::int64_t distance) {
    result_.target = offset_ + kInstructionBytes + static_cast<std::uint64_t>(distance);
    return "`(" + label_of(*result_.target) + ")";
  }

  /// The sum in an address: what is zero is left out, but for the last register where nothing is left.
  std::string address_of(const EncodingElement &element) {
    std::string sum, zero = "RZ";
    const auto add = [&](const std::string &term) { sum += (sum.empty() ? "" : "+") + term; };
    for (const EncodingElement &term : element.terms) {
      if (term.kind == Kind::UniformRegisterIf) {
        if (take(term.bit, 1))
          add(numbered("UR", take(term.first, term.width), kNoUniformRegister, "URZ"));
        continue;
      }
      if (term.kind == Kind::AlwaysUniformRegister) {
        add(numbered("UR", take(term.first, term.width), kNoUniformRegister, "URZ"));
        continue;
      }
      const std::uint64_t value = take(term.first, term.width);
      std::string suffix;
      for (const EncodingElement &behind : term.terms)
        suffix += text_of(behind);
      if (term.kind == Kind::Register && value == kNoRegister && suffix.starts_with(".X"))
        return refuse("a scaled RZ is not known"); // printed in some addresses and not in others
      if (term.kind == Kind::Register && value != kNoRegister)
        add("R" + std::to_string(value) + suffix);
      else if (term.kind == Kind::UniformRegister && value != kNoUniformRegister)
        add("UR" + std::to_string(value) + suffix);
      else if (term.kind == Kind::Offset && value != 0)
        add(sum.empty() ? unsigned_text(value) : hexadecimal_text(sign_extended(value, term.width)));
      else if (term.kind == Kind::Signed && value != 0)
        add(hexadecimal_text(sign_extended(value, term.width)));
      else if (term.kind == Kind::Register)
        zero = "RZ" + suffix;
      else if (term.kind == Kind::UniformRegister)
        zero = "URZ" + suffix;
    }
    return sum.empty() ? zero : sum;
  }

  std::string text_of(const EncodingElement &element) {
    switch (element.kind) {
    case Kind::Text: return element.text;
    case Kind::Hidden: take(element.first, element.width); return {};
    case Kind::IfSet: return take(element.first, 1) ? element.text : std::string();
    case Kind::IfClear: return take(element.first, 1) ? std::string() : element.text;
    case Kind::Alternatives: {
      const std::uint64_t value = take(element.first, element.width);
      if (value >= element.alternatives.size() || element.alternatives[value] == "?")
        return refuse("value " + std::to_string(value) + " of bits " + std::to_string(element.first) + " to " +
                      std::to_string(element.first + element.width - 1) + " is not known");
      return element.alternatives[value];
    }
    case Kind::Register: return numbered("R", take(element.first, element.width), kNoRegister, "RZ");
    case Kind::UniformRegister: return numbered("UR", take(element.first, element.width), kNoUniformRegister, "URZ");
    case Kind::Predicate: return numbered("P", take(element.first, element.width), kTrue, "PT");
    case Kind::UniformPredicate: return numbered("UP", take(element.first, element.width), kTrue, "UPT");
    case Kind::BarrierRegister: return "B" + std::to_string(take(element.first, element.width));
    case Kind::OptionalPredicate:
    case Kind::OptionalUniformPredicate: {
      const std::uint64_t value = take(element.first, element.width);
      return value == kTrue
                 ? std::string()
                 : (element.kind == Kind::OptionalPredicate ? "P" : "UP") + std::to_string(value) + element.text;
    }
    case Kind::Unsigned: return unsigned_text(take(element.first, element.width));
    case Kind::Signed: return hexadecimal_text(sign_extended(take(element.first, element.width), element.width));
    case Kind::Decimal: return std::to_string(take(element.first, element.width));
    case Kind::Float: return float_text(static_cast<std::uint32_t>(take(element.first, element.width)));
    case Kind::UpperDouble: return upper_double_text(static_cast<std::uint32_t>(take(element.first, element.width)));
    case Kind::Half: return half_text(static_cast<std::uint16_t>(take(element.first, element.width)));
    case Kind::Bfloat: return bfloat_text(static_cast<std::uint16_t>(take(element.first, element.width)));
    case Kind::Constant: { // the bank, and the offset in words of 32 bits
      const std::uint64_t bank = take(54, 5), words = take(40, 14);
      return "c[" + unsigned_text(bank) + "][" + hexadecimal_text(sign_extended(words, 14) * 4) + "]";
    }
    case Kind::SpecialRegister: {
      const unsigned number = static_cast<unsigned>(take(72, 8));
      const auto name = table_.special_registers.find(number);
      return name == table_.special_registers.end()
                 ? refuse("special register " + std::to_string(number) + " is not known")
                 : name->second;
    }
    case Kind::PredicateTable: {
      const std::uint64_t upper = take(72, 5), lower = take(64, 3);
      return unsigned_text(upper << 3 | lower);
    }
    case Kind::Branch: return branch_to(branch_distance());
    case Kind::BranchDistance: return hexadecimal_text(branch_distance());
    case Kind::Jump: return branch_to(sign_extended(take(element.first, element.width), element.width));
    case Kind::Address: return address_of(element);
    case Kind::Offset:
    case Kind::AlwaysUniformRegister:
    case Kind::UniformRegisterIf: return refuse("a term without an address");
    }
    return {};
  }

  const EncodingTable &table_;
  const InstructionWord &word_;
  std::uint64_t offset_;
  InstructionWord read_;
  DecodedInstruction result_;
};

bool holds(const EncodingCondition &condition, const InstructionWord &word) {
  const std::uint64_t value = word.bits(condition.first, condition.width);
  return condition.power_of_two ? std::has_single_bit(value) : value == condition.value;
}

} // namespace

std::string label_of(std::uint64_t offset) { return ".L_x_" + unsigned_text(offset).substr(2); }

DecodedInstruction decode_instruction(const EncodingTable &table, const InstructionWord &word, std::uint64_t offset) {
  const unsigned opcode = static_cast<unsigned>(word.bits(0, 12));
  if (const auto rows = table.rows.find(opcode); rows != table.rows.end())
    for (const EncodingRow &row : rows->second) {
      bool all = true;
      for (const EncodingCondition &condition : row.conditions)
        all = all && holds(condition, word);
      if (all)
        return Decoder(table, word, offset).run(row);
    }
  return {{}, {}, "opcode " + unsigned_text(opcode) + " is not known"};
}

} // namespace smem::compiled
