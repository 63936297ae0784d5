#include <algorithm>
#include <bit>
#include <memory>

#include "interpreter.h"

namespace smem::pattern {

void Interpreter::take_phis(BlockId block) {
  const auto &phis = program_.blocks[block].phis;
  if (phis.empty())
    return;
  std::vector<std::pair<BlockId, Activity>> edges;
  bool looped = false, lost = false;
  for (const BlockId from : subject_.flow.predecessors[block]) {
    if (!visited_[from] || is_back_edge(from, block)) {
      looped |= is_back_edge(from, block);
      lost |= !is_back_edge(from, block);
      continue;
    }
    Activity in = edge(from, block);
    if (in.possible)
      edges.emplace_back(from, std::move(in));
  }
  std::vector<Value> values;
  for (const Phi &phi : phis) {
    if (lost || edges.empty()) {
      values.push_back(domain().unknown(phi.width, mask_, other("a loop that is entered in several places")));
      continue;
    }
    Value entry = joined(block, phi, edges);
    values.push_back(looped ? carried(block, phi, std::move(entry)) : std::move(entry));
  }
  for (std::size_t i = 0; i < phis.size(); ++i)
    registers_[phis[i].result] = std::move(values[i]);
}

RegisterId Interpreter::incoming(const Phi &phi, BlockId from) const {
  return std::find_if(phi.incoming.begin(), phi.incoming.end(),
                      [&](const Phi::Incoming &in) { return in.from == from; })
      ->value;
}

Why Interpreter::divergence(BlockId block) {
  for (const BlockId b : convergence_.meeting_at(block))
    if (visited_[b] && activity_[b].possible) {
      const Value condition = read(program_.blocks[b].terminator.condition, b);
      if (condition.unknown)
        return domain().why(condition.reason);
    }
  return other("a value that depends on the way lanes come here, which differs",
               program_.blocks[block].terminator.location);
}

Value Interpreter::joined(BlockId block, const Phi &phi, const std::vector<std::pair<BlockId, Activity>> &edges) {
  std::vector<Value> from;
  for (const auto &[source, activity] : edges) {
    from.push_back(read(incoming(phi, source), block));
    from.back().width = phi.width;
    from.back().unknown &= mask_;
  }
  // What is not defined on some path is not used after it, so that it may as well be what it is on another.
  const auto is_undefined = [&](const auto &edge) { return undefined_[incoming(phi, edge.first)]; };
  if (const auto defined = std::ranges::find_if_not(edges, is_undefined); defined != edges.end())
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (is_undefined(edges[e]))
        from[e] = from[static_cast<std::size_t>(defined - edges.begin())];
  bool same = true;
  for (const Value &v : from)
    same &= equal(v, from[0], mask_);
  if (same)
    return from[0];
  // By lane: the edges that it may come along.
  LaneMask left = mask_;
  Value out = from[0];
  spread(out);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    LaneMask alone = mask_ & edges[e].second.possible;
    for (std::size_t o = 0; o < edges.size(); ++o)
      if (o != e)
        alone &= ~edges[o].second.possible;
    if (!alone)
      continue;
    assign(out, from[e], alone);
    left &= ~alone;
  }
  out.defined = mask_;
  if (left) {
    Value mixed = several_ways(block, phi, edges, from, left);
    if (left == mask_)
      return mixed;
    assign(out, mixed, left);
    out.defined = mask_;
  }
  out.width = phi.width;
  compact(out, mask_);
  return out;
}

