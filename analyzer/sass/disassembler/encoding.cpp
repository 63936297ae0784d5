#include "sass/disassembler/encoding.h"

#include <optional>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

namespace smem::compiled {
namespace {

using llvm::SmallVector;
using llvm::StringRef;
using Kind = EncodingElement::Kind;

constexpr unsigned kRegisterBits = 8, kUniformRegisterBits = 6, kPredicateBits = 3, kBarrierBits = 4, kWordBits = 128;

/// Where the second and the third operand have their signs and the bars of a magnitude; their registers lie at these bits, too.
constexpr unsigned kSecond = 32, kThird = 64;
struct Modifiers {
  unsigned sign, magnitude;
};
constexpr Modifiers modifiers_of(unsigned slot) { return slot == kSecond ? Modifiers{63, 62} : Modifiers{75, 74}; }

/// How the operands @B and @C are held, by bits 8 to 11 of the opcode.
enum class Holder : std::uint8_t { Register, Immediate, Constant, Uniform };
struct Form {
  char digit;
  Holder second, third;
  bool swapped; ///< the third operand is held where the second is in other forms
};
constexpr Form kForms[] = {
    {'1', Holder::Register, Holder::Register, false},  {'2', Holder::Register, Holder::Register, false},
    {'3', Holder::Register, Holder::Register, false},  {'4', Holder::Register, Holder::Immediate, true},
    {'6', Holder::Register, Holder::Constant, true},   {'8', Holder::Immediate, Holder::Register, false},
    {'9', Holder::Immediate, Holder::Register, false}, {'a', Holder::Constant, Holder::Register, false},
    {'b', Holder::Constant, Holder::Register, false},  {'c', Holder::Uniform, Holder::Register, false},
    {'d', Holder::Uniform, Holder::Register, false},   {'e', Holder::Register, Holder::Uniform, true}};

class Reader {
public:
  ParsedEncodings run(StringRef text) {
    unsigned number = 0;
    while (!text.empty() && error_.empty()) {
      auto [line, rest] = text.split('\n');
      text = rest;
      ++number;
      line = line.trim();
      if (!line.empty() && !line.starts_with("#") && !read(line))
        fail("not a row");
    }
    if (!error_.empty())
      return {{}, "line " + std::to_string(number) + ": " + error_};
    return {std::move(table_), {}};
  }

private:
  bool fail(const std::string &what) {
    if (error_.empty())
      error_ = what;
    return false;
  }

  bool read(StringRef line) {
    if (line.consume_front("SR ")) {
      const auto [number, name] = line.split(' ');
      unsigned value = 0;
      if (number.getAsInteger(10, value) || name.empty())
        return false;
      table_.special_registers[value] = name.trim().str();
      return true;
    }
    if (line.starts_with("$")) {
      const auto [name, text] = line.split(' ');
      names_[name.str()] = text.str();
      return true;
    }
    const std::optional<std::string> whole = with_names(line, 0);
    if (!whole)
      return false;
    StringRef row = *whole;
    const bool in_forms = row.consume_front("*");
    const auto [head, rest] = row.split(' ');
    return in_forms ? read_forms(head, rest) : read_row(head, rest);
  }

  /// The line with its $names replaced.
  std::optional<std::string> with_names(StringRef line, unsigned depth) {
    constexpr unsigned kDeepest = 8;
    std::string out;
    while (!line.empty()) {
      const std::size_t at = line.find('$');
      out += line.take_front(at).str();
      if (at == StringRef::npos)
        break;
      line = line.drop_front(at);
      const StringRef name =
          line.take_front(1 + line.drop_front().take_while([](char c) { return llvm::isAlnum(c); }).size());
      const auto known = names_.find(name.str());
      if (known == names_.end() || depth == kDeepest) {
        fail("no name " + name.str());
        return std::nullopt;
      }
      const std::optional<std::string> inner = with_names(known->second, depth + 1);
      if (!inner)
        return std::nullopt;
      out += *inner;
      line = line.drop_front(name.size());
    }
    return out;
  }

