// What each instruction does that neither branches nor exchanges values between lanes.
#include "warp.h"

#include <algorithm>

#include "race/assumed_values.h"
#include "race/choices.h"
#include "race/lines.h"
#include "race/race_watch.h"
#include "smem/fence.h"

namespace smem {
namespace {

constexpr std::int64_t kOfLaunch = 0; ///< Symbols::of_block(): special registers; warp_choices.cpp has the others

} // namespace

Value Warp::block_index(unsigned axis, unsigned width, LaneMask mask) {
  Value out = make_uniform(canonical(scopes_.box().corner(axis), width), width, mask);
  for (DimensionId d = 0; d < scopes_.box().digits.size(); ++d) {
    const Digit &digit = scopes_.box().digits[d];
    if (digit.axis == axis && digit.extent > 1)
      out.terms.push_back({d, digit.weight, nullptr});
  }
  return out;
}

Value Warp::special(const Instruction &instruction, LaneMask mask) {
  const Launch &launch = machine_.launch;
  const auto which = static_cast<SpecialRegister>(instruction.immediate);
  const unsigned width = instruction.width;
  Value out = make_uniform(0, width, mask);
  auto per_lane = [&](auto &&f) {
    out.uniform = false;
    out.base.fill(0);
    for_lanes(mask, [&](unsigned lane) { out.base[lane] = canonical(static_cast<std::int64_t>(f(lane)), width); });
    compact(out, mask);
    return out;
  };
  const auto of_launch = [&] {
    return arithmetic_.of_symbol(
        machine_.symbols.of_block(kOfLaunch, instruction.immediate, machine_.reasons.add("the grid is not known")),
        width, mask);
  };
  auto grid = [&](unsigned axis, std::uint32_t extent) {
    if (machine_.choices && !machine_.choices->of_class)
      return of_launch();
    return machine_.open_grid[axis] ? arithmetic_.of_symbol(machine_.grid_symbol(axis), width, mask)
                                    : make_uniform(extent, width, mask);
  };
  auto uniform = [&](std::uint64_t value) { return make_uniform(static_cast<std::int64_t>(value), width, mask); };
  auto block = [&](unsigned axis) {
    return machine_.choices && !machine_.choices->of_class ? of_launch() : block_index(axis, width, mask);
  };
  const std::uint64_t first = std::uint64_t{index_} * kWarpSize;
  switch (which) {
  case SpecialRegister::ThreadX: return per_lane([&](unsigned lane) { return (first + lane) % launch.block.x; });
  case SpecialRegister::ThreadY:
    return per_lane([&](unsigned lane) { return (first + lane) / launch.block.x % launch.block.y; });
  case SpecialRegister::ThreadZ:
    return per_lane([&](unsigned lane) { return (first + lane) / (std::uint64_t{launch.block.x} * launch.block.y); });
  case SpecialRegister::BlockX: return block(0);
  case SpecialRegister::BlockY: return block(1);
  case SpecialRegister::BlockZ: return block(2);
  case SpecialRegister::BlockDimX: return uniform(launch.block.x);
  case SpecialRegister::BlockDimY: return uniform(launch.block.y);
  case SpecialRegister::BlockDimZ: return uniform(launch.block.z);
  case SpecialRegister::GridDimX: return grid(0, launch.grid.x);
  case SpecialRegister::GridDimY: return grid(1, launch.grid.y);
  case SpecialRegister::GridDimZ: return grid(2, launch.grid.z);
  case SpecialRegister::Lane: return per_lane([](unsigned lane) { return lane; });
  case SpecialRegister::WarpInBlock: return uniform(index_);
  case SpecialRegister::WarpSize: return uniform(kWarpSize);
  case SpecialRegister::LaneMaskLt: return per_lane([](unsigned lane) { return (1u << lane) - 1; });
  case SpecialRegister::LaneMaskLe: return per_lane([](unsigned lane) { return (2ull << lane) - 1; });
  case SpecialRegister::LaneMaskEq: return per_lane([](unsigned lane) { return 1u << lane; });
  case SpecialRegister::LaneMaskGe: return per_lane([](unsigned lane) { return ~((1u << lane) - 1); });
  case SpecialRegister::LaneMaskGt:
    return per_lane([](unsigned lane) { return ~static_cast<std::uint32_t>((2ull << lane) - 1); });
  case SpecialRegister::DynamicSharedSize: return uniform(launch.dynamic_shared_bytes);
  case SpecialRegister::TotalSharedSize: return uniform(machine_.shared_bytes);
  }
  return out;
}

Value Warp::map_to_other_block(const Instruction &instruction, LaneMask mask) {
  Value address = read(instruction.operands[0]);
  const Value other = arithmetic_.fixed(read(instruction.operands[1]), mask);
  if ((address.unknown | other.unknown) & mask)
    return make_unknown(instruction.width, mask, (address.unknown & mask) ? address.reason : other.reason);
  auto lanes = std::make_shared<Lanes>();
  lanes->fill(0);
  for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = other.at(lane); });
  Value leap = make_uniform(0, instruction.width, mask);
  leap.terms.push_back({machine_.other_block, 0, std::move(lanes)});
  address.width = instruction.width;
  add_terms(address, leap, 1, mask);
  return address;
}