Value Interpreter::several_ways(BlockId block, const Phi &phi, const std::vector<std::pair<BlockId, Activity>> &edges,
                                const std::vector<Value> &from, LaneMask lanes) {
  const unsigned width = phi.width;
  for (std::size_t e = 0; e < from.size(); ++e)
    if (from[e].unknown & lanes & edges[e].second.possible)
      return make_unknown(width, lanes, from[e].reason);
  // Two of them, by one condition?
  if (edges.size() == 2 && width > 1) {
    bool opposite = true;
    for_lanes(lanes, [&](unsigned lane) {
      opposite &= Conditions::opposite(edges[0].second.when[lane], edges[1].second.when[lane]);
    });
    if (opposite) {
      Value chooses = make_uniform(0, width, lanes);
      chooses.uniform = false;
      chooses.base.fill(0);
      for_lanes(lanes, [&](unsigned lane) {
        const int number = edges[0].second.when[lane];
        const DimensionId symbol = Conditions::symbol(number);
        const std::int64_t sign = Conditions::wants(number) == 1 ? 1 : -1;
        if (sign < 0)
          chooses.base[lane] = 1;
        auto own = std::make_shared<Lanes>();
        own->fill(0);
        (*own)[lane] = sign;
        Value part = make_uniform(0, width, lanes);
        part.terms.push_back({symbol, 0, std::move(own)});
        add_terms(chooses, part, 1, lanes);
      });
      compact(chooses, lanes);
      bool in_step = true;
      for (const Term &t : chooses.terms)
        for (const BlockId owner : domain().quantity(t.dimension).owners)
          in_step &= !convergence_.out_of_step(owner, block);
      if (in_step)
        return domain().add(from[1], domain().multiply(chooses, domain().add(from[0], from[1], -1, lanes), lanes), 1,
                            lanes);
    }
  }
  if (convergence_.apart(block) || !convergence_.meeting_at(block).empty()) {
    const Why why = divergence(block);
    return domain().unknown(width, lanes, why);
  }
  // All lanes come along the same one.
  for (const Value &v : from)
    if (!domain().same_memory(v, from[0]))
      return domain().unknown(
          width, lanes, other("a pointer into one of several memories", program_.blocks[block].terminator.location));
  bool apart_alike = true;
  unsigned grain = 63;
  for (const Value &v : from) {
    const Value difference = domain().add(v, from[0], -1, lanes);
    apart_alike &= warp_uniform(difference, lanes);
    grain = std::min(grain, grain_of(difference, lanes));
    if (const std::int64_t base = difference.at(first_lane(lanes)))
      grain = std::min<unsigned>(grain, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(base))));
  }
  const std::string own = key(phi.result);
  if (apart_alike) {
    std::optional<std::int64_t> least, most;
    const bool constant = from[0].terms.empty() && warp_uniform(from[0], lanes);
    if (constant) {
      const std::int64_t base = from[0].at(first_lane(lanes));
      least = most = 0;
      for (const Value &v : from) {
        const auto bounds = domain().range(v, first_lane(lanes));
        if (!bounds || !least) {
          least.reset();
          most.reset();
          continue;
        }
        least = std::min(*least, bounds->first - base);
        most = std::max(*most, bounds->second - base);
      }
    }
    return domain().add(from[0], domain().fresh(own, {block}, grain, width, lanes, {}, least, most), 1, lanes);
  }
  if (from.size() > 3 || width == 1)
    return domain().unknown(width, lanes, other("one of several values", program_.blocks[block].terminator.location));
  Value out = from[0];
  for (std::size_t e = 1; e < from.size(); ++e) {
    const Value one =
        domain().fresh("j" + std::to_string(block) + ":" + std::to_string(e), {block}, 0, width, lanes, {}, 0, 1);
    out = domain().add(out, domain().multiply(one, domain().add(from[e], from[0], -1, lanes), lanes), 1, lanes);
  }
  return out;
}

Value Interpreter::carried(BlockId block, const Phi &phi, Value entry) {
  Carried &state = carried_[phi.result];
  if (entry.unknown & mask_) {
    if (state.stage != Carried::Stage::Unchanged || (entry.unknown & mask_) != mask_)
      return make_unknown(phi.width, mask_, entry.reason);
    return entry;
  }
  entries_[phi.result] = entry;
  const std::string own = key(phi.result);
  switch (state.stage) {
  case Carried::Stage::Unchanged: return entry;
  case Carried::Stage::Stepping: {
    const Value step = step_of(block, phi);
    if ((step.unknown & mask_) || convergence_.apart(block))
      break;
    const std::string where = program_.blocks[block].terminator.location.known()
                                  ? " at line " + std::to_string(program_.blocks[block].terminator.location.line)
                                  : "";
    const Value count =
        domain().fresh("t" + std::to_string(block), {block}, 0, phi.width, mask_, "the count of the loop" + where, 0);
    return domain().add(entry, domain().multiply(step, count, mask_), 1, mask_);
  }
  case Carried::Stage::Doubling: {
    if (convergence_.apart(block))
      break;
    Quantity q;
    q.key = "d" + own;
    if (const SourceLocation &where = program_.blocks[block].terminator.location; where.known())
      q.name = "the power of two of the loop at line " + std::to_string(where.line);
    q.owners = {block};
    q.least = 0;
    q.power = true;
    return domain().multiply(entry, domain().symbol(std::move(q), phi.width, mask_), mask_);
  }
  case Carried::Stage::SameInAllLanes:
    return domain().add(entry, decided_here(own, state.grain, phi.width, {}), 1, mask_);
  case Carried::Stage::Unknown: return domain().unknown(phi.width, mask_, state.why);
  }
  return domain().unknown(phi.width, mask_,
                          other("a value that a loop changes", program_.blocks[block].terminator.location));
}

