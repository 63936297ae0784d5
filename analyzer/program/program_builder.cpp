#include "program/program_builder.h"

#include <algorithm>

namespace smem::lower {
namespace {

/// Constants are kept sign-extended from their width, so that equal values are one register.
std::int64_t canonical(std::int64_t value, std::uint8_t width) {
  if (width >= 64)
    return value;
  const auto bits = static_cast<std::uint64_t>(value) << (64 - width);
  return static_cast<std::int64_t>(bits) >> (64 - width);
}

std::uint64_t unsigned_bits(std::int64_t value, std::uint8_t width) {
  return width >= 64 ? static_cast<std::uint64_t>(value)
                     : static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << width) - 1);
}

bool is_commutative(Opcode opcode) {
  switch (opcode) {
  case Opcode::Add:
  case Opcode::Mul:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Eq:
  case Opcode::Ne:
  case Opcode::UMin:
  case Opcode::UMax:
  case Opcode::SMin:
  case Opcode::SMax:
  case Opcode::FAdd:
  case Opcode::FMul:
  case Opcode::FEq:
  case Opcode::FNe: return true;
  default: return false;
  }
}

/// Whether two of it with the same operands in one block are the same value. Exchanges are executed by the active lanes, and
/// those do not change inside a block.
bool is_shareable(Opcode opcode) { return opcode < Opcode::Memory; }

} // namespace

BlockId ProgramBuilder::new_block() {
  program_.blocks.emplace_back();
  return static_cast<BlockId>(program_.blocks.size() - 1);
}

void ProgramBuilder::enter(BlockId block) {
  if (block != block_)
    local_.clear();
  block_ = block;
}

RegisterId ProgramBuilder::new_register(std::uint8_t width) {
  program_.register_width.push_back(width);
  return program_.register_count++;
}

RegisterId ProgramBuilder::leaf(Opcode opcode, std::uint8_t width, std::uint32_t index, std::int64_t immediate) {
  auto [it, inserted] = leaves_.try_emplace(Key{opcode, width, index, immediate, {}}, kNone);
  if (!inserted)
    return it->second;
  it->second = new_register(width);
  leaves_to_place_.push_back({opcode, width, it->second, index, immediate, {}});
  return it->second;
}

void ProgramBuilder::place_leaves() {
  auto &entry = program_.blocks[0].instructions;
  entry.insert(entry.begin() + static_cast<std::ptrdiff_t>(leaf_count_), leaves_to_place_.begin(),
               leaves_to_place_.end());
  leaf_count_ += leaves_to_place_.size();
  leaves_to_place_.clear();
}

RegisterId ProgramBuilder::constant(std::uint8_t width, std::int64_t value) {
  const std::int64_t bits = canonical(value, width);
  const RegisterId id = leaf(Opcode::Constant, width, kNone, bits);
  constants_[id] = bits;
  return id;
}

RegisterId ProgramBuilder::special(SpecialRegister which, std::uint8_t width) {
  return leaf(Opcode::Special, width, kNone, static_cast<std::int64_t>(which));
}

