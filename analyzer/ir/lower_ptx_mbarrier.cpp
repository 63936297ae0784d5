// Barriers in shared memory (mbarrier) and bulk copies, as races need them: what they count costs nothing that is counted here.
#include "ir/ptx_lowering.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "ptx/ptx_names.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

MbarrierOperation operation_of(const ptx::Instruction &instruction) {
  using enum MbarrierOperation;
  if (instruction.opcode[0] == "cp")
    return instruction.has("noinc") ? ArriveAfterCopies : HoldForCopies;
  // What does not release what its thread did orders nothing, but counts.
  if (instruction.has("init"))
    return Init;
  if (instruction.has("inval"))
    return Invalidate;
  if (instruction.has("test_wait") || instruction.has("try_wait"))
    return instruction.has("relaxed") ? NotFollowed : instruction.has("parity") ? WaitForParity : Wait;
  if (instruction.has("arrive") || instruction.has("arrive_drop"))
    return instruction.has("relaxed") ? NotFollowed : instruction.has("arrive") ? Arrive : ArriveAndDrop;
  if (instruction.has("expect_tx"))
    return ExpectBytes;
  if (instruction.has("complete_tx"))
    return CompleteBytes;
  return NotFollowed;
}

bool is_wait(MbarrierOperation operation) {
  return operation == MbarrierOperation::Wait || operation == MbarrierOperation::WaitForParity;
}

/// The operand that is an address, which a result may precede.
std::size_t address_at(const ptx::Instruction &instruction) {
  std::size_t at = 0;
  while (at < instruction.operands.size() && instruction.operands[at].kind != Kind::Address)
    ++at;
  return at;
}

} // namespace

RegisterId PtxLowering::shared_address(const ptx::Instruction &instruction, const ptx::Operand &operand) {
  const bool generic =
      std::ranges::none_of(instruction.opcode, [](const std::string &part) { return part.starts_with("shared"); });
  const RegisterId address = pointer(operand, AddressSpace::Shared).address;
  return generic ? builder_.emit(Opcode::GenericToShared, 64, {address}) : address;
}

RegisterId PtxLowering::lanes_of(const ptx::Instruction &instruction) {
  const RegisterId own = guard(instruction);
  return own == kNone ? builder_.constant(1, 1) : own;
}

void PtxLowering::untimed(const std::string &what) {
  Program &program = lowering_.program_;
  if (!program.untimed.empty())
    return;
  program.untimed = what;
  program.untimed_at = lowering_.locations_.attributed(call_).location;
}

bool PtxLowering::spins_here() const {
  enum class End : std::uint8_t { Over, Again, Elsewhere };
  const ptx::Instruction &wait = statement_.instructions[at_];
  if (wait.guard || wait.operands.empty() || wait.operands[0].kind != Kind::Name)
    return false;
  static constexpr std::array<std::string_view, 3> kHarmless{"mov", "selp", "nanosleep"};
  const auto follow = [&](bool done) {
    std::size_t at = at_ + 1;
    for (std::size_t steps = 0; steps <= 2 * statement_.instructions.size(); ++steps) {
      if (at == statement_.instructions.size())
        return End::Over;
      if (at == at_)
        return End::Again;
      const ptx::Instruction &instruction = statement_.instructions[at++];
      if (instruction.opcode[0] != "bra") {
        if (instruction.guard || std::ranges::find(kHarmless, instruction.opcode[0]) == kHarmless.end())
          return End::Elsewhere;
        continue;
      }
      if (instruction.guard && instruction.guard->name != wait.operands[0].name)
        return End::Elsewhere;
      if (instruction.guard && done == instruction.guard->negated)
        continue;
      const auto is_target = [&](const ptx::Label &label) {
        return !instruction.operands.empty() && label.name == instruction.operands[0].name;
      };
      if (std::ranges::count_if(statement_.labels, is_target) != 1)
        return End::Elsewhere;
      at = std::ranges::find_if(statement_.labels, is_target)->at;
    }
    return End::Elsewhere;
  };
  return follow(true) == End::Over && follow(false) == End::Again;
}

