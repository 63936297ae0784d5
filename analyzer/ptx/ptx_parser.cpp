#include "ptx/ptx_parser.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <map>
#include <utility>

namespace smem::lower::ptx {
namespace {

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$'; }
bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Statement run() {
    scopes_.emplace_back();
    for (skip(); at_ < text_.size(); skip()) {
      const std::size_t begin = at_;
      if (statement())
        continue;
      if (result_.not_understood.empty())
        result_.not_understood = std::string(text_.substr(begin, text_.find_first_of(";\n", begin) - begin));
      // On with what follows: its memory accesses must not be lost.
      while (at_ < text_.size() && peek() != ';')
        ++at_;
      if (at_ < text_.size())
        ++at_;
    }
    return std::move(result_);
  }

private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip() {
    for (;;) {
      if (std::isspace(static_cast<unsigned char>(peek()))) {
        ++at_;
      } else if (peek() == '/' && peek(1) == '/') {
        while (at_ < text_.size() && peek() != '\n')
          ++at_;
      } else if (peek() == '/' && peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  bool accept(char c) {
    skip();
    if (peek() != c)
      return false;
    ++at_;
    return true;
  }

  bool statement() {
    if (accept(';'))
      return true;
    if (accept('{')) {
      scopes_.emplace_back();
      return true;
    }
    if (accept('}')) {
      if (scopes_.size() == 1)
        return false;
      scopes_.pop_back();
      return true;
    }
    if (peek() == '.')
      return directive();
    Instruction instruction;
    if (accept('@')) {
      const bool negated = accept('!');
      auto predicate = operand();
      if (!predicate)
        return false;
      predicate->negated = negated;
      instruction.guard = std::move(predicate);
      skip();
    }
    std::size_t end = at_;
    while (end < text_.size() && (is_name_part(text_[end]) || text_[end] == '.' ||
                                  (text_[end] == ':' && end + 1 < text_.size() && text_[end + 1] == ':') ||
                                  (text_[end] == ':' && end > at_ && text_[end - 1] == ':')))
      ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word.empty())
      return false;
    at_ = end;
    skip();
    if (peek() == ':' && !instruction.guard) { // a label
      ++at_;
      result_.branches = true;
      result_.labels.push_back({std::string(word), result_.instructions.size()});
      return true;
    }
    for (std::size_t from = 0; from <= word.size();) {
      const std::size_t dot = std::min(word.find('.', from), word.size());
      instruction.opcode.emplace_back(word.substr(from, dot - from));
      from = dot + 1;
    }
    while (peek() != ';' && peek() != '}' && at_ < text_.size()) {
      auto each = operand();
      if (!each)
        return false;
      instruction.operands.push_back(std::move(*each));
      skip();
      if (peek() == ',')
        ++at_;
      else if (peek() != ';' && peek() != '}' && at_ < text_.size())
        return false;
      skip();
    }
    if (peek() == ';')
      ++at_;
    const std::string &head = instruction.opcode.front();
    if (head == "bra" || head == "brx" || head == "call" || head == "ret")
      result_.branches = true;
    result_.instructions.push_back(std::move(instruction));
    return true;
  }

  bool directive() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_name_part(text_[end]))
      ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word != ".reg") {
      // Pragmas and line marks say nothing; declarations of variables do.
      if (word != ".pragma" && word != ".loc" && word != ".file" && word != ".branchtargets")
        return false;
      at_ = std::min(text_.find(';', at_), text_.size());
      return true;
    }
    at_ = end;
    skip();
    unsigned width = 0;
    while (accept('.')) {
      end = at_;
      while (end < text_.size() && is_name_part(text_[end]))
        ++end;
      const std::string_view type = text_.substr(at_, end - at_);
      width = type == "pred" ? 1 : std::max(width, type_width(type));
      at_ = end;
      skip();
    }
    if (width == 0)
      return false;
    do {
      skip();
      end = at_;
      while (end < text_.size() && is_name_part(text_[end]))
        ++end;
      std::string name(text_.substr(at_, end - at_));
      if (name.empty())
        return false;
      at_ = end;
      if (accept('<')) { // `r<4>` declares r0 to r3
        const auto count = number();
        if (!count || !accept('>') || *count > 4096)
          return false;
        for (std::int64_t i = 0; i < *count; ++i)
          declare(name + std::to_string(i), width);
      } else {
        declare(name, width);
      }
    } while (accept(','));
    return accept(';');
  }

  void declare(const std::string &name, unsigned width) {
    const std::string unique = name + '#' + std::to_string(result_.registers.size());
    scopes_.back()[name] = unique;
    result_.registers.push_back({unique, static_cast<std::uint8_t>(std::min(width, 128u))});
  }