/// Lanes that end need not come to a barrier; those that go on, to another one or to memory, do.
void Warp::report_passed_by(LaneMask mask) {
  if (!(mask & passed_by_))
    return;
  passed_by_ = 0;
  Problem problem;
  problem.kind = Problem::Kind::DivergentBarrier;
  problem.message = "a block barrier is reached by only some lanes of a warp";
  if (passed_at_->index < program_.places.size())
    problem.location = program_.places[passed_at_->index];
  scopes_.report(std::move(problem));
}

void Warp::barrier(const Instruction &instruction, const Path &path) {
  if (machine_.race_watch)
    watch_barrier(instruction, path);
  if (path.why_uncertain) { // lanes that may come here may as well be those that it is waited for
    may_have_come_ |= path.mask;
    passed_by_ &= ~path.mask;
    return;
  }
  report_passed_by(path.mask);
  find_missed(path.mask);
  if (const LaneMask others = alive_ & ~path.mask) {
    passed_by_ |= others & ~may_have_come_;
    passed_at_ = &instruction;
    miss_lanes(others, path.block);
  } else {
    may_have_come_ = 0;
  }
  barrier_pending_ = stop_at_barriers_;
  if (machine_.choices) {
    ++barriers_;
    for (std::uint32_t l = machine_.flow.innermost_loop[path.block]; l != kNone; l = machine_.flow.loops[l].parent)
      if (loops_[l].for_all.closing)
        machine_.choices->close(l);
  }
}

