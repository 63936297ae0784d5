#include "scope.h"

#include <algorithm>
#include <numeric>

namespace smem {
namespace {

/// Beyond this no coefficient of a loop's end is used, so that products of a few stay in range.
constexpr Wide kSteepest = INT32_MAX;

/// How far an event moves with each step of a dimension.
Event::Step step_of(const Event &event, DimensionId dimension) {
  const auto own = std::find_if(event.coefficients.begin(), event.coefficients.end(),
                                [&](const auto &c) { return c.first == dimension; });
  return own == event.coefficients.end() ? Event::Step{} : own->second;
}

bool depends_on(const Linear &linear, DimensionId dimension) {
  return std::any_of(linear.terms.begin(), linear.terms.end(), [&](const auto &t) { return t.first == dimension; });
}

} // namespace

void Footprint::repeat(DimensionId dimension, const Linear &count) {
  // Where the number of rounds moves with what is around, there may be none: only the place at hand is certain.
  for (const auto &[other, coefficient] : count.terms)
    std::erase_if(open, [&](const auto &step) { return step.first == other; });
  const auto own = std::ranges::find(open, dimension, [](const auto &step) { return step.first; });
  if (own == open.end())
    return;
  if (count.terms.empty() && count.constant > 1)
    closed.push_back({own->second, static_cast<std::uint64_t>(count.constant)});
  open.erase(own);
}

void Footprint::add(const Footprint &other, std::int64_t way) {
  const auto same = [](const Steps &a, const Steps &b) { return a.step == b.step && a.count == b.count; };
  if (base == 0 || base != other.base || open != other.open || !std::ranges::equal(closed, other.closed, same))
    return;
  const auto note = [&](std::int64_t place) {
    if (place != 0 && also.size() < kMostAlso)
      also.push_back(place);
  };
  note(way);
  for (const std::int64_t further : other.also)
    note(way + further);
}

void Event::repeat(DimensionId dimension, const Linear &count) {
  footprint.repeat(dimension, count);
  const Step step = step_of(*this, dimension);
  std::erase_if(coefficients, [&](const auto &c) { return c.first == dimension; });
  const auto open = [](const Level &level) {
    return std::any_of(level.count.terms.begin(), level.count.terms.end(),
                       [](const auto &t) { return t.first < kFirstLevel; });
  };
  const bool in_nest = !nests.empty() && std::any_of(nests.back().begin(), nests.back().end(), open);
  const bool decides = in_nest && std::any_of(nests.back().begin(), nests.back().end(),
                                              [&](const Level &level) { return depends_on(level.count, dimension); });
  if (!decides && count.terms.empty()) {
    const auto steps = static_cast<std::uint64_t>(count.constant);
    if (step.own || step.source)
      progressions.push_back({step, steps});
    else if (__builtin_mul_overflow(multiplicity, steps, &multiplicity))
      multiplicity = UINT64_MAX; // too many to count
    return;
  }
  if (!in_nest)
    nests.emplace_back();
  Nest &nest = nests.back();
  for (Level &level : nest)
    if (depends_on(level.count, dimension)) {
      const auto term = std::find_if(level.count.terms.begin(), level.count.terms.end(),
                                     [&](const auto &t) { return t.first == dimension; });
      const Wide coefficient = term->second;
      level.count.terms.erase(term);
      level.count.terms.emplace_back(kFirstLevel + static_cast<DimensionId>(nest.size()),
                                     coefficient); // the largest number so far
    }
  nest.push_back({step, count});
}

std::int64_t Box::corner(unsigned axis) const {
  std::int64_t value = 0;
  for (const Digit &digit : digits)
    if (digit.axis == axis)
      value += digit.weight * digit.low;
  return value;
}

std::uint64_t Box::count() const {
  std::uint64_t count = 1;
  for (const Digit &digit : digits)
    count *= static_cast<std::uint64_t>(digit.extent);
  return count;
}

std::optional<std::int64_t> Scopes::extent(DimensionId dimension) const {
  if (is_digit(dimension))
    return box_.digits[dimension].extent;
  return std::nullopt;
}

namespace {

std::size_t hash_of_slopes(const Guard &guard) {
  std::size_t hash = guard.wraps ? 1 : 0;
  for (const auto &[dimension, coefficient] : guard.coefficients)
    hash = (hash ^ dimension ^ static_cast<std::uint64_t>(coefficient) << 17) * 0x9e3779b97f4a7c15;
  return hash;
}

} // namespace

void Guards::add(Guard guard) {
  constexpr std::size_t kFew = 16; // up to so many a linear search is faster
  const auto merged = [&](Guard &known) {
    if (known.wraps != guard.wraps || known.coefficients != guard.coefficients)
      return false;
    known.constant = std::min(known.constant, guard.constant);
    return true;
  };
  if (guards_.size() < kFew) {
    if (std::ranges::none_of(guards_, merged))
      guards_.push_back(std::move(guard));
    return;
  }
  for (std::size_t i = places_.size(); i < guards_.size(); ++i)
    places_.emplace(hash_of_slopes(guards_[i]), i);
  const auto [first, last] = places_.equal_range(hash_of_slopes(guard));
  if (std::none_of(first, last, [&](const auto &place) { return merged(guards_[place.second]); }))
    guards_.push_back(std::move(guard));
}

void Scopes::add(Guard guard) {
  Wide least = guard.constant;
  bool bounded = true;
  // What makes it hold all the more is kept only where it may yet decide how long a loop inside is.
  DimensionId innermost_falling = 0;
  bool falls = false;
  for (const auto &[dimension, coefficient] : guard.coefficients)
    if (coefficient < 0) {
      innermost_falling = std::max(innermost_falling, dimension);
      falls = true;
    }
  if (!falls)
    return;
  const bool keeps_rising = linear_ends_ && scopes_.size() > 1 && !guard.wraps;
  std::erase_if(guard.coefficients, [&](const auto &c) {
    return c.second == 0 || (c.second > 0 && (!keeps_rising || c.first > innermost_falling));
  });
  for (const auto &[dimension, coefficient] : guard.coefficients) {
    if (coefficient > 0)
      continue;
    if (const auto steps = extent(dimension))
      least += Wide{coefficient} * (*steps - 1);
    else
      bounded = false;
  }
  if (bounded && least >= 0)
    return;
  scopes_.back().guards.add(std::move(guard));
}

void Scopes::pin(DimensionId dimension) { add({0, {{dimension, -1}}, false}); }

DimensionId Scopes::open_loop() {
  scopes_.emplace_back().serial = ++opened_;
  return innermost();
}

std::optional<std::int64_t> Scopes::loop_limit() const {
  const DimensionId loop = innermost();
  std::optional<Wide> limit;
  for (const Guard &guard : scopes_.back().guards)
    for (const auto &[dimension, coefficient] : guard.coefficients)
      if (dimension == loop && coefficient < 0) {
        const Wide steps = guard.constant / -Wide{coefficient};
        if (!limit || steps < *limit)
          limit = steps;
      }
  if (!limit)
    return std::nullopt;
  return static_cast<std::int64_t>(std::min<Wide>(*limit, INT64_MAX));
}

Linear Scopes::loop_end() {
  const DimensionId loop = innermost();
  const std::int64_t limit = loop_limit().value_or(0);
  Linear end;
  end.constant = limit;
  if (!linear_ends_)
    return end;
  const Guard *ends = nullptr;
  Wide least = 0;
  for (const Guard &guard : scopes_.back().guards) {
    const auto own = std::find_if(guard.coefficients.begin(), guard.coefficients.end(),
                                  [&](const auto &c) { return c.first == loop; });
    if (own == guard.coefficients.end() || guard.constant / -Wide{own->second} != limit)
      continue;
    Linear here;
    here.constant = limit;
    Wide slopes = 0;
    for (const auto &[dimension, coefficient] : guard.coefficients) {
      const Wide slope = dimension == loop ? Wide{0} : coefficient / -Wide{own->second};
      if (slope == 0 || slope > kSteepest || slope < -kSteepest)
        continue;
      here.terms.emplace_back(dimension, slope);
      slopes += slope;
    }
    // Of several the one that rises least: then the others hold at least as long.
    if (ends && slopes >= least)
      continue;
    ends = &guard;
    least = slopes;
    end = std::move(here);
  }
  if (!ends)
    return end;
  const std::int64_t size = -std::find_if(ends->coefficients.begin(), ends->coefficients.end(), [&](const auto &c) {
                               return c.first == loop;
                             })->second;
  for (const auto &[dimension, coefficient] : ends->coefficients) {
    if (dimension == loop || coefficient % size == 0 || (limit == 0 && coefficient < 0))
      continue;
    const std::int64_t rest = coefficient % size < 0 ? -(coefficient % size) : coefficient % size;
    const std::int64_t period = size / std::gcd(rest, size);
    const auto steps = extent(dimension);
    if (steps && (*steps <= period || Wide{rest} * (*steps - 1) < size / 2))
      continue; // the guards do it
    if (is_loop(dimension) && period > 64)
      continue;
    wish({dimension, period});
  }
  return end;
}

bool Scopes::loop_decides() const {
  const DimensionId loop = innermost();
  const auto on_loop = [&](const Guard &guard) {
    return !guard.wraps && std::any_of(guard.coefficients.begin(), guard.coefficients.end(),
                                       [&](const auto &c) { return c.first == loop; });
  };
  return std::any_of(scopes_.back().guards.begin(), scopes_.back().guards.end(), on_loop);
}

bool same_cost(const Event &a, const Event &b) {
  if (a.operation != b.operation || a.warp != b.warp || a.space != b.space || a.copy != b.copy ||
      a.elsewhere != b.elsewhere || a.representative != b.representative || a.data || b.data ||
      a.coefficients != b.coefficients || a.progressions != b.progressions || a.nests != b.nests ||
      !a.symbolic_progressions.empty() || !b.symbolic_progressions.empty() || a.gates != b.gates)
    return false;
  const auto alike = [](const Event::Side &x, const Event::Side &y, std::uint64_t modulus) {
    if (x.unknown_shift != y.unknown_shift || x.unknown_period != y.unknown_period ||
        x.shift_reason != y.shift_reason || x.request.active != y.request.active)
      return false;
    if (!x.request.active)
      return true;
    const std::uint64_t apart =
        y.request.address[first_lane(x.request.active)] - x.request.address[first_lane(x.request.active)];
    bool same = modulus ? apart % modulus == 0 : apart == 0;
    for_lanes(x.request.active,
              [&](unsigned lane) { same &= y.request.address[lane] - x.request.address[lane] == apart; });
    return same;
  };
  // Places in shared memory are compared with the bounds of arrays.
  if (!alike(a.side, b.side, a.space == Space::Global && !a.copy ? kCostRepeats : 0))
    return false;
  return !a.copy || alike(*a.source, *b.source, kCostRepeats);
}

std::uint64_t hash_of_cost(const Event &event) {
  std::uint64_t hash = (std::uint64_t{event.operation} << 32) + event.warp;
  const auto mix = [&](std::uint64_t more) { hash = (hash ^ more ^ (hash >> 29)) * 0x9e3779b97f4a7c15u; };
  const auto mix_side = [&](const Event::Side &side, bool global) {
    mix(side.request.active);
    if (!side.request.active)
      return;
    const std::uint64_t first = side.request.address[first_lane(side.request.active)];
    mix(global ? first % kCostRepeats : first);
    for_lanes(side.request.active, [&](unsigned lane) { mix(side.request.address[lane] - first); });
  };
  mix_side(event.side, event.space == Space::Global && !event.copy);
  if (event.copy)
    mix_side(*event.source, true);
  for (const auto &[dimension, step] : event.coefficients)
    mix(dimension + (static_cast<std::uint64_t>(step.own) << 12) + (static_cast<std::uint64_t>(step.source) << 38));
  for (const Event::Nest &nest : event.nests)
    for (const auto &[step, count] : nest)
      mix(static_cast<std::uint64_t>(count.constant) + (static_cast<std::uint64_t>(step.own) << 12) +
          (static_cast<std::uint64_t>(step.source) << 38));
  for (const auto &[step, count] : event.progressions)
    mix(count + (static_cast<std::uint64_t>(step.own) << 12) + (static_cast<std::uint64_t>(step.source) << 38));
  return hash;
}

/// From one event to another of the same cost, in global memory.
static std::int64_t way_between(const Event &from, const Event &to) {
  const Request &a = (from.copy ? *from.source : from.side).request, &b = (to.copy ? *to.source : to.side).request;
  if (!a.active)
    return 0;
  const unsigned lane = first_lane(a.active);
  return static_cast<std::int64_t>(b.address[lane] - a.address[lane]);
}

void Scopes::emit(Event event) {
  Scope &scope = scopes_.back();
  if (!event.data) {
    // Bodies that the compiler has unrolled come here again and again with the same.
    const auto [entry, fresh] = scope.latest.try_emplace(hash_of_cost(event), scope.events.size());
    if (!fresh) {
      Event &before = scope.events[entry->second];
      if (same_cost(before, event)) {
        if (__builtin_add_overflow(before.multiplicity, event.multiplicity, &before.multiplicity))
          before.multiplicity = UINT64_MAX; // too many to count
        before.footprint.add(event.footprint, way_between(before, event));
        return;
      }
      entry->second = scope.events.size();
    }
  }
  scope.events.push_back(std::move(event));
  ++live_;
}

void Scopes::close(const std::function<void(Event &, std::size_t)> &repeat, const Linear &last) {
  const DimensionId loop = innermost();
  Scope closed = std::move(scopes_.back());
  scopes_.pop_back();
  live_ -= closed.events.size();
  // A guard is linear, and its slope in the loop is negative: if it holds for the last step it holds for all.
  for (Guard &guard : closed.guards.take()) {
    const auto own = std::find_if(guard.coefficients.begin(), guard.coefficients.end(),
                                  [&](const auto &c) { return c.first == loop; });
    if (own == guard.coefficients.end()) {
      add(std::move(guard));
      continue;
    }
    Linear line;
    line.constant = guard.constant;
    for (const auto &[dimension, coefficient] : guard.coefficients)
      if (dimension != loop)
        line.terms.emplace_back(dimension, coefficient);
    line.add(last, own->second);
    guard.constant = line.constant;
    guard.coefficients.clear();
    for (const auto &[dimension, coefficient] : line.terms) {
      if (coefficient < -INT64_MAX)
        pin(dimension);
      else if (coefficient <= INT64_MAX)
        guard.coefficients.emplace_back(dimension, static_cast<std::int64_t>(coefficient));
    }
    add(std::move(guard));
  }
  if (!last.terms.empty()) { // no loop has less than no iterations
    Guard some{last.constant + 1, {}, false};
    for (const auto &[dimension, coefficient] : last.terms)
      some.coefficients.emplace_back(dimension, static_cast<std::int64_t>(coefficient));
    add(std::move(some));
  }
  for (std::size_t i = 0; i < closed.events.size(); ++i) {
    Event &event = closed.events[i];
    repeat(event, i);
    std::erase_if(event.coefficients, [&](const auto &c) { return c.first == loop; });
    std::erase_if(event.footprint.open, [&](const auto &step) { return step.first == loop; });
    emit(std::move(event));
  }
  for (const auto &[site, reason] : closed.marks)
    mark(site, reason);
  for (const auto &[site, assumption] : closed.assumptions)
    assume(site, assumption);
  for (Problem &problem : closed.problems)
    report(std::move(problem));
}

void Scopes::close_loop(const Linear &last) {
  const DimensionId loop = innermost();
  Linear count = last;
  count.constant += 1;
  close([&](Event &event, std::size_t) { event.repeat(loop, count); }, last);
}

void Scopes::close_loop(const std::vector<std::pair<std::size_t, Linear>> &rounds) {
  const DimensionId loop = innermost();
  close(
      [&](Event &event, std::size_t index) {
        const auto round = std::find_if(rounds.begin(), rounds.end(), [&](const auto &r) { return index < r.first; });
        event.symbolic_progressions.push_back({step_of(event, loop), round->second});
      },
      {});
}

void Scopes::abandon(std::size_t depth) {
  while (scopes_.size() > depth) {
    live_ -= scopes_.back().events.size();
    scopes_.pop_back();
  }
}

Box Scopes::region() const {
  Box part = box_;
  for (const Guard &guard : scopes_.front().guards) {
    Wide slack = guard.constant;
    for (const auto &[dimension, coefficient] : guard.coefficients)
      slack += Wide{coefficient} * (part.digits[dimension].extent - 1);
    while (slack < 0) {
      // Shorten the one digit that costs the fewest blocks; if no single one suffices, drop the longest reach first.
      DimensionId best = 0;
      Wide best_extent = -1;
      double best_share = -1;
      for (const auto &[dimension, coefficient] : guard.coefficients) {
        const Wide own = Wide{coefficient} * (part.digits[dimension].extent - 1);
        const Wide rest = slack - own;
        const Wide extent = rest < 0 ? 1 : std::min<Wide>(rest / -Wide{coefficient} + 1, part.digits[dimension].extent);
        if (part.digits[dimension].extent == 1)
          continue;
        const double share = rest < 0
                                 ? -static_cast<double>(own) * 1e-30
                                 : static_cast<double>(extent) / static_cast<double>(part.digits[dimension].extent);
        if (share > best_share) {
          best = dimension;
          best_extent = extent;
          best_share = share;
        }
      }
      const auto coefficient = std::find_if(guard.coefficients.begin(), guard.coefficients.end(), [&](const auto &c) {
                                 return c.first == best;
                               })->second;
      slack += -Wide{coefficient} * (part.digits[best].extent - best_extent);
      part.digits[best].extent = static_cast<std::int64_t>(best_extent);
    }
  }
  return part;
}

std::vector<Box> remainder(const Box &box, const Box &part) {
  std::vector<Box> rest;
  Box open = box;
  for (std::size_t d = 0; d < box.digits.size(); ++d) {
    const std::int64_t taken = part.digits[d].extent;
    if (taken < open.digits[d].extent) {
      Box beyond = open;
      beyond.digits[d].low += taken;
      beyond.digits[d].extent -= taken;
      rest.push_back(std::move(beyond));
      open.digits[d].extent = taken;
    }
  }
  return rest;
}

std::vector<Box> split(const Box &box, DimensionId digit, std::int64_t period) {
  std::vector<Box> parts;
  const Digit whole = box.digits[digit];
  const std::int64_t groups = whole.extent / period;
  if (groups > 0) {
    Box main = box;
    main.digits[digit] = {whole.axis, whole.weight, whole.low, period};
    main.digits.push_back({whole.axis, whole.weight * period, 0, groups});
    parts.push_back(std::move(main));
  }
  if (whole.extent % period) {
    Box tail = box;
    tail.digits[digit].low += groups * period;
    tail.digits[digit].extent = whole.extent % period;
    parts.push_back(std::move(tail));
  }
  return parts;
}

} // namespace smem
