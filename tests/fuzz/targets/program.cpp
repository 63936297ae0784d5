// Programs and launches, made of bytes: what verify() accepts is simulated without harm, and both ways of simulating claim the same.
#include "program_builder.h"
#include "smem/architecture.h"
#include "smem/launch.h"
#include "smem/program.h"
#include "smem/simulate.h"

#include "choices.h"
#include "opcode_info.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using namespace smem;
using fuzz::Choices;

/// Structured code over every opcode, with any number as an address.
class FuzzedKernel {
public:
  explicit FuzzedKernel(Choices &choices) : choices_(choices) {
    for (int i = 0; i < 2; ++i)
      b_.shared_array(std::uint64_t{1} << choices_.below(14), std::uint64_t{1} << choices_.below(8));
    b_.local_object(1 + choices_.byte());
    b_.program.parameters.push_back({"n", "int", 4, false});
    b_.program.parameters.push_back({"p", "int *", 8, true});
    b_.program.global_objects.push_back({"table", 64, 4, choices_.below(2) != 0, std::vector<std::uint8_t>(64, 3)});
    b_.program.reasons.push_back("not known");
    values_ = {b_.special(SpecialRegister::ThreadX),
               b_.special(SpecialRegister::BlockX),
               b_.special(SpecialRegister::Lane),
               b_.argument(0),
               b_.argument(1, 64),
               b_.constant(1, 1),
               b_.shared_address(0)};
    body(0);
  }
  const Program &program() const { return b_.program; }

private:
  unsigned width_of(RegisterId id) const { return b_.program.register_width[id]; }
  RegisterId any() { return values_[choices_.below(values_.size())]; }
  /// A value of that width, converted if need be.
  RegisterId any(unsigned width) {
    const RegisterId id = any();
    if (width_of(id) == width)
      return id;
    return b_.resize(width_of(id) > width ? Opcode::Truncate
                                          : (choices_.below(2) != 0 ? Opcode::SignExtend : Opcode::ZeroExtend),
                     id, width);
  }
  unsigned any_width() {
    constexpr unsigned kWidths[] = {32, 64, 32, 1, 8, 16, 32, 37};
    return kWidths[choices_.below(std::size(kWidths))];
  }

  void value() {
    const auto opcode = static_cast<Opcode>(choices_.below(static_cast<std::size_t>(Opcode::Opaque) + 1));
    const OpcodeInfo &what = info(opcode);
    unsigned width = any_width();
    std::int64_t immediate = 0;
    if (is_floating(opcode) || (opcode >= Opcode::FAdd && opcode <= Opcode::FResize)) {
      width = choices_.below(2) != 0 ? 64 : 32;
      immediate =
          FloatMode{static_cast<Rounding>(choices_.below(opcode == Opcode::FRound ? 5 : 4)), choices_.below(2) != 0}
              .pack();
    }
    std::vector<RegisterId> operands;
    const unsigned count = what.operands == kAnyNumber ? 1 + choices_.below(3) : what.operands;
    for (unsigned i = 0; i < count; ++i) {
      unsigned wanted = width;
      switch (what.shape) {
      case Shape::SelectOf: wanted = i == 0 ? 1 : width; break;
      case Shape::Exchange: wanted = i == 0 ? width : 32; break;
      case Shape::ExchangeOk: wanted = 32; break;
      case Shape::Vote: wanted = i == 0 ? 1 : 32; break;
      case Shape::Match: wanted = i == 0 ? width : 32; break;
      case Shape::Place: wanted = i == 0 ? width : 1; break;
      case Shape::Narrow: wanted = 64; break;
      case Shape::Widen: wanted = choices_.below(2) != 0 ? 1 : 32; break;
      default: break;
      }
      operands.push_back(any(wanted));
    }
    switch (what.shape) {
    case Shape::Compare:
    case Shape::ExchangeOk: width = 1; break;
    case Shape::Narrow: width = 1 + choices_.below(63); break;
    case Shape::Widen: width = 33 + choices_.below(32); break;
    case Shape::Vote: width = opcode == Opcode::Ballot ? 32 : 1; break;
    case Shape::Match: width = 32; break;
    default: break;
    }
    switch (opcode) {
    case Opcode::Constant: immediate = choices_.number(); break;
    case Opcode::Special:
      immediate = choices_.below(static_cast<std::size_t>(SpecialRegister::TotalSharedSize) + 1);
      width = 32;
      break;
    case Opcode::Argument: immediate = choices_.below(2) * 4; break;
    case Opcode::Shuffle:
    case Opcode::ShuffleOk: immediate = choices_.below(4); break;
    case Opcode::Reduce: {
      constexpr Opcode kJoins[] = {Opcode::Add,  Opcode::UMin, Opcode::UMax, Opcode::SMin,
                                   Opcode::SMax, Opcode::And,  Opcode::Or,   Opcode::Xor};
      immediate = static_cast<std::int64_t>(kJoins[choices_.below(std::size(kJoins))]);
      break;
    }
    default: break;
    }
    const RegisterId result = b_.emit(opcode, width, std::move(operands), immediate);
    Instruction &made = b_.block().instructions.back();
    if (opcode == Opcode::SharedAddress || opcode == Opcode::Argument)
      made.index = choices_.below(2);
    else if (opcode == Opcode::LocalAddress || opcode == Opcode::GlobalAddress || opcode == Opcode::Agree ||
             opcode == Opcode::Opaque)
      made.index = 0;
    values_.push_back(result);
  }