void PtxLowering::lower_mbarrier(const ptx::Instruction &instruction) {
  MbarrierCall call{operation_of(instruction)};
  lowering_.program_.waits_in_memory = true;
  const std::size_t at = address_at(instruction), given = instruction.operands.size();
  const RegisterId none = builder_.constant(32, 0);
  if (at >= given || !statement_.not_understood.empty())
    call.operation = MbarrierOperation::NotFollowed;
  if (statement_.branches) {
    const bool before_all =
        std::ranges::all_of(statement_.labels, [&](const ptx::Label &label) { return label.at > at_; }) &&
        std::none_of(statement_.instructions.begin(),
                     statement_.instructions.begin() + static_cast<std::ptrdiff_t>(at_),
                     [](const ptx::Instruction &each) { return each.opcode[0] == "bra"; });
    call.blocks = is_wait(call.operation) && spins_here();
    if (!before_all && !call.blocks)
      call.operation = MbarrierOperation::NotFollowed;
  }
  const auto operand = [&](std::size_t n, std::uint8_t width) {
    return at + n < given ? read(instruction.operands[at + n], width) : kNone;
  };
  RegisterId number = none, bytes = none;
  switch (call.operation) {
  case MbarrierOperation::Init: number = operand(1, 32); break;
  case MbarrierOperation::Arrive:
  case MbarrierOperation::ArriveAndDrop:
    if (instruction.has("expect_tx"))
      number = builder_.constant(32, 1), bytes = operand(1, 32);
    else
      number = given > at + 1 ? operand(1, 32) : builder_.constant(32, 1);
    break;
  case MbarrierOperation::ExpectBytes:
  case MbarrierOperation::CompleteBytes: bytes = operand(1, 32); break;
  case MbarrierOperation::Wait: number = operand(1, 64); break;
  case MbarrierOperation::WaitForParity: number = operand(1, 32); break;
  default: break;
  }
  if (number == kNone || bytes == kNone)
    call.operation = MbarrierOperation::NotFollowed, number = bytes = none;
  const bool known = call.operation != MbarrierOperation::NotFollowed;
  const RegisterId address = known ? shared_address(instruction, instruction.operands[at]) : builder_.constant(64, 0);
  const bool tells = at > 0 && given > 0 && !widths_of(instruction.operands[0]).empty();
  const std::uint8_t width = tells ? widths_of(instruction.operands[0]).front() : std::uint8_t{1};
  const RegisterId result =
      builder_.mbarrier(width, call,
                        {address, known ? lanes_of(instruction) : builder_.constant(1, 1), number, bytes,
                         builder_.special(SpecialRegister::Lane), none},
                        "result of " + instruction.name() + lowering_.at_line(call_), lowering_.place(call_));
  if (tells)
    write(instruction.operands[0], result);
}

void PtxLowering::time_bulk_copy(const ptx::Instruction &instruction) {
  const auto place_of = [&](std::string_view space) {
    return std::ranges::find_if(instruction.opcode, [&](const std::string &part) { return part.starts_with(space); }) -
           instruction.opcode.begin();
  };
  const auto &operands = instruction.operands;
  const auto shared = place_of("shared"), global = place_of("global"),
             end = static_cast<std::ptrdiff_t>(instruction.opcode.size());
  const bool into = shared < global, tensor = instruction.has("tensor");
  // Between blocks of a cluster; to several of them.
  const bool plain = shared != end && global != end && !instruction.has("multicast::cluster") &&
                     (into ? instruction.has("mbarrier::complete_tx::bytes") : instruction.has("bulk_group"));
  const std::size_t barrier = tensor ? 2 : 3, in_shared = into ? 0 : 1;
  if (!plain ||
      operands.size() <= (into     ? barrier
                          : tensor ? 1U
                                   : 2U) ||
      operands[in_shared].kind != Kind::Address || (into && operands[barrier].kind != Kind::Address))
    return untimed(instruction.name());
  const RegisterId none = builder_.constant(32, 0);
  const RegisterId bytes = tensor ? none : read(operands[2], 32);
  const RegisterId completes = into ? pointer(operands[barrier], AddressSpace::Shared).address : none;
  if (into)
    lowering_.program_.waits_in_memory = true;
  builder_.effect_of(
      Opcode::BulkCopy,
      {pointer(operands[in_shared], AddressSpace::Shared).address, lanes_of(instruction), bytes, completes},
      static_cast<std::uint32_t>(lowering_.program_.memory_operations.size() - 1),
      static_cast<std::int64_t>(tensor ? (into ? BulkMove::TensorIntoShared : BulkMove::TensorOutOfShared)
                                       : (into ? BulkMove::IntoShared : BulkMove::OutOfShared)));
}

} // namespace smem::lower
