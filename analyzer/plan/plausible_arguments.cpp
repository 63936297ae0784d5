#include "plan/plausible_arguments.h"

#include "support/any_value.h"
#include "support/scalar_text.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace smem {
namespace {

/// The bits of 1.0.
std::int64_t one_as_float(const std::string &type, std::uint64_t size) {
  if (size == 8)
    return 0x3ff0000000000000;
  if (size == 4)
    return 0x3f800000;
  return type.find("bfloat16") != std::string::npos ? 0x3f80 : 0x3c00;
}

/// What follows from the value of one argument alone: conditions that compare it with constants.
class Reach {
public:
  Reach(const Program &program, std::uint32_t index, std::uint64_t offset)
      : program_(program), index_(index), offset_(offset) {
    for (const BasicBlock &block : program.blocks)
      for (const Instruction &instruction : block.instructions)
        if (instruction.result != kNone)
          definitions_.emplace(instruction.result, &instruction);
  }

  /// How many memory instructions the kernel can come to.
  std::size_t accesses(std::int64_t value) {
    value_ = value;
    known_.clear();
    std::vector<bool> seen(program_.blocks.size());
    std::vector<BlockId> open{0};
    std::size_t count = 0;
    while (!open.empty()) {
      const BlockId id = open.back();
      open.pop_back();
      if (id >= seen.size() || seen[id])
        continue;
      seen[id] = true;
      const BasicBlock &block = program_.blocks[id];
      count += std::ranges::count_if(block.instructions, [&](const Instruction &instruction) {
        return instruction.opcode == Opcode::Memory && program_.memory_operations[instruction.index].site != kNone;
      });
      const Terminator &end = block.terminator;
      std::optional<std::int64_t> condition;
      if (end.kind == TerminatorKind::Branch || end.kind == TerminatorKind::Switch)
        condition = of(end.condition);
      if (condition && end.kind == TerminatorKind::Branch && end.targets.size() == 2) {
        open.push_back(end.targets[*condition ? 0 : 1]);
      } else if (condition && end.kind == TerminatorKind::Switch) {
        const auto taken = std::ranges::find(end.cases, *condition);
        open.push_back(end.targets[taken == end.cases.end() ? 0 : 1 + (taken - end.cases.begin())]);
      } else {
        open.insert(open.end(), end.targets.begin(), end.targets.end());
      }
    }
    return count;
  }

private:
  static std::uint64_t mask(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  }
  static std::int64_t sign_extended(std::uint64_t bits, unsigned width) {
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    return static_cast<std::int64_t>(((bits & mask(width)) ^ sign) - sign);
  }

  std::optional<std::int64_t> of(RegisterId id, unsigned depth = 0) {
    constexpr unsigned kMostDepth = 32;
    const auto definition = definitions_.find(id);
    if (definition == definitions_.end() || depth > kMostDepth)
      return std::nullopt;
    const auto [known, fresh] = known_.try_emplace(id);
    if (fresh) {
      const std::optional<std::int64_t> result = compute(*definition->second, depth + 1);
      known_[id] = result;
      return result;
    }
    return known->second;
  }

  /// Zero-extended bits.
  std::optional<std::int64_t> compute(const Instruction &i, unsigned depth) {
    if (i.opcode == Opcode::Constant)
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(i.immediate) & mask(i.width));
    if (i.opcode == Opcode::Argument)
      return i.index == index_ && static_cast<std::uint64_t>(i.immediate) == offset_
                 ? std::optional(static_cast<std::int64_t>(static_cast<std::uint64_t>(value_) & mask(i.width)))
                 : std::nullopt;
    if (i.opcode == Opcode::And) // one of several conditions
      for (const RegisterId operand : i.operands)
        if (of(operand, depth) == 0)
          return 0;
    if (i.opcode == Opcode::Or)
      for (const RegisterId operand : i.operands)
        if (const auto value = of(operand, depth); value && static_cast<std::uint64_t>(*value) == mask(i.width))
          return value;
    if (i.opcode == Opcode::Select)
      if (const auto first = of(i.operands[1], depth); first && first == of(i.operands[2], depth))
        return first;
    if (i.opcode == Opcode::Select)
      if (const auto condition = of(i.operands[0], depth))
        return of(i.operands[*condition ? 1 : 2], depth);
    std::vector<std::uint64_t> operands;
    for (const RegisterId operand : i.operands) {
      const auto value = of(operand, depth);
      if (!value)
        return std::nullopt;
      operands.push_back(static_cast<std::uint64_t>(*value));
    }
    const auto width = [&](std::size_t n) -> unsigned {
      return i.operands[n] < program_.register_width.size() ? program_.register_width[i.operands[n]] : 64;
    };
    const auto compared = [&](auto holds) -> std::optional<std::int64_t> {
      return holds(sign_extended(operands[0], width(0)), sign_extended(operands[1], width(1)));
    };
    const auto bits = [&](std::uint64_t value) {
      return std::optional(static_cast<std::int64_t>(value & mask(i.width)));
    };
    switch (i.opcode) {
    case Opcode::Truncate:
    case Opcode::ZeroExtend: return bits(operands[0]);
    case Opcode::SignExtend: return bits(static_cast<std::uint64_t>(sign_extended(operands[0], width(0))));
    case Opcode::And: return bits(operands[0] & operands[1]);
    case Opcode::Or: return bits(operands[0] | operands[1]);
    case Opcode::Xor: return bits(operands[0] ^ operands[1]);
    case Opcode::Add: return bits(operands[0] + operands[1]);
    case Opcode::Sub: return bits(operands[0] - operands[1]);
    case Opcode::Eq: return operands[0] == operands[1];
    case Opcode::Ne: return operands[0] != operands[1];
    case Opcode::ULt: return operands[0] < operands[1];
    case Opcode::ULe: return operands[0] <= operands[1];
    case Opcode::SLt: return compared([](auto a, auto b) { return a < b; });
    case Opcode::SLe: return compared([](auto a, auto b) { return a <= b; });
    default: return std::nullopt;
    }
  }