  void memory() {
    constexpr AddressSpace kSpaces[] = {AddressSpace::Shared, AddressSpace::Global, AddressSpace::Generic,
                                        AddressSpace::Local, AddressSpace::Constant};
    const AddressSpace space = kSpaces[choices_.below(std::size(kSpaces))];
    constexpr Operation kOperations[] = {Operation::Load, Operation::Store, Operation::Atomic, Operation::MatrixLoad,
                                         Operation::AsyncCopy};
    const Operation operation = kOperations[choices_.below(space == AddressSpace::Shared ? 5 : 3)];
    RegisterId address = any(64);
    if (space == AddressSpace::Shared && choices_.below(2) != 0)
      address = b_.binary(Opcode::Add, b_.shared_address(choices_.below(2)),
                          b_.binary(Opcode::And, address, b_.constant(0x7f0, 64)));
    unsigned width = 8u << choices_.below(5);
    if (operation == Operation::MatrixLoad)
      width = 128;
    std::vector<ValuePart> parts;
    if ((operation == Operation::Load || operation == Operation::Store) && choices_.below(2) != 0 && width <= 64)
      parts.push_back({0, static_cast<std::uint8_t>(width), operation == Operation::Load ? kNone : any(width)});
    const bool defines = !parts.empty() && operation == Operation::Load;
    if (defines)
      parts[0].reg = b_.fresh(width);
    const RegisterId source = operation == Operation::AsyncCopy ? any(64) : kNone;
    const RegisterId predicate = choices_.below(4) == 0 ? any(1) : kNone;
    b_.access(space, operation, width, address, parts);
    MemoryOperation &made = b_.program.memory_operations.back();
    made.source = source;
    made.predicate = predicate;
    if (operation == Operation::Atomic)
      made.access.atomic =
          static_cast<AtomicKind>(1 + choices_.below(static_cast<std::size_t>(AtomicKind::FloatMinMax)));
    if (operation == Operation::MatrixLoad)
      made.access.matrices = static_cast<std::uint8_t>(1u << choices_.below(3));
    b_.program.sites.back().access = made.access;
    b_.program.sites.back().generic = space == AddressSpace::Generic;
    if (space == AddressSpace::Local || space == AddressSpace::Constant) { // not counted
      b_.program.sites.pop_back();
      made.site = kNone;
    }
    if (defines)
      values_.push_back(parts[0].reg);
  }