  /// One row for each form.
  bool read_forms(StringRef head, StringRef rest) {
    const auto [opcode, behind] = head.split('/');
    const auto [forms, conditions] = behind.split('/');
    const auto [kind, text] = rest.split(' ');
    if (kind.size() != 1 || forms.empty())
      return fail("no kind or no forms");
    const bool uniform = ("/" + conditions.str() + "/").find("/u/") != std::string::npos;
    const bool one_operand = !text.contains("@C") && !text.contains("@I");
    for (const char digit : forms) {
      const Form *form = llvm::find_if(kForms, [&](const Form &known) { return known.digit == digit; });
      if (form == std::end(kForms))
        return fail("no form");
      // The operand that is no register of slot 64 is always held at 32.
      const auto slot = [&](Holder holder, bool third) {
        return holder == Holder::Register && (form->swapped || third) ? kThird : kSecond;
      };
      std::string second = operand(form->second, slot(form->second, false), kind[0] == 'n' ? 'm' : kind[0], uniform);
      const std::string third = operand(form->third, slot(form->third, true), kind[0], uniform);
      if (one_operand && form->swapped)
        second = third;
      std::string expanded = text.str();
      replace(expanded, "@B", second);
      replace(expanded, "@C", third);
      replace(second, "?-}", "?~}");
      replace(expanded, "@N", second);
      std::string inverted = third;
      replace(inverted, "?-}", "?~}");
      replace(expanded, "@I", inverted);
      std::string row_head = std::string(1, digit) + opcode.str();
      if (!conditions.empty())
        row_head += "/" + conditions.str();
      // Uniform registers are told from registers by this bit, too.
      if (digit == 'c' || digit == 'd' || digit == 'e')
        row_head += "/91=1";
      if (!read_row(row_head, expanded))
        return false;
    }
    return true;
  }

  static void replace(std::string &text, StringRef what, const std::string &with) {
    for (std::size_t at = 0; (at = text.find(what.data(), at, what.size())) != std::string::npos; at += with.size())
      text.replace(at, what.size(), with);
  }

  static std::string operand(Holder holder, unsigned slot, char kind, bool uniform) {
    if (holder == Holder::Immediate) {
      switch (kind) {
      case 'f': return "{F32}";
      case 'd': return "{D32}";
      case 'i':
      case 'm':
      case 'n': return "{S32:32}";
      default: return "{I32:32}";
      }
    }
    std::string text = holder == Holder::Constant
                           ? "{C}"
                           : (holder == Holder::Uniform || uniform ? "{U" : "{R") + std::to_string(slot) + "}";
    if (kind == 'p' || kind == 'm')
      return text;
    const Modifiers bits = modifiers_of(slot);
    if (kind == 'f' || kind == 'd') {
      const std::string bar = "{" + std::to_string(bits.magnitude) + "?|}";
      text = bar + text + bar;
    }
    return "{" + std::to_string(bits.sign) + "?-}" + text;
  }

  bool read_row(StringRef head, StringRef text) {
    EncodingRow row;
    SmallVector<StringRef, 8> parts;
    head.split(parts, '/');
    constexpr unsigned kOpcodes = 1u << 12;
    if (parts[0].getAsInteger(16, row.opcode) || row.opcode >= kOpcodes)
      return fail("no opcode");
    for (const StringRef part : llvm::drop_begin(parts))
      if (!read_condition(part, row))
        return fail("no condition: " + part.str());
    if (!read_template(text, row.elements))
      return false;
    table_.rows[row.opcode].push_back(std::move(row));
    return true;
  }

  static bool bit_field(StringRef text, unsigned &first, unsigned &width) {
    const auto [from, bits] = text.split(':');
    width = 1;
    return !from.getAsInteger(10, first) && (bits.empty() || !bits.getAsInteger(10, width)) && width > 0 &&
           width <= 64 && first + width <= kWordBits;
  }

  static bool read_condition(StringRef text, EncodingRow &row) {
    if (text == "u") {
      row.uniform = true;
      return true;
    }
    if (text.consume_front("~")) {
      SmallVector<StringRef, 4> fields;
      text.split(fields, ',');
      for (const StringRef field : fields) {
        unsigned first = 0, width = 0;
        if (!bit_field(field, first, width))
          return false;
        row.ignored.mark(first, width);
      }
      return true;
    }
    EncodingCondition condition;
    condition.power_of_two = text.consume_back("pow2");
    const auto [field, value] = text.split('=');
    row.conditions.push_back(condition);
    return bit_field(field, row.conditions.back().first, row.conditions.back().width) &&
           (condition.power_of_two ? value.empty() : !value.getAsInteger(16, row.conditions.back().value));
  }

  bool read_template(StringRef text, std::vector<EncodingElement> &elements) {
    if (text.empty())
      return fail("no text");
    while (!text.empty()) {
      const std::size_t open = text.find('{');
      if (const StringRef plain = text.take_front(open); !plain.empty())
        elements.push_back({Kind::Text, 0, 0, 0, plain.str(), {}, {}});
      if (open == StringRef::npos)
        break;
      const std::size_t close = text.find('}', open);
      if (close == StringRef::npos)
        return fail("a brace is not closed");
      std::optional<EncodingElement> element = element_of(text.slice(open + 1, close));
      if (!element)
        return fail("no element: " + text.slice(open, close + 1).str());
      elements.push_back(std::move(*element));
      text = text.drop_front(close + 1);
    }
    return true;
  }

