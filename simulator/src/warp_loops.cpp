// Loops: many iterations from one execution of the body.
//
// At a header the warp tries to summarise: it lets every header phi be `value + step * t` for an open number t of
// repetitions, executes the body once (or `period` times, for buffers that alternate), and checks that each phi has moved by
// exactly its step. If it has, induction proves that the body behaves like that for every t that the guards allow. The
// rest (the last iterations, a change of lanes) is executed as it comes.
#include <algorithm>
#include <bit>

#include "race/lines.h"
#include "warp.h"

namespace smem {

namespace {
constexpr std::int64_t kLongestPeriod = 64; // iterations executed to find one repetition; beyond it nothing is gained
constexpr std::size_t kHistory = 9;         // arrivals remembered to find alternating values
constexpr std::uint32_t kPatience = 10;     // failures after which attempts double their distance no further

/// Whether a value that the loop loads is used, which another thread may change.
bool reads_memory(const Program &program, const Loop &loop) {
  for (BlockId id = 0; id < program.blocks.size(); ++id)
    if (loop.contains[id])
      for (const Instruction &instruction : program.blocks[id].instructions)
        if (instruction.opcode == Opcode::Memory) {
          const MemoryOperation &operation = program.memory_operations[instruction.index];
          if (operation.access.operation != Operation::Store && !operation.parts.empty())
            return true;
        }
  return false;
}

} // namespace

struct Warp::Snapshot {
  std::vector<Path> paths;
  std::vector<Value> registers; ///< of carried(), in its order
  std::vector<LoopState> loops;
  LaneMask alive = 0;
};

bool Warp::recurrences(const Loop &loop, const LoopState &state, LaneMask mask, std::int64_t &period,
                       std::vector<Recurrence> &out) {
  const auto &phis = program_.blocks[loop.header].phis;
  out.assign(phis.size(), {});
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < phis.size(); ++i) {
    const Value &now = read(phis[i].result);
    if (now.unknown & mask) { // stays unknown, whatever happens
      out[i].kind = Recurrence::Kind::Unknown;
      out[i].reason = now.reason;
      continue;
    }
    if (!loop.inductions[i].known) {
      open.push_back(i);
      continue;
    }
    Value step = make_uniform(0, phis[i].width, mask);
    std::uint32_t unknown = 0;
    for (const RegisterId r : loop.inductions[i].added) {
      if (read(r).unknown & mask)
        unknown = read(r).reason;
      else
        step = arithmetic_.binary(Opcode::Add, step, read(r), mask);
    }
    for (const RegisterId r : loop.inductions[i].subtracted) {
      if (read(r).unknown & mask)
        unknown = read(r).reason;
      else
        step = arithmetic_.binary(Opcode::Sub, step, read(r), mask);
    }
    if (unknown) {
      out[i].kind = Recurrence::Kind::Unknown;
      out[i].reason = unknown;
    } else if (step.has_symbol()) {
      // t times something unknown: no line, but still the same in all lanes if the step is.
      const bool together = warp_uniform(step, mask);
      out[i].kind = together ? Recurrence::Kind::UnknownUniform : Recurrence::Kind::Unknown;
      out[i].reason = machine_.symbols[step.terms.back().dimension].reason;
      std::uint64_t grain = static_cast<std::uint64_t>(step.at(first_lane(mask)));
      for (const Term &t : step.terms)
        grain |= static_cast<std::uint64_t>(t.at(first_lane(mask))) *
                 (is_symbol(t.dimension) ? machine_.symbols[t.dimension].alignment : 1);
      out[i].alignment = grain ? std::uint64_t{1} << std::min(std::countr_zero(grain), 20) : 1u << 20;
    } else {
      out[i].step = arithmetic_.fixed(step, mask);
    }
  }
  period = 1;
  if (open.empty())
    return true;
  if (machine_.symbols.symbolic && state.arrivals == 1) {
    // Perhaps the loop's end is a formula: then nothing can be executed as it comes. Tried with these values unknown.
    for (const std::size_t i : open) {
      out[i].kind =
          warp_uniform(read(phis[i].result), mask) ? Recurrence::Kind::UnknownUniform : Recurrence::Kind::Unknown;
      out[i].reason = machine_.reasons.add("a value that changes from one iteration to the next");
    }
    return true;
  }
  // Values that are not plain counters: the same again after a few iterations, or the same difference twice.
  const auto &history = state.history;
  const std::size_t n = history.size();
  for (std::size_t p = 1; p < n && p <= 8; ++p) {
    const auto &before = history[n - 1 - p];
    if (std::all_of(open.begin(), open.end(),
                    [&](std::size_t i) { return equal(read(phis[i].result), before[i], mask); })) {
      for (const std::size_t i : open)
        out[i].step = make_uniform(0, phis[i].width, mask);
      period = static_cast<std::int64_t>(p);
      return true;
    }
  }
  if (n < 3)
    return false;
  for (const std::size_t i : open) {
    const Value &now = read(phis[i].result), &one = history[n - 2][i], &two = history[n - 3][i];
    if ((one.unknown | two.unknown) & mask)
      return false;
    const Value last = arithmetic_.binary(Opcode::Sub, now, one, mask),
                earlier = arithmetic_.binary(Opcode::Sub, one, two, mask);
    if (last.constant() && earlier.constant() && equal(last, earlier, mask)) {
      out[i].step = last;
    } else if (now.has_symbol() && one.has_symbol()) { // a new unknown every time
      const bool together = warp_uniform(now, mask);
      out[i].kind = together ? Recurrence::Kind::UnknownUniform : Recurrence::Kind::Unknown;
      out[i].reason = machine_.symbols[now.terms.back().dimension].reason;
    } else {
      return false;
    }
  }
  return true;
}

