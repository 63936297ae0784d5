#include "interpret.h"

#include <algorithm>

#include "convergence.h"
#include "extremes.h"
#include "price.h"

namespace smem::pattern {
namespace {

// Most kernels need one round or two. Those that take so many instructions, or rounds, finish in haste.
constexpr std::uint64_t kMostRounds = 48, kManyRounds = 8;
constexpr std::uint64_t kMostInstructions = 300'000;

class Interpreter {
public:
  Interpreter(const Subject &subject, BlockShape shape, const Suppositions &supposed,
              const std::vector<ParameterFact> &facts, Arithmetic &constants)
      : subject_(subject), program_(subject.program), shape_(shape), supposed_(supposed), facts_(facts),
        constants_(constants), convergence_(subject.program, subject.flow), carried_(program_.register_count) {}

  Interpretation run(Experience &experience) {
    if (!experience.carried.empty())
      carried_ = experience.carried;
    std::uint64_t size = 1;
    for (const BasicBlock &block : program_.blocks)
      size += block.phis.size() + block.instructions.size();
    const std::uint64_t most = std::clamp(kMostInstructions / size, kManyRounds, kMostRounds);
    for (std::uint64_t round = 0; round < most + kMostRounds; ++round) {
      in_haste_ = round >= most;
      Interpretation out(constants_, supposed_);
      out.operations.resize(program_.memory_operations.size());
      round_ = &out;
      if (!once()) {
        if (round >= kManyRounds)
          remember(experience);
        return out;
      }
    }
    Interpretation none(constants_, supposed_);
    none.operations.resize(program_.memory_operations.size());
    none.settled = false;
    return none;
  }

private:
  /// What was hard to find out. What other suppositions may mend is tried again.
  void remember(Experience &experience) const {
    if (!experience.carried.empty())
      return;
    experience.carried = carried_;
    for (Carried &state : experience.carried)
      if (state.stage == Carried::Stage::Unknown && state.why.kind == Why::Kind::Split)
        state = {};
  }

  Domain &domain() { return round_->domain; }
  static Why other(std::string text, SourceLocation location = {}) {
    Why why;
    why.text = std::move(text);
    why.location = std::move(location);
    return why;
  }

  /// Whether anything that was supposed has to be given up.
  bool once() {
    registers_.assign(program_.register_count, Value());
    activity_.assign(program_.blocks.size(), {});
    visited_.assign(program_.blocks.size(), false);
    conditions_ = {};
    extremes_.clear();
    shifted_left_.clear();
    changed_ = false;
    for (const BlockId block : convergence_.order()) {
      now_ = block;
      activity_[block] = activity_of(block);
      visited_[block] = true;
      mask_ = activity_[block].possible;
      if (!mask_)
        continue;
      take_phis(block);
      for (const Instruction &i : program_.blocks[block].instructions)
        instruction(i);
      const Terminator &end = program_.blocks[block].terminator;
      if (end.condition == kNone || convergence_.parts(block))
        continue;
      const Value condition = read(end.condition, block);
      if (!warp_uniform(condition, mask_) && may_part(end, condition))
        changed_ |= convergence_.part_at(block);
    }
    for (const Loop &loop : subject_.flow.loops)
      check(loop);
    return changed_;
  }

  bool may_part(const Terminator &end, const Value &) const {
    return std::any_of(end.targets.begin(), end.targets.end(), [&](BlockId to) { return to != end.targets[0]; });
  }

  // --- Activity -------------------------------------------------------------------------------------------------------------

  Activity edge(BlockId from, BlockId to) {
    const Terminator &end = program_.blocks[from].terminator;
    const Activity &before = activity_[from];
    if (end.condition == kNone || !before.possible)
      return before;
    const bool all = std::all_of(end.targets.begin(), end.targets.end(), [&](BlockId t) { return t == to; });
    if (all)
      return before;
    const BlockId at = now_;
    now_ = from;
    const Value condition = read(end.condition, from);
    now_ = at;
    if (end.kind == TerminatorKind::Branch)
      return conditions_.where(before, condition, end.targets[0] == to);
    Activity out = before;
    for_lanes(before.possible, [&](unsigned lane) {
      bool known = !(condition.unknown >> lane & 1);
      for (const Term &t : condition.terms)
        known &= t.at(lane) == 0;
      if (!known) {
        out.when[lane] = Activity::kMaybe;
        return;
      }
      BlockId goes = end.targets[0];
      for (std::size_t c = 0; c < end.cases.size(); ++c)
        if (end.cases[c] == condition.at(lane))
          goes = end.targets[c + 1];
      if (goes != to)
        out.possible &= ~(1u << lane);
    });
    return out;
  }

