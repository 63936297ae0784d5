// Exchange between the lanes of a warp in inline PTX: shuffles, votes, matches, reductions.
#include "ir/ptx_lowering.h"

#include <array>
#include <utility>

#include "ptx/ptx_names.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

constexpr std::array<std::pair<std::string_view, Opcode>, 5> kReductions{{
    {"add", Opcode::Add},
    {"and", Opcode::And},
    {"or", Opcode::Or},
    {"xor", Opcode::Xor},
    {"min", Opcode::SMin},
}};

} // namespace

bool PtxLowering::lower_exchange(const ptx::Instruction &instruction) {
  const std::string &head = instruction.opcode[0];
  const auto &operands = instruction.operands;
  if (operands.size() < 2)
    return false;
  // Without `.sync` there is no mask: all active lanes.
  const auto members = [&](std::size_t i) {
    return i < operands.size() ? read(operands[i], 32) : builder_.constant(32, -1);
  };
  if (head == "vote") {
    const RegisterId asked = predicate(operands[1]);
    const bool ballot = instruction.has("ballot");
    write(operands[0], builder_.emit(ballot                   ? Opcode::Ballot
                                     : instruction.has("all") ? Opcode::VoteAll
                                     : instruction.has("any") ? Opcode::VoteAny
                                                              : Opcode::VoteUniform,
                                     ballot ? 32 : 1, {asked, members(2)}));
    return true;
  }
  const bool pair = operands[0].kind == Kind::Pair;
  if (head == "elect") {
    // The lowest lane of the mask: so it was for each of 4096 masks on an H200.
    const RegisterId leader = builder_.emit(Opcode::CountTrailingZeros, 32, {read(operands[1], 32)});
    if (pair)
      write(operands[0].parts[1], builder_.compare(Opcode::Eq, builder_.special(SpecialRegister::Lane), leader));
    write(pair ? operands[0].parts[0] : operands[0], leader);
    return true;
  }
  const ptx::Operand &target = pair ? operands[0].parts[0] : operands[0];
  if (head == "match") {
    const RegisterId value = read(operands[1], instruction.has("b64") ? 64 : 32);
    const RegisterId mask =
        builder_.emit(instruction.has("any") ? Opcode::MatchAny : Opcode::MatchAll, 32, {value, members(2)});
    write(target, mask);
    if (pair)
      write(operands[0].parts[1], builder_.compare(Opcode::Ne, mask, builder_.constant(32, 0)));
    return true;
  }
  if (head == "redux") {
    const Opcode *operation = nullptr;
    for (const std::string &part : instruction.opcode)
      if (!operation)
        operation = ptx::find(kReductions, part);
    const auto types = ptx::types_of(instruction);
    const bool sign = !types.empty() && ptx::is_signed(types.back());
    if (types.empty() || ptx::is_float(types.back()) || (!operation && !instruction.has("max")))
      return false;
    const Opcode opcode = instruction.has("max")   ? sign ? Opcode::SMax : Opcode::UMax
                          : instruction.has("min") ? sign ? Opcode::SMin : Opcode::UMin
                                                   : *operation;
    write(target, builder_.emit(Opcode::Reduce, 32, {read(operands[1], 32), members(2)}, kNone,
                                static_cast<std::int64_t>(opcode)));
    return true;
  }
  if (operands.size() < 4)
    return false;
  const ShuffleMode mode = instruction.has("idx")    ? ShuffleMode::Index
                           : instruction.has("up")   ? ShuffleMode::Up
                           : instruction.has("down") ? ShuffleMode::Down
                                                     : ShuffleMode::Butterfly;
  const Registers in{read(operands[1], 32), read(operands[2], 32), read(operands[3], 32)};
  const RegisterId moved = builder_.emit(Opcode::Shuffle, 32, in, kNone, static_cast<std::int64_t>(mode));
  if (pair)
    write(operands[0].parts[1], builder_.emit(Opcode::ShuffleOk, 1, in, kNone, static_cast<std::int64_t>(mode)));
  write(target, moved);
  return true;
}

} // namespace smem::lower