Warp::Status Warp::summarise(std::uint32_t loop_index, std::int64_t period, std::vector<Recurrence> moves,
                             LaneMask mask, bool &advanced) {
  const Loop &loop = machine_.flow.loops[loop_index];
  const auto &phis = program_.blocks[loop.header].phis;
  advanced = false;
  Snapshot saved{paths_, {}, loops_, alive_};
  CellMemory::Trial local(&local_), shared(shared_);
  saved.registers.reserve(carried(loop_index).size());
  for (const RegisterId r : carried(loop_index))
    saved.registers.push_back(read(r));
  const bool stored_before = stored_;
  const std::size_t outer = scopes_.depth();
  auto restore = [&] {
    scopes_.abandon(outer);
    paths_ = saved.paths;
    loops_ = saved.loops;
    local.undo();
    shared.undo();
    alive_ = saved.alive;
    stored_ = stored_before;
    for (std::size_t i = 0; i < saved.registers.size(); ++i)
      own(carried(loop_index)[i]) = saved.registers[i];
  };

  for (;;) {
    if (outer + 1 >= kFirstSymbol - kFirstLoop)
      return Status::Finished;
    const DimensionId t = scopes_.open_loop();
    std::vector<Value> starts(phis.size());
    for (std::size_t i = 0; i < phis.size(); ++i) {
      Value start = read(phis[i].result);
      switch (moves[i].kind) {
      case Recurrence::Kind::Step: {
        Value slope = arithmetic_.binary(Opcode::Mul, moves[i].step, make_uniform(period, phis[i].width, mask), mask);
        Value line = arithmetic_.of_symbol(t, phis[i].width, mask);
        add_terms(start, arithmetic_.binary(Opcode::Mul, slope, line, mask), 1, mask);
        break;
      }
      case Recurrence::Kind::UnknownUniform: {
        Value unknown = arithmetic_.of_symbol(
            machine_.symbols.add({moves[i].alignment, moves[i].reason, Symbol::Window::None, kNone}), phis[i].width,
            mask);
        if (moves[i].alignment > 1 || warp_uniform(start, mask))
          add_terms(start, unknown, 1, mask);
        else
          start = make_unknown(phis[i].width, mask, moves[i].reason);
        break;
      }
      case Recurrence::Kind::Unknown: start = make_unknown(phis[i].width, mask, moves[i].reason); break;
      }
      starts[i] = start;
      write(phis[i].result, start, mask);
    }
    stored_ = false;
    paths_.back().arrived = false;
    Staying staying;
    const Watch watch{loop.header, paths_.size(), mask, machine_.symbols.symbolic ? &staying : nullptr};
    Status status = Status::Arrived;
    std::vector<std::pair<std::size_t, Linear>> rounds; // the events up to its end
    for (std::int64_t round = 0; round < period && status == Status::Arrived; ++round) {
      status = execute(watch);
      if (machine_.symbols.symbolic)
        rounds.emplace_back(scopes_.close_round(), Linear{});
    }
    if (status == Status::OutOfSteps)
      return status;
    if (status == Status::Interrupted) {
      const PeriodWish wish = *scopes_.wished();
      restore();
      if (wish.dimension != t)
        return Status::Interrupted; // an enclosing scope's business
      scopes_.clear_wish();
      if (period > kLongestPeriod / wish.period)
        return Status::Finished;
      period *= wish.period;
      continue;
    }
    const auto no_formula = [&](const char *why) {
      restore();
      if (!staying.conditions.empty())
        loops_[loop_index].no_formula = machine_.reasons.add(why, program_.blocks[loop.header].terminator.location);
      return Status::Finished;
    };
    if (status != Status::Arrived)
      return no_formula("iterations of a loop differ in what they execute");
    if (stored_)
      return no_formula("a loop stores values that addresses depend on");
    bool proved = true;
    for (std::size_t i = 0; i < phis.size() && proved; ++i) {
      const Value &end = read(phis[i].result);
      if (moves[i].kind == Recurrence::Kind::Step) {
        Value total = arithmetic_.binary(Opcode::Mul, moves[i].step, make_uniform(period, phis[i].width, mask), mask);
        proved = equal(end, arithmetic_.binary(Opcode::Add, starts[i], total, mask), mask);
      } else if (moves[i].kind == Recurrence::Kind::UnknownUniform) {
        // Whatever it is, start and end must differ by something that all lanes share.
        if (end.unknown & mask) {
          proved = false;
          break;
        }
        const Value moved = arithmetic_.binary(Opcode::Sub, end, starts[i], mask);
        proved = warp_uniform(moved, mask) && (moves[i].alignment == 1 || [&] {
                   std::uint64_t grain = static_cast<std::uint64_t>(moved.at(first_lane(mask)));
                   for (const Term &term : moved.terms)
                     grain |= static_cast<std::uint64_t>(term.at(first_lane(mask))) *
                              (is_symbol(term.dimension) ? machine_.symbols[term.dimension].alignment : 1);
                   return grain % moves[i].alignment == 0;
                 }());
      }
    }
    const auto limit = scopes_.loop_limit();
    Linear last;
    if (proved && !limit && staying.conditions.empty()) {
      // Nothing in the body ever ends the loop. The launch never ends, unless another thread ends it: whatever its counters show depends on when.
      restore();
      Problem problem;
      problem.kind = Problem::Kind::UnboundedLoop;
      problem.location = program_.blocks[loop.header].terminator.location;
      const bool waits = reads_memory(program_, loop);
      problem.message = waits ? "a loop that ends only if another thread writes what it reads"
                              : "a loop that never ends: no condition in it changes";
      const std::uint32_t reason = machine_.reasons.add(problem.message, problem.location);
      for (SiteId site = 0; site < program_.sites.size(); ++site)
        scopes_.mark(site, reason);
      if (!waits)
        scopes_.report(std::move(problem));
      return Status::Escaped;
    }
    if (!proved)
      return no_formula("a loop's values do not change by the same amount in every iteration");
    if (!staying.conditions.empty()) {
      if (staying.several || staying.conditions.size() != static_cast<std::size_t>(period))
        return no_formula("a loop may end in several places");
      if (scopes_.loop_decides())
        return no_formula("a condition in a loop does not hold for all of its iterations");
      std::uint32_t reason = 0;
      const auto count = iterations(staying.conditions, t, reason);
      if (!count) {
        restore();
        loops_[loop_index].no_formula = reason;
        return Status::Finished;
      }
      for (std::size_t round = 0; round < rounds.size(); ++round) {
        Linear left = *count;
        left.constant -= static_cast<std::int64_t>(round);
        rounds[round].second = machine_.symbols.ceil_div(std::move(left), period, reason);
      }
      scopes_.close_loop(rounds);
      // Where it stands then follows from the steps; what changes otherwise is as unknown as before.
      for (const RegisterId r : carried(loop_index))
        substitute(own(r), t, 0);
      for (std::size_t i = 0; i < phis.size(); ++i)
        if (moves[i].kind == Recurrence::Kind::Step) {
          Value times = make_uniform(static_cast<std::int64_t>(count->constant), phis[i].width, mask);
          for (const auto &[symbol, coefficient] : count->terms)
            if (const std::int64_t c = canonical(static_cast<std::int64_t>(coefficient), phis[i].width))
              times.terms.push_back({symbol, c, nullptr});
          const std::size_t kept = static_cast<std::size_t>(std::ranges::find(carried(loop_index), phis[i].result) -
                                                            carried(loop_index).begin());
          write(phis[i].result,
                arithmetic_.binary(Opcode::Add, saved.registers[kept],
                                   arithmetic_.binary(Opcode::Mul, moves[i].step, times, mask), mask),
                mask);
        }
    } else {
      last = scopes_.loop_end();
      const bool rises =
          std::any_of(last.terms.begin(), last.terms.end(), [](const auto &term) { return term.second > 0; });
      if (scopes_.wished() || (last.constant == 0 && !rises)) {
        restore();
        return scopes_.wished() ? Status::Interrupted : Status::Finished;
      }
      scopes_.close_loop(last);
      for (const RegisterId r : carried(loop_index))
        substitute(own(r), t, last);
    }
    paths_.back().arrived = false;
    paths_.back().next = 0;
    LoopState &state = loops_[loop_index];
    state = saved.loops[loop_index];
    if (staying.conditions.empty()) {
      for_lanes(mask, [&](unsigned lane) {
        state.entered[lane] += static_cast<std::uint64_t>(period) * (static_cast<std::uint64_t>(last.constant) + 1);
      });
      if (!last.terms.empty()) {
        state.entered_besides.emplace_back(mask, Linear{});
        last.constant = 0;
        state.entered_besides.back().second.add(last, period);
      }
    }
    state.exhausted = !staying.conditions.empty();
    for (std::size_t l = 0; l < loops_.size(); ++l)
      if (l != loop_index)
        loops_[l] = saved.loops[l];
    stored_ = stored_before;
    advanced = true;
    return Status::Finished;
  }
}