std::optional<std::int64_t> ProgramBuilder::constant_value(RegisterId id) const {
  const auto it = constants_.find(id);
  return it == constants_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<RegisterId> ProgramBuilder::fold(Opcode opcode, std::uint8_t width,
                                               const std::vector<RegisterId> &operands) {
  if (opcode == Opcode::Select) {
    if (operands[1] == operands[2])
      return operands[1];
    if (const auto condition = constant_value(operands[0]))
      return *condition ? operands[1] : operands[2];
    return std::nullopt;
  }
  if (operands.size() == 1) {
    const auto value = constant_value(operands[0]);
    if (!value)
      return std::nullopt;
    switch (opcode) {
    case Opcode::Truncate:
    case Opcode::SignExtend: return constant(width, *value);
    case Opcode::ZeroExtend:
      return constant(width, static_cast<std::int64_t>(unsigned_bits(*value, this->width(operands[0]))));
    default: return std::nullopt;
    }
  }
  if (operands.size() != 2)
    return std::nullopt;
  const auto a = constant_value(operands[0]), b = constant_value(operands[1]);
  if (a && b) {
    const auto x = static_cast<std::uint64_t>(*a), y = static_cast<std::uint64_t>(*b);
    switch (opcode) {
    case Opcode::Add: return constant(width, static_cast<std::int64_t>(x + y));
    case Opcode::Sub: return constant(width, static_cast<std::int64_t>(x - y));
    case Opcode::Mul: return constant(width, static_cast<std::int64_t>(x * y));
    case Opcode::And: return constant(width, static_cast<std::int64_t>(x & y));
    case Opcode::Or: return constant(width, static_cast<std::int64_t>(x | y));
    case Opcode::Xor: return constant(width, static_cast<std::int64_t>(x ^ y));
    case Opcode::Eq: return constant(1, x == y);
    case Opcode::Ne: return constant(1, x != y);
    case Opcode::Shl:
      if (y < width)
        return constant(width, static_cast<std::int64_t>(x << y));
      break;
    default: break;
    }
  }
  if (b) {
    switch (opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr:
      if (*b == 0)
        return operands[0];
      break;
    case Opcode::Mul:
      if (unsigned_bits(*b, width) == 1)
        return operands[0];
      if (*b == 0)
        return operands[1];
      break;
    case Opcode::And:
      if (*b == -1)
        return operands[0];
      if (*b == 0)
        return operands[1];
      break;
    default: break;
    }
  }
  return std::nullopt;
}

RegisterId ProgramBuilder::emit(Opcode opcode, std::uint8_t width, std::vector<RegisterId> operands,
                                std::uint32_t index, std::int64_t immediate) {
  if (operands.size() == 2 && is_commutative(opcode) && constant_value(operands[0]) && !constant_value(operands[1]))
    std::swap(operands[0], operands[1]);
  if (const auto folded = fold(opcode, width, operands))
    return *folded;
  Key key{opcode, width, index, immediate, operands};
  if (is_shareable(opcode))
    if (const auto it = local_.find(key); it != local_.end())
      return it->second;
  const RegisterId result = new_register(width);
  program_.blocks[block_].instructions.push_back({opcode, width, result, index, immediate, std::move(operands)});
  local_.emplace(std::move(key), result);
  return result;
}

RegisterId ProgramBuilder::resize(RegisterId value, std::uint8_t to, bool is_signed) {
  const std::uint8_t from = width(value);
  if (from == to)
    return value;
  return emit(from > to ? Opcode::Truncate : is_signed ? Opcode::SignExtend : Opcode::ZeroExtend, to, {value});
}

std::uint32_t ProgramBuilder::reason(const std::string &text) {
  const auto [it, inserted] = reasons_.try_emplace(text, static_cast<std::uint32_t>(program_.reasons.size()));
  if (inserted)
    program_.reasons.push_back(text);
  return it->second;
}

RegisterId ProgramBuilder::opaque(std::uint8_t width, const std::string &text, std::vector<RegisterId> operands) {
  return emit(Opcode::Opaque, width, std::move(operands), reason(text));
}

RegisterId ProgramBuilder::agree(const std::string &text, const std::vector<RegisterId> &values) {
  return emit(Opcode::Agree, width(values.front()), values, reason(text));
}

RegisterId ProgramBuilder::opaque_per_lane(std::uint8_t width, const std::string &text,
                                           std::vector<RegisterId> operands) {
  operands.push_back(special(SpecialRegister::Lane));
  return opaque(width, text, std::move(operands));
}

RegisterId ProgramBuilder::opaque_event(std::uint8_t width, const std::string &text, std::vector<RegisterId> operands) {
  operands.push_back(constant(32, events_++));
  return opaque(width, text, std::move(operands));
}

RegisterId ProgramBuilder::vote_of_block(std::uint8_t width, const std::string &text) {
  const RegisterId result = opaque_event(width, text, {});
  program_.blocks[block_].instructions.back().immediate = kVotes;
  return result;
}

RegisterId ProgramBuilder::mbarrier(std::uint8_t width, MbarrierCall call, std::vector<RegisterId> operands,
                                    const std::string &text, std::uint32_t place) {
  operands.push_back(constant(32, events_++));
  call.reason = reason(text);
  const RegisterId result = new_register(width);
  program_.blocks[block_].instructions.push_back(
      {Opcode::Mbarrier, width, result, place, call.pack(), std::move(operands)});
  return result;
}

void ProgramBuilder::effect(Opcode opcode, std::uint32_t index, std::int64_t immediate) {
  program_.blocks[block_].instructions.push_back({opcode, 32, kNone, index, immediate, {}});
}

void ProgramBuilder::effect_of(Opcode opcode, std::vector<RegisterId> operands, std::uint32_t index,
                               std::int64_t immediate) {
  program_.blocks[block_].instructions.push_back({opcode, 32, kNone, index, immediate, std::move(operands)});
}

std::vector<RegisterId> ProgramBuilder::recut(std::span<const RegisterId> from, std::span<const std::uint8_t> widths) {
  const bool same =
      from.size() == widths.size() && std::equal(from.begin(), from.end(), widths.begin(),
                                                 [&](RegisterId id, std::uint8_t bits) { return width(id) == bits; });
  if (same)
    return {from.begin(), from.end()};

  std::vector<RegisterId> result;
  std::size_t source = 0; // first register that still has unread bits
  unsigned consumed = 0;  // of it
  for (std::uint8_t bits : widths) {
    RegisterId whole = kNone;
    unsigned filled = 0;
    while (filled < bits && source < from.size()) {
      const unsigned available = width(from[source]) - consumed;
      const unsigned taken = std::min<unsigned>(available, bits - filled);
      const auto source_width = width(from[source]);
      RegisterId piece = emit(Opcode::LShr, source_width, {from[source], constant(source_width, consumed)});
      piece = resize(piece, static_cast<std::uint8_t>(taken), false);
      piece = resize(piece, bits, false);
      piece = emit(Opcode::Shl, bits, {piece, constant(bits, filled)});
      whole = whole == kNone ? piece : emit(Opcode::Or, bits, {whole, piece});
      filled += taken;
      consumed += taken;
      if (consumed == source_width) {
        ++source;
        consumed = 0;
      }
    }
    result.push_back(whole == kNone ? undefined(bits) : whole);
  }
  return result;
}

} // namespace smem::lower