void Warp::instruction(const Instruction &i, Path &path) {
  const LaneMask mask = path.mask;
  auto operand = [&](std::size_t n) -> const Value & { return read(i.operands[n]); };
  const auto all_operands = [&]() -> OperandList {
    operands_.clear();
    for (const RegisterId reg : i.operands)
      operands_.push_back(&read(reg));
    return operands_;
  };
  switch (i.opcode) {
  case Opcode::Constant: write(i.result, make_uniform(i.immediate, i.width, mask), mask); return;
  case Opcode::Undefined: write(i.result, make_uniform(0, i.width, mask), mask); return;
  case Opcode::Special: write(i.result, special(i, mask), mask); return;
  case Opcode::Argument: write(i.result, machine_.argument(i, mask, arithmetic_), mask); return;
  case Opcode::SharedAddress: {
    const SharedArray &array = program_.shared_arrays[i.index];
    const std::uint64_t offset = array.dynamic ? machine_.layout.dynamic_offset : machine_.layout.offset[i.index];
    write(i.result, make_uniform(static_cast<std::int64_t>(offset), i.width, mask), mask);
    return;
  }
  case Opcode::LocalAddress:
    write(i.result, arithmetic_.of_symbol(machine_.local_symbol(i.index), i.width, mask), mask);
    return;
  case Opcode::GlobalAddress:
    write(i.result, arithmetic_.of_symbol(machine_.global_symbol(i.index), i.width, mask), mask);
    return;
  case Opcode::Popcount:
  case Opcode::CountLeadingZeros:
  case Opcode::CountTrailingZeros:
  case Opcode::ReverseBits:
  case Opcode::ReverseBytes: write(i.result, arithmetic_.unary(i.opcode, operand(0), i.width, mask), mask); return;
  case Opcode::FunnelLeft:
  case Opcode::FunnelRight:
    write(i.result, arithmetic_.funnel(i.opcode, operand(0), operand(1), operand(2), mask), mask);
    return;
  case Opcode::Truncate:
  case Opcode::ZeroExtend:
  case Opcode::SignExtend: {
    Value result = arithmetic_.resize(i.opcode, operand(0), i.width, mask);
    if (machine_.race_watch && (result.unknown & mask) == mask && (operand(0).unknown & mask))
      race::keep_line(result, race::line_resized(i.opcode, operand(0), i.width, mask));
    write(i.result, result, mask);
    return;
  }
  case Opcode::Eq:
  case Opcode::Ne:
  case Opcode::ULt:
  case Opcode::ULe:
  case Opcode::SLt:
  case Opcode::SLe:
    write(i.result, arithmetic_.compare(i.opcode, operand(0), operand(1), mask, machine_.use_of_condition[i.result]),
          mask);
    return;
  case Opcode::Select: write(i.result, arithmetic_.select(operand(0), operand(1), operand(2), mask), mask); return;
  case Opcode::SharedToGeneric:
  case Opcode::GenericToShared: {
    Value address = operand(0);
    address.choice.reset(); // of lanes that are not known
    if (!(address.unknown & mask)) {
      address.width = i.width;
      add_terms(address, arithmetic_.of_symbol(machine_.shared_window, i.width, mask),
                i.opcode == Opcode::SharedToGeneric ? 1 : -1, mask);
    }
    write(i.result, address, mask);
    return;
  }
  case Opcode::MapToOtherBlock: write(i.result, map_to_other_block(i, mask), mask); return;
  case Opcode::FAdd:
  case Opcode::FSub:
  case Opcode::FMul:
  case Opcode::FDiv:
  case Opcode::FRem:
  case Opcode::FMin:
  case Opcode::FMax:
  case Opcode::FFma:
  case Opcode::FSqrt:
  case Opcode::FRound:
  case Opcode::FEq:
  case Opcode::FNe:
  case Opcode::FLt:
  case Opcode::FLe:
  case Opcode::FToS:
  case Opcode::FToU:
  case Opcode::SToF:
  case Opcode::UToF:
  case Opcode::FResize:
    write(i.result, arithmetic_.floating(i.opcode, FloatMode::unpack(i.immediate), all_operands(), i.width, mask),
          mask);
    return;
  case Opcode::Agree:
    write(i.result, arithmetic_.agreement(all_operands(), i.width, mask, machine_.program_reason(i.index)), mask);
    return;
  case Opcode::Shuffle:
  case Opcode::ShuffleOk: write(i.result, exchange(i, mask), mask); return;
  case Opcode::ActiveMask:
    if (machine_.race_watch) { // a guess of which lanes come together is no proof
      write(i.result, make_unknown(i.width, mask, machine_.reasons.add("which lanes execute together")), mask);
      return;
    }
    write(i.result,
          path.why_uncertain ? make_unknown(i.width, mask, path.why_uncertain)
                             : make_uniform(static_cast<std::int64_t>(mask), i.width, mask),
          mask);
    return;
  case Opcode::Ballot:
  case Opcode::VoteAll:
  case Opcode::VoteAny:
  case Opcode::VoteUniform:
  case Opcode::MatchAny:
  case Opcode::MatchAll:
  case Opcode::Reduce:
    write(i.result, path.why_uncertain ? make_unknown(i.width, mask, path.why_uncertain) : gather(i, mask), mask);
    return;
  case Opcode::Opaque: {
    const OperandList operands = all_operands();
    const std::uint32_t reason = machine_.program_reason(i.index);
    if (i.immediate == kVotes && machine_.choices && !path.why_uncertain)
      return write(i.result, arithmetic_.of_symbol(symbol_of_vote(i, reason), i.width, mask), mask);
    // Without operands there is nothing that two executions would have in common (a clock, say).
    write(i.result,
          operands.empty() || machine_.race_watch ? make_unknown(i.width, mask, reason)
                                                  : arithmetic_.opaque(static_cast<std::uint32_t>(Opcode::Opaque),
                                                                       i.index, operands, i.width, mask, reason),
          mask);
    return;
  }
  case Opcode::Memory: memory(program_.memory_operations[i.index], i.index, path); return;
  case Opcode::Barrier: barrier(i, path); return;
  case Opcode::WarpBarrier:
    if (machine_.race_watch)
      machine_.race_watch->warp_barrier(i, path.mask, alive_, path.why_uncertain != 0);
    return;
  case Opcode::BarrierArrive:
    if (machine_.race_watch)
      watch_barrier(i, path);
    return;
  case Opcode::Fence:
    if (machine_.race_watch) {
      if (i.immediate == kGridBarrier && !path.why_uncertain && !machine_.race_watch->sync)
        return machine_.race_watch->grid_barrier(path.mask, alive_);
      machine_.race_watch->fenced = true;
      if (i.immediate == kProxyFence)
        machine_.race_watch->fence_proxies(path.mask, path.why_uncertain != 0);
    }
    return;
  case Opcode::CopyCommit:
  case Opcode::BulkCommit:
    if (machine_.race_watch)
      machine_.race_watch->copy_commit(mask, i.opcode == Opcode::BulkCommit, path.why_uncertain != 0);
    return;
  case Opcode::Mbarrier: mbarrier(i, path); return;
  case Opcode::BulkCopy:
    if (machine_.race_watch && !machine_.race_watch->global)
      watch_bulk_copy(i, path);
    return;
  case Opcode::WarpMembers:
    if (machine_.race_watch)
      watch_members(i, path);
    else
      miss_lanes(i, path);
    return;
  case Opcode::CopyWait:
  case Opcode::BulkWait:
    if (machine_.race_watch)
      machine_.race_watch->copy_wait(mask, i.immediate, i.opcode == Opcode::BulkWait, path.why_uncertain != 0);
    return;
  default: break;
  }
  Value result = arithmetic_.binary(i.opcode, operand(0), operand(1), mask);
  if (machine_.race_watch && (result.unknown & mask) == mask)
    race::keep_line(result, race::line_of(i, operand(0), operand(1), mask));
  write(i.result, result, mask);
  if (arithmetic_.take_division_by_zero()) {
    Problem problem;
    problem.kind = Problem::Kind::DivisionByZero;
    problem.message = "division by zero";
    if (i.index < program_.places.size())
      problem.location = program_.places[i.index];
    if (!path.why_uncertain)
      scopes_.report(std::move(problem));
  }
}

} // namespace smem