std::vector<std::shared_ptr<const Choice>> Warp::lines_of_phis(const Loop &loop, LaneMask mask) {
  const auto &phis = program_.blocks[loop.header].phis;
  std::vector<std::shared_ptr<const Choice>> lines(phis.size());
  for (std::size_t i = 0; i < phis.size(); ++i) {
    const Induction &induction = loop.steady[i];
    if (!induction.known)
      continue;
    Value step = make_uniform(0, phis[i].width, mask);
    for (const RegisterId added : induction.added)
      step = arithmetic_.binary(Opcode::Add, step, read(added), mask);
    for (const RegisterId subtracted : induction.subtracted)
      step = arithmetic_.binary(Opcode::Sub, step, read(subtracted), mask);
    if (!(step.unknown & mask) && step.constant() && warp_uniform(step, mask))
      lines[i] = race::line_from(read(phis[i].result), step.at(first_lane(mask)), induction.fits, mask);
  }
  return lines;
}

Warp::Status Warp::on_header(std::uint32_t loop_index, const Path &arrived, const Watch &watch) {
  const Loop &loop = machine_.flow.loops[loop_index];
  LoopState &state = loops_[loop_index];
  const Path path = arrived;
  const auto &phis = program_.blocks[loop.header].phis;
  const bool entered = path.from == kNone || !loop.contains[path.from];
  if (!entered && watch.header == loop.header)
    return paths_.size() == watch.depth && path.mask == watch.mask && !path.why_uncertain ? Status::Arrived
                                                                                          : Status::Escaped;
  if (entered) {
    state = {};
    state.stepped_from = machine_.steps;
  }
  if (!path.why_uncertain && is_too_long(loop_index, path.mask))
    return Status::OutOfSteps;
  for_lanes(path.mask, [&](unsigned lane) { ++state.entered[lane]; });
  if (state.forget_phis) {
    if (++state.forgotten_visits == 1 && machine_.race_watch)
      state.lines = lines_of_phis(loop, path.mask);
    for (std::size_t i = 0; i < phis.size(); ++i) {
      Value any = make_unknown(phis[i].width, path.mask, state.forget_phis);
      if (i < state.lines.size())
        any.choice = state.lines[i];
      write(phis[i].result, any, path.mask);
    }
    return Status::Finished;
  }
  if (machine_.choices && !path.why_uncertain)
    return on_header_for_all(loop_index, path, entered);
  if (!machine_.options.classes || path.why_uncertain)
    return Status::Finished;
  if (state.depth != paths_.size() || state.mask != path.mask) {
    state.depth = paths_.size();
    state.mask = path.mask;
    state.arrivals = state.retry_at = 0;
    state.failures = 0;
    state.history.clear();
  }
  ++state.arrivals;
  if (!loop.all_inductive) {
    std::vector<Value> values;
    for (const Phi &phi : phis)
      values.push_back(read(phi.result));
    state.history.push_back(std::move(values));
    if (state.history.size() > kHistory)
      state.history.erase(state.history.begin());
  }
  if (state.arrivals < state.retry_at)
    return Status::Finished;
  std::int64_t period = 1;
  std::vector<Recurrence> moves;
  if (!recurrences(loop, state, path.mask, period, moves))
    return Status::Finished;
  if (scopes_.wished())
    return Status::Interrupted;
  bool advanced = false;
  const Status status = summarise(loop_index, period, std::move(moves), path.mask, advanced);
  LoopState &after = loops_[loop_index];
  if (advanced) {
    after.failures = 0;
    after.history.clear();
    after.stepped = after.look_at = 0;
    after.stepped_from = machine_.steps;
    after.retry_at = after.arrivals + 2; // let at least one iteration run as it comes before the next attempt
  } else {
    after.failures = std::min(after.failures + 1, kPatience);
    after.retry_at = after.arrivals + (std::uint64_t{1} << after.failures) / 2 + 1;
  }
  if (status == Status::Escaped) { // an endless loop: the warp ends here
    paths_.clear();
    return Status::Finished;
  }
  return status;
}

} // namespace smem