  std::optional<std::int64_t> number() {
    skip();
    const bool negative = peek() == '-';
    const std::size_t begin = at_ + (negative ? 1 : 0);
    std::size_t end = begin;
    while (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end])))
      ++end;
    std::string_view digits = text_.substr(begin, end - begin);
    if (digits.empty() || !std::isdigit(static_cast<unsigned char>(digits[0])))
      return std::nullopt;
    while (!digits.empty() && (digits.back() == 'U' || digits.back() == 'u'))
      digits.remove_suffix(1);
    int base = 10;
    if (digits.size() > 2 && digits[0] == '0') {
      const char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(digits[1])));
      base = kind == 'x' || kind == 'f' || kind == 'd' ? 16 : kind == 'b' ? 2 : 8; // 0f3F800000 is a float's bits
      digits.remove_prefix(base == 8 ? 1 : 2);
    }
    std::uint64_t value = 0;
    const auto [last, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (failure != std::errc{} || last != digits.data() + digits.size())
      return std::nullopt;
    at_ = end;
    if (base == 10 && peek() == '.') { // 1.0: no integer depends on it, but it must be passed over
      double real = static_cast<double>(value), unit = 0.1;
      for (++at_; std::isdigit(static_cast<unsigned char>(peek())); ++at_, unit /= 10)
        real += unit * (peek() - '0');
      return std::bit_cast<std::int64_t>(negative ? -real : real);
    }
    return static_cast<std::int64_t>(negative ? 0 - value : value);
  }

  std::optional<Operand> operand() {
    auto first = simple_operand();
    if (!first || !accept('|'))
      return first;
    auto second = simple_operand();
    if (!second)
      return std::nullopt;
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.parts = {std::move(*first), std::move(*second)};
    return pair;
  }

  std::optional<Operand> simple_operand() {
    skip();
    Operand result;
    if (accept('!')) {
      auto inner = simple_operand();
      if (inner)
        inner->negated = true;
      return inner;
    }
    if (peek() == '[')
      return address();
    if (accept('{')) {
      result.kind = Operand::Kind::Vector;
      if (accept('}'))
        return result;
      do {
        auto part = simple_operand();
        if (!part)
          return std::nullopt;
        result.parts.push_back(std::move(*part));
      } while (accept(','));
      return accept('}') ? std::optional(std::move(result)) : std::nullopt;
    }
    if (peek() == '$' && peek(1) != '$') {
      ++at_;
      const bool braces = peek() == '{';
      at_ += braces ? 1 : 0;
      std::size_t end = at_;
      while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end])))
        result.number = result.number * 10 + static_cast<unsigned>(text_[end++] - '0');
      if (end == at_)
        return std::nullopt;
      at_ = end;
      if (braces) {
        at_ = text_.find('}', at_);
        if (at_ == std::string_view::npos) {
          at_ = text_.size();
          return std::nullopt;
        }
        ++at_;
      }
      result.kind = Operand::Kind::Placeholder;
      return result;
    }
    if (std::isdigit(static_cast<unsigned char>(peek())) ||
        (peek() == '-' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      const auto value = number();
      if (!value)
        return std::nullopt;
      result.kind = Operand::Kind::Immediate;
      result.immediate = *value;
      return result;
    }
    if (peek() == '-') { // a negated register
      ++at_;
      auto inner = simple_operand();
      if (inner)
        inner->kind = Operand::Kind::Other;
      return inner;
    }
    if (!is_name_start(peek()))
      return std::nullopt;
    while (is_name_part(peek()) || peek() == '.') {
      if (peek() == '$' && peek(1) == '$')
        ++at_;
      result.name += text_[at_++];
    }
    result.kind = Operand::Kind::Name;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->find(result.name); found != scope->end()) {
        result.name = found->second;
        break;
      }
    return result;
  }

  std::optional<Operand> address() {
    accept('[');
    Operand result;
    result.kind = Operand::Kind::Address;
    bool subtracted = false;
    for (;;) {
      auto part = simple_operand();
      if (!part)
        return std::nullopt;
      part->negated = subtracted;
      result.parts.push_back(std::move(*part));
      skip();
      if (peek() == '+' || peek() == '-') {
        subtracted = peek() == '-';
        ++at_;
      } else if (peek() == ',') { // `[map, {x, y}]`
        result.parts.push_back({});
        for (int depth = 1; at_ < text_.size() && depth; ++at_)
          depth += peek() == '[' ? 1 : peek() == ']' ? -1 : 0;
        return result;
      } else {
        return accept(']') ? std::optional(std::move(result)) : std::nullopt;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::map<std::string, std::string, std::less<>>> scopes_;
  Statement result_;
};

} // namespace

std::string Instruction::name() const {
  std::string text;
  for (const std::string &part : opcode)
    text += (text.empty() ? "" : ".") + part;
  return text;
}

bool Instruction::has(std::string_view modifier) const {
  return std::find(opcode.begin(), opcode.end(), modifier) != opcode.end();
}

Statement parse(std::string_view text) {
  // `%=`, a number that no other copy of the statement has: for labels.
  static constexpr std::string_view kUnique = "${:uid}";
  std::string whole(text);
  for (std::size_t at = whole.find(kUnique); at != std::string::npos; at = whole.find(kUnique, at))
    whole.replace(at, kUnique.size(), "0");
  return Parser(whole).run();
}

unsigned type_width(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, unsigned>, 24> kTypes{{
      {"b8", 8},   {"u8", 8},   {"s8", 8},   {"b16", 16},   {"u16", 16},   {"s16", 16},    {"f16", 16},   {"bf16", 16},
      {"b32", 32}, {"u32", 32}, {"s32", 32}, {"f32", 32},   {"f16x2", 32}, {"bf16x2", 32}, {"tf32", 32},  {"b64", 64},
      {"u64", 64}, {"s64", 64}, {"f64", 64}, {"f32x2", 64}, {"b128", 128}, {"u16x2", 32},  {"s16x2", 32}, {"pred", 1},
  }};
  for (const auto &[name, width] : kTypes)
    if (name == type)
      return width;
  return 0;
}

} // namespace smem::lower::ptx