const Induction *Interpreter::induction(BlockId block, const Phi &phi) const {
  const std::uint32_t loop = subject_.flow.loop_of_header[block];
  if (loop == kNone)
    return nullptr;
  const auto &phis = program_.blocks[block].phis;
  const Induction &found = subject_.flow.loops[loop].inductions[static_cast<std::size_t>(&phi - phis.data())];
  return found.known ? &found : nullptr;
}

Value Interpreter::step_of(BlockId block, const Phi &phi) {
  Value step = make_uniform(0, phi.width, mask_);
  const Induction *found = induction(block, phi);
  if (!found)
    return domain().unknown(phi.width, mask_, other("a value that a loop changes"));
  for (const RegisterId r : found->added)
    step = domain().add(step, read(r, block), 1, mask_);
  for (const RegisterId r : found->subtracted)
    step = domain().add(step, read(r, block), -1, mask_);
  return step;
}

bool Interpreter::doubles(BlockId block, const Phi &phi) const {
  const auto definition = [&](RegisterId reg) -> const Instruction * {
    for (const BasicBlock &one : program_.blocks)
      for (const Instruction &i : one.instructions)
        if (i.result == reg)
          return &i;
    return nullptr;
  };
  const auto constant = [&](RegisterId reg) {
    const Instruction *i = definition(reg);
    return i && i->opcode == Opcode::Constant ? i->immediate : 0;
  };
  bool any = false;
  for (const Phi::Incoming &in : phi.incoming) {
    if (!is_back_edge(in.from, block))
      continue;
    const Instruction *i = definition(in.value);
    if (!i || i->operands.size() != 2 || i->operands[0] != phi.result)
      return false;
    const RegisterId second = i->operands[1];
    const bool by_power = (i->opcode == Opcode::Shl && constant(second) > 0 && constant(second) < i->width) ||
                          (i->opcode == Opcode::Add && second == phi.result) ||
                          (i->opcode == Opcode::Mul && constant(second) > 0 &&
                           std::has_single_bit(static_cast<std::uint64_t>(constant(second))));
    if (!by_power)
      return false;
    any = true;
  }
  return any;
}

void Interpreter::check(const Loop &loop) {
  const BlockId block = loop.header;
  mask_ = activity_[block].possible;
  if (!mask_)
    return;
  now_ = block;
  for (const Phi &phi : program_.blocks[block].phis) {
    Carried &state = carried_[phi.result];
    if (state.stage == Carried::Stage::Unknown)
      continue;
    const Value &here = registers_[phi.result];
    if (here.unknown & mask_)
      continue;
    if (state.stage == Carried::Stage::Stepping || state.stage == Carried::Stage::Doubling)
      continue; // by the form of the program
    const Value &entry = entries_[phi.result];
    for (const BlockId from : subject_.flow.predecessors[block]) {
      if (!loop.contains[from] || !activity_[from].possible)
        continue;
      const Activity back = edge(from, block);
      const LaneMask lanes = back.possible & mask_;
      if (!lanes)
        continue;
      const Value value = read(incoming(phi, from), block);
      const auto give_up = [&](Why why) {
        state.stage = Carried::Stage::Unknown;
        state.why = std::move(why);
        changed_ = true;
      };
      if (value.unknown & lanes) {
        give_up(domain().why(value.reason));
        break;
      }
      Value before = entry;
      before.width = phi.width;
      if (!domain().same_memory(value, before)) {
        give_up(other("a pointer into one of several memories", program_.blocks[block].terminator.location));
        break;
      }
      const Value difference = domain().add(value, before, -1, lanes);
      if (state.stage == Carried::Stage::Unchanged) {
        if (difference.terms.empty() && warp_uniform(difference, lanes) &&
            canonical(difference.at(first_lane(lanes)), phi.width) == 0 && stays(before, loop))
          continue;
        changed_ = true;
        if (induction(block, phi)) {
          state.stage = Carried::Stage::Stepping;
          break;
        }
        if (doubles(block, phi)) {
          state.stage = Carried::Stage::Doubling;
          break;
        }
        state.stage = Carried::Stage::SameInAllLanes;
        if (in_haste_)
          state.grain = 0;
      }
      if (!warp_uniform(difference, lanes)) {
        give_up(
            other("a value that a loop changes, in each lane otherwise", program_.blocks[block].terminator.location));
        break;
      }
      unsigned grain = grain_of(difference, lanes);
      if (const std::int64_t base = difference.at(first_lane(lanes)))
        grain = std::min<unsigned>(grain, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(base))));
      if (grain < state.grain) {
        state.grain = in_haste_ || ++state.failures > 4 ? 0 : grain;
        changed_ = true;
      }
    }
  }
}

bool Interpreter::stays(const Value &value, const Loop &loop) {
  for (const BlockId owner : domain().owners(value))
    if (loop.contains[owner])
      return false;
  return true;
}

} // namespace smem::pattern
