#include <algorithm>
#include <bit>

#include "../shuffle.h"
#include "interpreter.h"
#include "price.h"

namespace smem::pattern {

Value Interpreter::as_read(const Value &value, BlockId at) {
  if (value.terms.empty())
    return value;
  for (const Term &t : value.terms)
    for (const BlockId owner : domain().quantity(t.dimension).owners)
      if (const BlockId branch = convergence_.leaves_step(owner, at); branch != kNone)
        return lost_in_loop(value.width, branch);
  return value;
}

Value Interpreter::lost_in_loop(unsigned width, BlockId branch) {
  // Where something could be supposed that keeps lanes together, that is the reason.
  const Value &condition = registers_[program_.blocks[branch].terminator.condition];
  if (condition.unknown && domain().why(condition.reason).kind == Why::Kind::Split)
    return make_unknown(width, kFullMask, condition.reason);
  return domain().unknown(
      width, kFullMask,
      other("lanes leave a loop in different iterations", program_.blocks[branch].terminator.location));
}

Value Interpreter::decided_here(const std::string &name_of, unsigned grain, unsigned width, const std::string &name,
                                std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  if (convergence_.apart(now_))
    return domain().unknown(width, mask_,
                            other("lanes come here at different times", program_.blocks[now_].terminator.location));
  return domain().fresh(name_of, {now_}, grain, width, mask_, name, least, most);
}

std::optional<Value> Interpreter::extended_in_register(const Instruction &i, const std::vector<Value> &values,
                                                       const std::string &own) {
  const auto shifted = shifted_left_.find(i.operands[0]);
  const Value &amount = values[1];
  if (shifted == shifted_left_.end() || !amount.terms.empty() || (amount.unknown & mask_) ||
      !warp_uniform(amount, mask_))
    return std::nullopt;
  const std::int64_t left = shifted->second.amount, right = amount.at(first_lane(mask_));
  if (right <= 0 || right >= i.width)
    return std::nullopt;
  const auto width = static_cast<unsigned>(i.width - left);
  const Value narrow = domain().resize(Opcode::Truncate, read(shifted->second.value, now_), width, own + "n", mask_);
  const Value whole =
      domain().resize(i.opcode == Opcode::AShr ? Opcode::SignExtend : Opcode::ZeroExtend, narrow, i.width, own, mask_);
  const Value rest = make_uniform(std::abs(left - right), i.width, mask_);
  return left == right ? whole : domain().binary(left > right ? Opcode::Shl : i.opcode, whole, rest, own, mask_);
}

void Interpreter::note_shift(const Instruction &i, const std::vector<Value> &values) {
  const Value &amount = values[1];
  if (!amount.terms.empty() || (amount.unknown & mask_) || !warp_uniform(amount, mask_))
    return;
  const std::int64_t by = amount.at(first_lane(mask_));
  if (by > 0 && by < i.width)
    shifted_left_[i.result] = {i.operands[0], by};
}

void Interpreter::write(RegisterId reg, Value value) {
  value.defined = mask_;
  registers_[reg] = std::move(value);
}

void Interpreter::instruction(const Instruction &i) {
  std::vector<Value> values;
  if (i.opcode != Opcode::Memory)
    for (const RegisterId r : i.operands)
      values.push_back(read(r, now_));
  std::vector<const Value *> operands;
  for (const Value &v : values)
    operands.push_back(&v);
  const std::string own = i.result == kNone ? std::string() : key(i.result);
  if (i.opcode == Opcode::Shl)
    note_shift(i, values);
  const auto reason = [&] {
    return i.index < program_.reasons.size() ? program_.reasons[i.index]
                                             : std::string("an operation that is not modelled");
  };
  switch (i.opcode) {
  case Opcode::Constant: write(i.result, make_uniform(i.immediate, i.width, mask_)); return;
  case Opcode::Undefined: write(i.result, make_uniform(0, i.width, mask_)); return;
  case Opcode::Special: write(i.result, special(i)); return;
  case Opcode::Argument: write(i.result, argument(i)); return;
  case Opcode::SharedAddress: {
    const SharedArray &array = program_.shared_arrays[i.index];
    const std::uint64_t offset = array.dynamic ? subject_.layout.dynamic_offset : subject_.layout.offset[i.index];
    write(i.result, make_uniform(static_cast<std::int64_t>(offset), i.width, mask_));
    return;
  }
  case Opcode::LocalAddress:
    write(i.result, window("local " + std::to_string(i.index), "local " + std::to_string(i.index),
                           Quantity::Memory::Local, program_.local_objects[i.index].alignment, i.width));
    return;
  case Opcode::GlobalAddress: {
    const GlobalObject &object = program_.global_objects[i.index];
    const std::string key = "global " + std::to_string(i.index);
    write(i.result,
          window(key, object.name.empty() ? key : object.name, Quantity::Memory::Global, object.alignment, i.width));
    return;
  }
  case Opcode::SharedToGeneric:
  case Opcode::GenericToShared: {
    Value address = values[0];
    address.width = i.width;
    write(i.result,
          domain().add(address,
                       window("the shared window", "the shared window", Quantity::Memory::Shared, 1 << 24, i.width),
                       i.opcode == Opcode::SharedToGeneric ? 1 : -1, mask_));
    return;
  }
  case Opcode::MapToOtherBlock:
    write(i.result, domain().unknown(i.width, mask_, other("an address in another block's shared memory")));
    return;
  case Opcode::Truncate:
  case Opcode::ZeroExtend:
  case Opcode::SignExtend:
    write(i.result,
          extremes_.refine(domain(), i, values, domain().resize(i.opcode, values[0], i.width, own, mask_), own, mask_));
    return;
  case Opcode::Eq:
  case Opcode::Ne:
  case Opcode::ULt:
  case Opcode::ULe:
  case Opcode::SLt:
  case Opcode::SLe:
    write(i.result, extremes_.refine(domain(), i, values, domain().compare(i.opcode, values[0], values[1], own, mask_),
                                     own, mask_));
    return;
  case Opcode::Select: write(i.result, domain().select(values[0], values[1], values[2], own, mask_)); return;
  case Opcode::AShr:
  case Opcode::LShr:
    if (const auto narrow = extended_in_register(i, values, own)) {
      write(i.result, *narrow);
      return;
    }
    [[fallthrough]];
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::UDiv:
  case Opcode::SDiv:
  case Opcode::URem:
  case Opcode::SRem:
  case Opcode::Shl:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::UMin:
  case Opcode::UMax:
  case Opcode::SMin:
  case Opcode::SMax:
  case Opcode::UMulHigh:
  case Opcode::SMulHigh:
    write(i.result, extremes_.refine(domain(), i, values, domain().binary(i.opcode, values[0], values[1], own, mask_),
                                     own, mask_));
    return;
  case Opcode::Agree: {
    bool same = true;
    for (const Value &v : values)
      same &= equal(v, values[0], mask_);
    // One of them in all lanes, whichever it is.
    write(i.result, same && !values.empty() ? values[0] : domain().function(operands, i.width, own, mask_, reason()));
    return;
  }
  case Opcode::Opaque:
    write(i.result, operands.empty() ? domain().unknown(i.width, mask_, other(reason()))
                                     : domain().function(operands, i.width, own, mask_, reason()));
    return;
  case Opcode::Shuffle:
  case Opcode::ShuffleOk: write(i.result, exchange(i, values, own)); return;
  case Opcode::ActiveMask:
    if (activity_[now_].with(Activity::kOn) == kFullMask)
      write(i.result, make_uniform(-1, i.width, mask_));
    else
      write(i.result, decided_here(own, 0, i.width, {}));
    return;
  case Opcode::MatchAny:
    write(i.result, values[0].unknown & mask_ // depends on data as much as what is compared
                        ? make_unknown(i.width, mask_, values[0].reason)
                        : domain().unknown(i.width, mask_, other("which lanes have the same value")));
    return;
  case Opcode::Ballot:
  case Opcode::VoteAll:
  case Opcode::VoteAny:
  case Opcode::VoteUniform:
  case Opcode::MatchAll:
  case Opcode::Reduce:
    if (warp_uniform(values[1], mask_))
      write(i.result, decided_here(own, 0, i.width, {}, i.width == 1 ? std::optional<std::int64_t>(0) : std::nullopt,
                                   i.width == 1 ? std::optional<std::int64_t>(1) : std::nullopt));
    else
      write(i.result, domain().unknown(i.width, mask_, other("what groups of lanes tell each other")));
    return;
  case Opcode::Memory: memory(i.index); return;
  case Opcode::Barrier:
  case Opcode::WarpBarrier:
  case Opcode::BarrierArrive:
  case Opcode::Fence:
  case Opcode::CopyCommit:
  case Opcode::CopyWait:
  case Opcode::BulkCommit:
  case Opcode::BulkWait:
  case Opcode::BulkCopy:
  case Opcode::WarpMembers: return;
  default: break;
  }
  if (i.result == kNone)
    return;
  // Functions of known lanes, or of what is the same in all of them.
  const bool known = std::all_of(values.begin(), values.end(),
                                 [&](const Value &v) { return v.terms.empty() && !(v.unknown & mask_); });
  if (known && values.size() == 1 &&
      (i.opcode == Opcode::Popcount || i.opcode == Opcode::CountLeadingZeros ||
       i.opcode == Opcode::CountTrailingZeros || i.opcode == Opcode::ReverseBits || i.opcode == Opcode::ReverseBytes)) {
    write(i.result, constants_.unary(i.opcode, values[0], i.width, mask_));
    return;
  }
  if (known && (i.opcode == Opcode::FunnelLeft || i.opcode == Opcode::FunnelRight)) {
    write(i.result, constants_.funnel(i.opcode, values[0], values[1], values[2], mask_));
    return;
  }
  write(i.result, domain().function(operands, i.width, own, mask_, "an operation on values that lanes differ in"));
}

Value Interpreter::exchange(const Instruction &i, const std::vector<Value> &values, const std::string &own) {
  const unsigned w = i.width;
  const bool predicate = i.opcode == Opcode::ShuffleOk;
  if (!predicate && warp_uniform(values[0], mask_))
    return values[0];
  const bool all_on = activity_[now_].with(Activity::kOn) == kFullMask;
  const bool known =
      values[1].terms.empty() && values[2].terms.empty() && !((values[1].unknown | values[2].unknown) & mask_);
  const auto mode = static_cast<ShuffleMode>(i.immediate);
  if (known && (predicate || (all_on && !(values[0].unknown)))) {
    Value out = make_uniform(0, w, mask_);
    spread(out);
    for_lanes(mask_, [&](unsigned lane) {
      const auto [source, ok] = shuffle_source(mode, lane, static_cast<unsigned>(values[1].at(lane)),
                                               static_cast<unsigned>(values[2].at(lane)));
      if (predicate) {
        out.base[lane] = ok;
        return;
      }
      Value held = values[0];
      held.uniform = true;
      held.base[0] = values[0].at(source);
      for (Term &t : held.terms) {
        t.uniform = t.at(source);
        t.lanes.reset();
      }
      std::erase_if(held.terms, [](const Term &t) { return t.uniform == 0; });
      assign(out, held, 1u << lane);
    });
    out.defined = mask_;
    compact(out, mask_);
    return out;
  }
  // One lane's value for all.
  if (!predicate && all_on && mode == ShuffleMode::Index && warp_uniform(values[1], mask_) &&
      warp_uniform(values[2], mask_) && values[2].terms.empty() && ((values[2].at(0) >> 8) & 31) == 0 &&
      (values[2].at(0) & 31) == 31)
    return decided_here(own, 0, w, {});
  if (values[0].unknown & mask_)
    return make_unknown(w, mask_, values[0].reason);
  return domain().unknown(w, mask_, other("what lanes tell each other"));
}

bool Interpreter::may_be_local(const MemoryOperation &operation, const Seen &seen) {
  return operation.space == AddressSpace::Local ||
         (operation.space == AddressSpace::Generic && !program_.local_objects.empty() &&
          !std::holds_alternative<Space>(space_of(operation, seen, domain())));
}

namespace {

/// Leaves the lanes that make a request for all.
void aggregate(Activity &activity, Aggregation how) {
  if (how == Aggregation::None)
    return;
  if (how == Aggregation::Always || activity.with(Activity::kOn) == kFullMask) {
    activity.possible &= ~activity.possible + 1; // whichever it is, if any
    activity.make_certain();
  } else if (activity.possible == kFullMask) { // all of them cost less than one fewer
    activity.possible = kFullMask >> 1;
    activity.make_uncertain();
  }
}

} // namespace

void Interpreter::memory(std::uint32_t index) {
  const MemoryOperation &operation = program_.memory_operations[index];
  Seen &seen = round_->operations[index];
  Activity activity = activity_[now_];
  if (operation.predicate != kNone) {
    const Value guard = read(operation.predicate, now_);
    activity = where(activity, operation.predicate, guard, true);
  }
  if (!activity.possible) {
    for (const ValuePart &part : operation.parts)
      if (part.reg != kNone && operation.access.operation != Operation::Store)
        write(part.reg, make_uniform(0, part.width, mask_));
    return;
  }
  if (operation.apart != kNone && !std::has_single_bit(activity.possible))
    activity.make_uncertain(); // some of them at a time
  aggregate(activity, operation.aggregation);
  seen.reached = true;
  seen.activity = activity;
  if (operation.address != kNone)
    seen.address = read(operation.address, now_);
  seen.reading = activity;
  if (operation.source != kNone)
    seen.source = read(operation.source, now_);
  if (operation.source_bytes != kNone) {
    const Value bytes = read(operation.source_bytes, now_);
    const Value none = make_uniform(0, bytes.width, mask_);
    const Value any = domain().compare(Opcode::Ne, bytes, none, "b" + std::to_string(index), mask_);
    seen.reading = conditions_.where(activity, any, true, std::nullopt);
  }
  if (operation.access.operation == Operation::Store)
    return;
  const Why why = loaded_value(program_, operation);
  const bool reads = operation.access.operation == Operation::Load;
  for (const ValuePart &part : operation.parts) {
    if (part.reg == kNone)
      continue;
    const bool together = reads && warp_uniform(seen.address, activity.possible) && !convergence_.apart(now_) &&
                          operation.apart == kNone && !may_be_local(operation, seen);
    if (together) {
      std::string name = program_.sites.size() > operation.site ? program_.sites[operation.site].expression : "";
      write(part.reg,
            domain().fresh(key(part.reg), {now_}, 0, part.width, mask_, name.empty() ? "a loaded value" : name));
    } else {
      write(part.reg, domain().unknown(part.width, mask_, why));
    }
  }
}

} // namespace smem::pattern