  bool is_back_edge(BlockId from, BlockId to) const {
    for (BlockId b = from;; b = convergence_.dominator(b)) {
      if (b == to)
        return true;
      if (b == 0 || b == kNone)
        return false;
    }
  }

  Activity activity_of(BlockId block) {
    if (block == 0) {
      Activity all;
      all.possible = kFullMask;
      if (shape_ == BlockShape::Line || shape_ == BlockShape::Other)
        all.when.fill(Activity::kMaybe);
      return all;
    }
    if (const BlockId with = convergence_.together_with(block); with != kNone)
      return activity_[with];
    Activity out;
    bool first = true;
    for (const BlockId from : subject_.flow.predecessors[block]) {
      if (!visited_[from]) {
        if (is_back_edge(from, block))
          continue;
        out.possible = kFullMask; // a loop with several entries
        out.make_uncertain();
        return out;
      }
      const Activity in = edge(from, block);
      if (!in.possible)
        continue;
      out = first ? in : join(out, in);
      first = false;
    }
    const BlockId above = convergence_.dominator(block);
    if ((convergence_.apart(block) && !convergence_.apart(above)) || convergence_.out_of_step(block, above))
      out.make_uncertain();
    return out;
  }

  // --- Values ---------------------------------------------------------------------------------------------------------------

  Value read(RegisterId reg, BlockId at) { return as_read(registers_[reg], at); }
  Value as_read(const Value &value, BlockId at) {
    if (value.terms.empty())
      return value;
    for (const Term &t : value.terms)
      for (const BlockId owner : domain().quantity(t.dimension).owners)
        if (const BlockId branch = convergence_.leaves_step(owner, at); branch != kNone)
          return lost_in_loop(value.width, branch);
    return value;
  }
  Value lost_in_loop(unsigned width, BlockId branch) {
    // Where something could be supposed that keeps lanes together, that is the reason.
    const Value &condition = registers_[program_.blocks[branch].terminator.condition];
    if (condition.unknown && domain().why(condition.reason).kind == Why::Kind::Split)
      return make_unknown(width, kFullMask, condition.reason);
    return domain().unknown(
        width, kFullMask,
        other("lanes leave a loop in different iterations", program_.blocks[branch].terminator.location));
  }

  std::string key(RegisterId reg) const { return std::string("r").append(std::to_string(reg)); }

  /// A value that the block's execution decides.
  Value decided_here(const std::string &name_of, unsigned grain, unsigned width, const std::string &name,
                     std::optional<std::int64_t> least = {}, std::optional<std::int64_t> most = {}) {
    if (convergence_.apart(now_))
      return domain().unknown(width, mask_,
                              other("lanes come here at different times", program_.blocks[now_].terminator.location));
    return domain().fresh(name_of, {now_}, grain, width, mask_, name, least, most);
  }