  void body(unsigned depth) {
    const std::size_t outside = values_.size();
    for (unsigned left = 1 + choices_.below(8); left > 0 && choices_.left() && b_.program.register_count < 400; --left)
      switch (choices_.below(8)) {
      case 0:
      case 1:
      case 2:
      case 3: value(); break;
      case 4:
      case 5: memory(); break;
      case 6:
        if (depth < 3) {
          const RegisterId from = any(32), end = any(32),
                           step = choices_.below(3) == 0 ? any(32) : b_.constant(1 + choices_.below(9));
          const std::size_t known = values_.size();
          b_.loop(from, step, end, [&](RegisterId i, RegisterId) {
            values_.push_back(i);
            body(depth + 1);
          });
          values_.resize(known);
        }
        break;
      default:
        if (choices_.below(4) == 0) {
          b_.barrier();
        } else if (depth < 3) {
          const RegisterId condition = any(1);
          if (choices_.below(2) != 0)
            b_.branch(condition, [&] { body(depth + 1); });
          else
            b_.branch(condition, [&] { body(depth + 1); }, [&] { body(depth + 1); });
        }
      }
    values_.resize(outside);
  }

  Choices &choices_;
  test::ProgramBuilder b_;
  std::vector<RegisterId> values_;
};

/// What a producer might get wrong: verify() has to find it, or it does no harm.
void damage(Program &program, Choices &choices) {
  BasicBlock &block = program.blocks[choices.below(program.blocks.size())];
  switch (choices.below(6)) {
  case 0:
    for (BlockId &target : block.terminator.targets)
      target = choices.byte();
    break;
  case 1: block.terminator.condition = choices.byte(); break;
  case 2:
    if (!block.instructions.empty()) {
      Instruction &instruction = block.instructions[choices.below(block.instructions.size())];
      for (RegisterId &operand : instruction.operands)
        operand = choices.byte();
    }
    break;
  case 3:
    if (!block.instructions.empty())
      block.instructions[choices.below(block.instructions.size())].immediate = choices.number();
    break;
  case 4:
    if (!program.memory_operations.empty())
      program.memory_operations[choices.below(program.memory_operations.size())].address = choices.byte();
    break;
  default:
    if (!program.register_width.empty())
      program.register_width[choices.below(program.register_width.size())] = static_cast<std::uint8_t>(choices.byte());
  }
}

bool exhausted(const SimulationResult &result) { return result.exhausted() || result.stopped; }

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  Choices choices(std::string_view(reinterpret_cast<const char *>(data), size));
  const unsigned damages = choices.below(4) == 3 ? 1 + choices.below(2) : 0;
  Launch launch;
  constexpr std::uint32_t kBlocks[] = {32, 1, 33, 64, 8, 48};
  launch.block = {kBlocks[choices.below(std::size(kBlocks))], 1 + choices.below(3), 1};
  launch.grid = {1 + choices.below(6), 1 + choices.below(3), 1};
  launch.arguments.push_back(
      {.index = 0, .value = choices.below(3) == 0 ? std::nullopt : std::optional(choices.number())});
  launch.arguments.push_back({.index = 1, .width_bits = 64, .pointer = true, .value = 0});
  Program program = FuzzedKernel(choices).program();
  for (unsigned i = 0; i < damages; ++i)
    damage(program, choices);
  if (!verify(program).empty())
    return 0;
  (void)to_string(program);
  const Architecture &architecture = *find_architecture("sm_90");
  SimulationOptions options;
  options.max_steps = 20'000;
  const SimulationResult fast = simulate(program, launch, architecture, options);
  options.classes = false;
  const SimulationResult slow = simulate(program, launch, architecture, options);
  if (exhausted(fast) || exhausted(slow))
    return 0;
  for (std::size_t site = 0; site < program.sites.size(); ++site)
    if (fast.sites[site].verdict == Verdict::Exact && slow.sites[site].verdict != Verdict::Unknown &&
        fast.sites[site].counts != slow.sites[site].counts) {
      std::fprintf(stderr, "site %zu differs from execution one by one\n%s", site, to_string(program).c_str());
      std::abort();
    }
  return 0;
}