  const Program &program_;
  std::uint32_t index_;
  std::uint64_t offset_;
  std::int64_t value_ = 0;
  std::unordered_map<RegisterId, const Instruction *> definitions_;
  std::unordered_map<RegisterId, std::optional<std::int64_t>> known_;
};

/// The first of those under which the kernel comes to most accesses.
std::int64_t best_of(const std::vector<std::int64_t> &values, const Program &program, std::uint32_t index,
                     std::uint64_t offset) {
  Reach reach(program, index, offset);
  std::int64_t best = values.front();
  std::size_t most = 0;
  for (const std::int64_t value : values)
    if (const std::size_t count = reach.accesses(value); count > most) {
      most = count;
      best = value;
    }
  return best;
}

/// Does something shift by it, as it is or of another width?
bool is_shifted_by(const Program &program, std::uint32_t index, std::uint64_t offset) {
  std::vector<bool> copies(program.register_width.size());
  const auto is_copy = [&](RegisterId id) { return id < copies.size() && copies[id]; };
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &i : block.instructions) {
      const bool shifts = i.opcode == Opcode::Shl || i.opcode == Opcode::LShr || i.opcode == Opcode::AShr;
      if (shifts && is_copy(i.operands[1]))
        return true;
      const bool converts =
          i.opcode == Opcode::Truncate || i.opcode == Opcode::ZeroExtend || i.opcode == Opcode::SignExtend;
      if (i.result < copies.size())
        copies[i.result] =
            (i.opcode == Opcode::Argument && i.index == index && static_cast<std::uint64_t>(i.immediate) == offset) ||
            (converts && is_copy(i.operands[0]));
    }
  return false;
}

} // namespace

std::optional<PlausibleArgument> plausible_argument(const Program &program, std::uint32_t index, std::uint64_t offset) {
  if (index >= program.parameters.size())
    return std::nullopt;
  const Parameter &parameter = program.parameters[index];
  ParameterMember scalar{parameter.name, parameter.type, 0, parameter.size, parameter.pointer, parameter.enumerators};
  if (!parameter.members.empty()) {
    const auto around = std::ranges::find_if(parameter.members, [&](const ParameterMember &member) {
      return offset >= member.offset && offset < member.offset + member.size;
    });
    if (around == parameter.members.end())
      return std::nullopt;
    scalar = *around;
  }
  if (scalar.size == 0 || scalar.size > 8 || offset >= scalar.offset + scalar.size)
    return std::nullopt;
  PlausibleArgument argument;
  argument.name = scalar.name.empty() ? "argument " + std::to_string(index) : scalar.name;
  argument.offset = scalar.offset;
  argument.size = scalar.size;
  argument.pointer = scalar.pointer;
  argument.any_value = !scalar.pointer && has_any_value(argument.name);
  if (scalar.pointer || argument.any_value)
    return argument;
  if (scalar.type == "bool" || scalar.type == "const bool") {
    argument.discrete = true;
    argument.value = best_of({1, 0}, program, index, scalar.offset);
    argument.text = std::to_string(argument.value);
    return argument;
  }
  if (is_floating_type(scalar.type)) {
    argument.floating = true;
    argument.value = one_as_float(scalar.type, scalar.size);
    argument.text = "1.0";
    return argument;
  }
  argument.discrete = !scalar.enumerators.empty();
  argument.shifts = !argument.discrete && is_shifted_by(program, index, scalar.offset);
  argument.value = argument.discrete  ? best_of(scalar.enumerators, program, index, scalar.offset)
                   : argument.shifts  ? kPlausibleShift
                   : scalar.size >= 2 ? kPlausibleExtent
                                      : 1;
  argument.text = std::to_string(argument.value);
  return argument;
}

} // namespace smem