  void take_phis(BlockId block) {
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

  RegisterId incoming(const Phi &phi, BlockId from) const {
    return std::find_if(phi.incoming.begin(), phi.incoming.end(),
                        [&](const Phi::Incoming &in) { return in.from == from; })
        ->value;
  }

  Why divergence(BlockId block) {
    for (const BlockId b : convergence_.meeting_at(block))
      if (visited_[b] && activity_[b].possible) {
        const Value condition = read(program_.blocks[b].terminator.condition, b);
        if (condition.unknown)
          return domain().why(condition.reason);
      }
    return other("a value that depends on the way lanes come here, which differs",
                 program_.blocks[block].terminator.location);
  }

  Value joined(BlockId block, const Phi &phi, const std::vector<std::pair<BlockId, Activity>> &edges) {
    std::vector<Value> from;
    for (const auto &[source, activity] : edges) {
      from.push_back(read(incoming(phi, source), block));
      from.back().width = phi.width;
      from.back().unknown &= mask_;
    }
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

  /// Lanes that may come along several edges.
  Value several_ways(BlockId block, const Phi &phi, const std::vector<std::pair<BlockId, Activity>> &edges,
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

  Value carried(BlockId block, const Phi &phi, Value entry) {
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
    case Carried::Stage::SameInAllLanes:
      return domain().add(entry, decided_here(own, state.grain, phi.width, {}), 1, mask_);
    case Carried::Stage::Unknown: return domain().unknown(phi.width, mask_, state.why);
    }
    return domain().unknown(phi.width, mask_,
                            other("a value that a loop changes", program_.blocks[block].terminator.location));
  }

  const Induction *induction(BlockId block, const Phi &phi) const {
    const std::uint32_t loop = subject_.flow.loop_of_header[block];
    if (loop == kNone)
      return nullptr;
    const auto &phis = program_.blocks[block].phis;
    const Induction &found = subject_.flow.loops[loop].inductions[static_cast<std::size_t>(&phi - phis.data())];
    return found.known ? &found : nullptr;
  }

  Value step_of(BlockId block, const Phi &phi) {
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

  void check(const Loop &loop) {
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
      if (state.stage == Carried::Stage::Stepping)
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

  /// Nothing of the value is decided in the loop.
  bool stays(const Value &value, const Loop &loop) {
    for (const BlockId owner : domain().owners(value))
      if (loop.contains[owner])
        return false;
    return true;
  }

  // --- Instructions ----------------------------------------------------------------------------------------------------------

  Value launch_constant(const std::string &name, unsigned width, std::int64_t scale, std::int64_t least,
                        std::optional<std::int64_t> most) {
    Quantity q;
    q.key = q.name = name;
    q.least = least;
    q.most = most;
    const Value one = domain().symbol(std::move(q), 64, mask_);
    return domain().resize(Opcode::Truncate, domain().multiply(one, make_uniform(scale, 64, mask_), mask_), width, {},
                           mask_);
  }

  Value by_lane(unsigned width, auto &&f) {
    Value out = make_uniform(0, width, mask_);
    out.uniform = false;
    out.base.fill(0);
    for_lanes(mask_, [&](unsigned lane) { out.base[lane] = canonical(static_cast<std::int64_t>(f(lane)), width); });
    compact(out, mask_);
    return out;
  }

  Value special(const Instruction &i) {
    const auto which = static_cast<SpecialRegister>(i.immediate);
    const unsigned w = i.width;
    const unsigned rows = shape_ == BlockShape::Rows16  ? 16
                          : shape_ == BlockShape::Rows8 ? 8
                          : shape_ == BlockShape::Rows4 ? 4
                                                        : 0;
    const auto constant = [&](std::int64_t value) { return make_uniform(value, w, mask_); };
    const auto unknown_shape = [&] {
      return domain().unknown(w, mask_, other("lanes are laid out in the block in a way that is not known"));
    };
    switch (which) {
    case SpecialRegister::ThreadX:
      if (shape_ == BlockShape::Other)
        return unknown_shape();
      if (rows)
        return by_lane(w, [&](unsigned lane) { return lane % rows; });
      return domain().add(by_lane(w, [](unsigned lane) { return lane; }),
                          launch_constant("threadIdx.x / 32", w, 32, 0, 31), 1, mask_);
    case SpecialRegister::ThreadY:
      if (shape_ == BlockShape::Other)
        return unknown_shape();
      if (shape_ == BlockShape::Line)
        return constant(0);
      if (rows)
        return domain().add(by_lane(w, [&](unsigned lane) { return lane / rows; }),
                            launch_constant("threadIdx.y / " + std::to_string(32 / rows), w, 32 / rows, 0, 31), 1,
                            mask_);
      return launch_constant("threadIdx.y", w, 1, 0, 1023);
    case SpecialRegister::ThreadZ:
      if (shape_ == BlockShape::Other)
        return unknown_shape();
      if (shape_ == BlockShape::Line)
        return constant(0);
      return launch_constant("threadIdx.z", w, 1, 0, 63);
    case SpecialRegister::BlockX: return launch_constant("blockIdx.x", w, 1, 0, INT32_MAX);
    case SpecialRegister::BlockY: return launch_constant("blockIdx.y", w, 1, 0, 65535);
    case SpecialRegister::BlockZ: return launch_constant("blockIdx.z", w, 1, 0, 65535);
    case SpecialRegister::BlockDimX:
      if (rows)
        return constant(rows);
      if (shape_ == BlockShape::WholeWarps)
        return launch_constant("blockDim.x / 32", w, 32, 1, 32);
      return launch_constant("blockDim.x", w, 1, 1, 1024);
    case SpecialRegister::BlockDimY:
      if (shape_ == BlockShape::Line)
        return constant(1);
      if (rows)
        return launch_constant("blockDim.y / " + std::to_string(32 / rows), w, 32 / rows, 1, 32);
      return launch_constant("blockDim.y", w, 1, 1, 1024);
    case SpecialRegister::BlockDimZ:
      return shape_ == BlockShape::Line ? constant(1) : launch_constant("blockDim.z", w, 1, 1, 64);
    case SpecialRegister::GridDimX: return launch_constant("gridDim.x", w, 1, 1, INT32_MAX);
    case SpecialRegister::GridDimY: return launch_constant("gridDim.y", w, 1, 1, 65535);
    case SpecialRegister::GridDimZ: return launch_constant("gridDim.z", w, 1, 1, 65535);
    case SpecialRegister::Lane: return by_lane(w, [](unsigned lane) { return lane; });
    case SpecialRegister::WarpInBlock: return launch_constant("the warp", w, 1, 0, 31);
    case SpecialRegister::WarpSize: return constant(kWarpSize);
    case SpecialRegister::LaneMaskLt: return by_lane(w, [](unsigned lane) { return (1u << lane) - 1; });
    case SpecialRegister::LaneMaskLe: return by_lane(w, [](unsigned lane) { return (std::uint64_t{2} << lane) - 1; });
    case SpecialRegister::LaneMaskEq: return by_lane(w, [](unsigned lane) { return 1u << lane; });
    case SpecialRegister::LaneMaskGe: return by_lane(w, [](unsigned lane) { return ~((1u << lane) - 1); });
    case SpecialRegister::LaneMaskGt:
      return by_lane(w, [](unsigned lane) { return ~static_cast<std::uint32_t>((std::uint64_t{2} << lane) - 1); });
    case SpecialRegister::DynamicSharedSize:
      return launch_constant("the size of dynamic shared memory", w, 1, 0, 1 << 20);
    case SpecialRegister::TotalSharedSize: return launch_constant("the size of shared memory", w, 1, 0, 1 << 20);
    }
    return domain().unknown(w, mask_, other("a special register"));
  }

  Value argument(const Instruction &i) {
    Quantity q;
    q.argument = i.index;
    q.offset = static_cast<std::uint64_t>(i.immediate);
    q.width = i.width;
    q.key = "a" + std::to_string(i.index) + "+" + std::to_string(i.immediate) + ":" + std::to_string(i.width);
    if (i.index < program_.parameters.size()) {
      const Parameter &parameter = program_.parameters[i.index];
      if (parameter.size * 8 == i.width) {
        q.name = parameter.name;
        if (parameter.pointer)
          q.memory = Quantity::Memory::Global;
      }
      for (const ParameterMember &member : parameter.members)
        if (member.offset == q.offset && member.size * 8 == i.width) {
          q.name = member.name;
          if (member.pointer)
            q.memory = Quantity::Memory::Global;
        }
    }
    if (i.width == 1)
      q.least = 0, q.most = 1;
    const auto fact = std::ranges::find_if(facts_, [&](const ParameterFact &one) {
      return one.index == i.index && one.offset == q.offset && one.width == i.width;
    });
    if (fact == facts_.end() || q.memory != Quantity::Memory::None)
      return domain().symbol(std::move(q), i.width, mask_);
    return of_facts(fact->facts, std::move(q), i.width);
  }

  /// A quantity of which the code says something. One that is a multiple is a multiple of a quantity without facts.
  Value of_facts(const ArgumentFacts &facts, Quantity q, unsigned width) {
    if (facts.least && facts.least == facts.most)
      return make_uniform(canonical(*facts.least, width), width, mask_);
    constexpr std::int64_t kMostScale = 1024; // banks, sectors and lines repeat after less
    const std::int64_t scale = facts.remainder ? 1 : std::min(facts.modulus & -facts.modulus, kMostScale);
    q.least = facts.least;
    q.most = facts.most;
    q.key += "!" + to_string(facts, "");
    if (scale == 1) {
      q.modulus = facts.modulus;
      q.remainder = facts.remainder;
      return domain().symbol(std::move(q), width, mask_);
    }
    q.scale = scale;
    q.piece = q.name;
    if (!q.name.empty())
      q.name += " / " + std::to_string(scale);
    if (q.least)
      q.least = floor_of(*q.least + scale - 1, scale);
    if (q.most)
      q.most = floor_of(*q.most, scale);
    const Value times = domain().symbol(std::move(q), 64, mask_);
    return domain().resize(Opcode::Truncate, domain().multiply(times, make_uniform(scale, 64, mask_), mask_), width, {},
                           mask_);
  }

  /// `key`: of this memory alone, as names need not be.
  Value window(const std::string &key, const std::string &name, Quantity::Memory memory, std::uint64_t alignment,
               unsigned width) {
    Quantity q;
    q.key = key;
    q.name = name;
    q.memory = memory;
    q.least = 0;
    const Value base = domain().symbol(std::move(q), width, mask_);
    return domain().multiply(base, make_uniform(static_cast<std::int64_t>(alignment & (~alignment + 1)), width, mask_),
                             mask_);
  }

  /// `(x << k) >> k`, as compilers extend the lowest bits of x, which may well wrap around.
  std::optional<Value> extended_in_register(const Instruction &i, const std::vector<Value> &values,
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
    const Value whole = domain().resize(i.opcode == Opcode::AShr ? Opcode::SignExtend : Opcode::ZeroExtend, narrow,
                                        i.width, own, mask_);
    const Value rest = make_uniform(std::abs(left - right), i.width, mask_);
    return left == right ? whole : domain().binary(left > right ? Opcode::Shl : i.opcode, whole, rest, own, mask_);
  }

  /// Of a shift to the left by a constant.
  void note_shift(const Instruction &i, const std::vector<Value> &values) {
    const Value &amount = values[1];
    if (!amount.terms.empty() || (amount.unknown & mask_) || !warp_uniform(amount, mask_))
      return;
    const std::int64_t by = amount.at(first_lane(mask_));
    if (by > 0 && by < i.width)
      shifted_left_[i.result] = {i.operands[0], by};
  }

  void write(RegisterId reg, Value value) {
    value.defined = mask_;
    registers_[reg] = std::move(value);
  }

  void instruction(const Instruction &i) {
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
      write(i.result, extremes_.refine(domain(), i, values, domain().resize(i.opcode, values[0], i.width, own, mask_),
                                       own, mask_));
      return;
    case Opcode::Eq:
    case Opcode::Ne:
    case Opcode::ULt:
    case Opcode::ULe:
    case Opcode::SLt:
    case Opcode::SLe:
      write(i.result, extremes_.refine(domain(), i, values,
                                       domain().compare(i.opcode, values[0], values[1], own, mask_), own, mask_));
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
      write(i.result, same && !values.empty() ? values[0] : domain().unknown(i.width, mask_, other(reason())));
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
      write(i.result, domain().unknown(i.width, mask_, other("which lanes have the same value")));
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
         i.opcode == Opcode::CountTrailingZeros || i.opcode == Opcode::ReverseBits ||
         i.opcode == Opcode::ReverseBytes)) {
      write(i.result, constants_.unary(i.opcode, values[0], i.width, mask_));
      return;
    }
    if (known && (i.opcode == Opcode::FunnelLeft || i.opcode == Opcode::FunnelRight)) {
      write(i.result, constants_.funnel(i.opcode, values[0], values[1], values[2], mask_));
      return;
    }
    write(i.result, domain().function(operands, i.width, own, mask_, "an operation on values that lanes differ in"));
  }

  Value exchange(const Instruction &i, const std::vector<Value> &values, const std::string &own) {
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
        const unsigned b = static_cast<unsigned>(values[1].at(lane)) & 31,
                       c = static_cast<unsigned>(values[2].at(lane));
        const unsigned segment = (c >> 8) & 31, limit = c & 31;
        const int last = static_cast<int>((lane & segment) | (limit & ~segment)), self = static_cast<int>(lane);
        int source = 0;
        bool ok = false;
        switch (mode) {
        case ShuffleMode::Up:
          source = self - static_cast<int>(b);
          ok = source >= last;
          break;
        case ShuffleMode::Down:
          source = self + static_cast<int>(b);
          ok = source <= last;
          break;
        case ShuffleMode::Butterfly:
          source = self ^ static_cast<int>(b);
          ok = source <= last;
          break;
        case ShuffleMode::Index:
          source = static_cast<int>((lane & segment) | (b & ~segment));
          ok = source <= last;
          break;
        }
        if (!ok)
          source = self;
        if (predicate) {
          out.base[lane] = ok;
          return;
        }
        Value held = values[0];
        held.uniform = true;
        held.base[0] = values[0].at(static_cast<unsigned>(source));
        for (Term &t : held.terms) {
          t.uniform = t.at(static_cast<unsigned>(source));
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

  /// Every lane has a local memory of its own.
  bool may_be_local(const MemoryOperation &operation, const Seen &seen) {
    return operation.space == AddressSpace::Local ||
           (operation.space == AddressSpace::Generic && !program_.local_objects.empty() &&
            !std::holds_alternative<Space>(space_of(operation, seen, domain())));
  }

  void memory(std::uint32_t index) {
    const MemoryOperation &operation = program_.memory_operations[index];
    Seen &seen = round_->operations[index];
    Activity activity = activity_[now_];
    if (operation.predicate != kNone)
      activity = conditions_.where(activity, read(operation.predicate, now_), true);
    if (!activity.possible) {
      for (const ValuePart &part : operation.parts)
        if (part.reg != kNone && operation.access.operation != Operation::Store)
          write(part.reg, make_uniform(0, part.width, mask_));
      return;
    }
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
      seen.reading = conditions_.where(
          activity, domain().compare(Opcode::Ne, bytes, none, "b" + std::to_string(index), mask_), true);
    }
    if (operation.access.operation == Operation::Store)
      return;
    const Why why = loaded_value(program_, operation);
    const bool reads = operation.access.operation == Operation::Load;
    for (const ValuePart &part : operation.parts) {
      if (part.reg == kNone)
        continue;
      const bool together = reads && warp_uniform(seen.address, activity.possible) && !convergence_.apart(now_) &&
                            !may_be_local(operation, seen);
      if (together) {
        std::string name = program_.sites.size() > operation.site ? program_.sites[operation.site].expression : "";
        write(part.reg,
              domain().fresh(key(part.reg), {now_}, 0, part.width, mask_, name.empty() ? "a loaded value" : name));
      } else {
        write(part.reg, domain().unknown(part.width, mask_, why));
      }
    }
  }

  const Subject &subject_;
  const Program &program_;
  const BlockShape shape_;
  const Suppositions &supposed_;
  const std::vector<ParameterFact> &facts_;
  Arithmetic &constants_;
  Convergence convergence_;
  std::vector<Carried> carried_; ///< by register
  std::map<RegisterId, Value> entries_;

  Interpretation *round_ = nullptr;
  std::vector<Value> registers_;
  std::vector<Activity> activity_;
  std::vector<bool> visited_;
  Conditions conditions_;
  struct ShiftedLeft {
    RegisterId value;
    std::int64_t amount;
  };
  std::map<RegisterId, ShiftedLeft> shifted_left_; ///< results of shifts by constants
  Extremes extremes_{[this](const Value &value) { return as_read(value, now_); }};
  bool changed_ = false;
  bool in_haste_ = false; ///< to come to an end rather than to know more
  BlockId now_ = 0;
  LaneMask mask_ = 0;
};

} // namespace

Why loaded_value(const Program &program, const MemoryOperation &operation) {
  Why why;
  why.kind = Why::Kind::Data;
  why.text = "a value read from memory";
  if (operation.site == kNone)
    return why;
  const Site &site = program.sites[operation.site];
  why.text = site.expression.empty() ? "a value" : "`" + site.expression + "`";
  why.text += operation.access.operation == Operation::Atomic ? " is what an atomic returns" : " is loaded from memory";
  why.location = site.location;
  return why;
}

Interpretation interpret(const Subject &subject, BlockShape shape, const Suppositions &supposed,
                         const std::vector<ParameterFact> &facts, Arithmetic &constants, Experience &experience) {
  return Interpreter(subject, shape, supposed, facts, constants).run(experience);
}

} // namespace smem::pattern