  /// `16` behind the letter of a register.
  static std::optional<EncodingElement> at(Kind kind, StringRef number, unsigned width) {
    EncodingElement element;
    element.kind = kind;
    element.width = width;
    if (number.getAsInteger(10, element.first) || element.first + width > kWordBits)
      return std::nullopt;
    return element;
  }

  static std::optional<EncodingElement> field(Kind kind, StringRef text) {
    EncodingElement element;
    element.kind = kind;
    if (!bit_field(text, element.first, element.width))
      return std::nullopt;
    return element;
  }

  static std::optional<EncodingElement> element_of(StringRef text) {
    if (text.empty())
      return std::nullopt;
    if (llvm::isDigit(text[0])) {
      const std::size_t end = text.find_first_of("?^ ");
      if (end == StringRef::npos)
        return std::nullopt;
      std::optional<EncodingElement> element = field(text[end] == ' '   ? Kind::Alternatives
                                                     : text[end] == '?' ? Kind::IfSet
                                                                        : Kind::IfClear,
                                                     text.take_front(end));
      if (!element)
        return std::nullopt;
      const StringRef behind = text.drop_front(end + 1);
      element->text = behind.str();
      if (element->kind == Kind::Alternatives) {
        SmallVector<StringRef, 16> alternatives;
        behind.split(alternatives, ',');
        for (const StringRef alternative : alternatives)
          element->alternatives.push_back(alternative.str());
      }
      return element;
    }
    if (text == "C")
      return EncodingElement{Kind::Constant, 0, 0, 0, {}, {}, {}};
    if (text == "SR")
      return EncodingElement{Kind::SpecialRegister, 0, 0, 0, {}, {}, {}};
    if (text == "LUT")
      return EncodingElement{Kind::PredicateTable, 0, 0, 0, {}, {}, {}};
    if (text == "BR")
      return EncodingElement{Kind::Branch, 0, 0, 0, {}, {}, {}};
    if (text == "BD")
      return EncodingElement{Kind::BranchDistance, 0, 0, 0, {}, {}, {}};
    const StringRef behind = text.drop_front();
    switch (text[0]) {
    case 'R': return at(Kind::Register, behind, kRegisterBits);
    case 'U': return at(Kind::UniformRegister, behind, kUniformRegisterBits);
    case 'P': return at(Kind::Predicate, behind, kPredicateBits);
    case 'Q': return at(Kind::UniformPredicate, behind, kPredicateBits);
    case 'B': return at(Kind::BarrierRegister, behind, kBarrierBits);
    case 'F': return at(Kind::Float, behind, 32);
    case 'D': return at(Kind::UpperDouble, behind, 32);
    case 'H': return at(Kind::Half, behind, 16);
    case 'Y': return at(Kind::Bfloat, behind, 16);
    case 'I': return field(Kind::Unsigned, behind);
    case 'S': return field(Kind::Signed, behind);
    case 'O': return field(Kind::Offset, behind);
    case 'N': return field(Kind::Decimal, behind);
    case 'J': return field(Kind::Jump, behind);
    case '_': return field(Kind::Hidden, behind);
    case 'M': return address_of(behind.trim());
    case '?': {
      const StringRef digits = behind.drop_front().take_while([](char c) { return llvm::isDigit(c); });
      std::optional<EncodingElement> element = at(
          behind.starts_with("Q") ? Kind::OptionalUniformPredicate : Kind::OptionalPredicate, digits, kPredicateBits);
      if (element)
        element->text = behind.drop_front(1 + digits.size()).str();
      return element;
    }
    default: return std::nullopt;
    }
  }

  static std::optional<EncodingElement> address_of(StringRef text) {
    EncodingElement address;
    address.kind = Kind::Address;
    SmallVector<StringRef, 4> terms;
    text.split(terms, '+');
    for (StringRef term : terms) {
      std::optional<EncodingElement> element;
      unsigned bit = 0;
      if (StringRef conditional = term; !conditional.consumeInteger(10, bit) && conditional.consume_front(">U")) {
        element = at(Kind::UniformRegisterIf, conditional, kUniformRegisterBits);
        if (element)
          element->bit = bit;
      } else if (term.consume_front("V")) {
        element = at(Kind::AlwaysUniformRegister, term, kUniformRegisterBits);
      } else {
        const auto [plain, suffix] = term.split('<');
        element = element_of(plain);
        if (element && !suffix.empty()) {
          const std::optional<EncodingElement> behind = element_of(suffix.drop_back(suffix.ends_with(">")));
          if (!behind)
            return std::nullopt;
          element->terms.push_back(*behind);
        }
      }
      if (!element)
        return std::nullopt;
      address.terms.push_back(std::move(*element));
    }
    return address;
  }

  EncodingTable table_;
  std::map<std::string, std::string> names_;
  std::string error_;
};

} // namespace

ParsedEncodings parse_encodings(std::string_view text) { return Reader().run(StringRef(text.data(), text.size())); }

} // namespace smem::compiled
