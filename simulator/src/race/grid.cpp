#include "smem/integer_division.h"
#include "race/grid.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace smem::race {
namespace {

/// A number of steps that two blocks are apart along a digit, or that one of them is from the corner of its class.
struct Variable {
  enum class Of : std::uint8_t {
    First,
    Second,
    Both,
    Round ///< times around the modulus of a memory; of neither block
  } of = Of::Both;
  unsigned axis = 0;
  std::int64_t weight = 1;
  std::int64_t bytes = 0; ///< that a step moves the second block's accesses against the first one's; not 0
  std::int64_t least = 0, most = 0;
  std::int64_t value = 0;
};

const Digit *find_digit(const Box &box, unsigned axis, std::int64_t weight) {
  const auto found = std::ranges::find_if(
      box.digits, [&](const Digit &digit) { return digit.axis == axis && digit.weight == weight; });
  return found == box.digits.end() ? nullptr : &*found;
}

std::int64_t bytes_of(const Memory &memory, unsigned axis, std::int64_t weight) {
  for (const Memory::Step &step : memory.steps)
    if (step.axis == axis && step.weight == weight)
      return step.bytes;
  return 0;
}

/// Visits the combinations of values whose sum of bytes lies in window, bounds included.
class Combinations {
public:
  Combinations(std::vector<Variable> variables, std::int64_t least, std::int64_t most)
      : variables_(std::move(variables)), least_(least), most_(most), reach_(variables_.size() + 1) {
    std::ranges::sort(variables_, std::ranges::greater(),
                      [](const Variable &v) { return v.bytes < 0 ? -v.bytes : v.bytes; });
    for (std::size_t i = variables_.size(); i-- > 0;) {
      const Variable &v = variables_[i];
      const Wide a = Wide{v.bytes} * v.least, b = Wide{v.bytes} * v.most;
      reach_[i] = {reach_[i + 1].first + std::min(a, b), reach_[i + 1].second + std::max(a, b)};
    }
  }
  /// False when `steps` has come to `most_steps`, or when f returns false.
  template <typename F> bool visit(std::uint64_t &steps, std::uint64_t most_steps, F &&f) {
    return visit(0, 0, steps, most_steps, f);
  }
  const std::vector<Variable> &variables() const { return variables_; }

private:
  template <typename F>
  bool visit(std::size_t i, std::int64_t sum, std::uint64_t &steps, std::uint64_t most_steps, F &f) {
    if (++steps >= most_steps)
      return false;
    if (i == variables_.size())
      return sum < least_ || sum > most_ || f(sum);
    Variable &v = variables_[i];
    const Wide low = Wide{least_} - reach_[i + 1].second - sum, high = Wide{most_} - reach_[i + 1].first - sum;
    const std::int64_t size = v.bytes < 0 ? -v.bytes : v.bytes;
    const auto narrow = [](Wide wide) {
      constexpr Wide kFar = Wide{1} << 61;
      return static_cast<std::int64_t>(std::clamp(wide, -kFar, kFar));
    };
    const std::int64_t from = ceil_div(v.bytes > 0 ? narrow(low) : -narrow(high), size),
                       to = floor_div(v.bytes > 0 ? narrow(high) : -narrow(low), size);
    for (v.value = std::max(from, v.least); v.value <= std::min(to, v.most); ++v.value)
      if (!visit(i + 1, sum + v.bytes * v.value, steps, most_steps, f))
        return false;
    v.value = 0;
    return true;
  }

  std::vector<Variable> variables_;
  std::int64_t least_, most_;
  std::vector<std::pair<Wide, Wide>> reach_; ///< of the variables from i on
};

bool writes_alike(const Touched &a, Kind a_kind, const Touched &b, Kind b_kind, std::int64_t shift) {
  return a_kind == Kind::Write && b_kind == Kind::Write && a.stored && a.stored == b.stored && a.bytes == b.bytes &&
         a.begin == b.begin + shift;
}

} // namespace

void GridTouches::begin_class() { open_ = {}; }

void GridTouches::add(const WarpAccess &access, bool certain, std::uint32_t phase) {
  if (too_many())
    return;
  // What is atomic for threads of its block is not for those of another one.
  const Kind kind = access.of_block ? Kind::Write : access.kind;
  Footprint &footprint = open_.footprints[{access.memory, kind, certain, phase}];
  for_lanes(access.active, [&](unsigned lane) {
    const std::uint32_t stored = access.stored ? (*access.stored)[lane] : 0;
    footprint.touched.push_back({static_cast<std::int64_t>(access.address[lane] - kGlobalOrigin),
                                 static_cast<std::uint32_t>(access.bytes), access.operation, access.warp,
                                 static_cast<std::uint8_t>(lane), stored && stored_.moves(stored) ? 0 : stored});
    ++entries_;
  });
}

void GridTouches::Footprint::sort() {
  const auto place = [](const Touched &t) { return std::tuple(t.begin, t.bytes, t.operation, t.stored); };
  std::ranges::stable_sort(touched, {}, place);
  for (std::size_t i = touched.size(); i-- > 1;)
    if (place(touched[i - 1]) == place(touched[i]))
      touched[i - 1].several |=
          touched[i].several || touched[i - 1].warp != touched[i].warp || touched[i - 1].lane != touched[i].lane;
  touched.erase(std::ranges::unique(touched, {}, place).begin(), touched.end());
  if (touched.empty())
    return;
  begin = end = touched.front().begin;
  for (const Touched &t : touched) {
    end = std::max(end, t.begin + t.bytes);
    widest = std::max(widest, t.bytes);
  }
}

void GridTouches::end_class(BlockClass blocks) {
  open_.blocks = std::move(blocks);
  for (auto &[key, footprint] : open_.footprints) {
    entries_ -= std::min(entries_, footprint.touched.size());
    footprint.sort();
    entries_ += footprint.touched.size();
  }
  classes_.push_back(std::move(open_));
  open_ = {};
}

void GridTouches::sweep(const Side &a, const Side &b, std::int64_t shift, std::uint64_t &steps,
                        const std::function<void(const Touched &, const Touched &)> &found) const {
  const std::vector<Touched> &theirs = b.footprint.touched;
  auto first = theirs.begin();
  for (const Touched &mine : a.footprint.touched) {
    while (first != theirs.end() && first->begin + shift + b.footprint.widest <= mine.begin)
      ++first, ++steps;
    ++steps;
    for (auto other = first; other != theirs.end() && other->begin + shift < mine.begin + mine.bytes; ++other) {
      ++steps;
      if (other->begin + shift + other->bytes > mine.begin)
        found(mine, *other);
    }
  }
}

GridTouches::Result GridTouches::compare(const Side &a, const Side &b, bool same_block, std::uint64_t &steps,
                                         std::uint64_t most_steps, const Found &found) const {
  const Memory &mine = memories_[a.key.memory], &theirs = memories_[b.key.memory];
  if (mine.symbols != theirs.symbols)
    return Result::Apart;
  const Box &box = a.blocks.blocks.region, &other = b.blocks.blocks.region;
  const bool same_class = &a.blocks == &b.blocks;
  if (mine.of_block && !same_block &&
      !(same_class && std::ranges::all_of(box.digits, [](const Digit &digit) { return digit.extent == 1; })))
    return Result::Apart; // by the difference of what has one name in both blocks
  std::vector<Variable> variables;
  bool unmoved = false; ///< blocks of the class differ along some digit that moves nothing
  for (const Digit &digit : box.digits) {
    const std::int64_t own = bytes_of(mine, digit.axis, digit.weight);
    const Digit *twin = find_digit(other, digit.axis, digit.weight);
    const std::int64_t its = twin ? bytes_of(theirs, digit.axis, digit.weight) : 0;
    if (digit.extent > 1 && !own && !its)
      unmoved = true;
    if (same_block) { // both at one place
      if (digit.extent > 1 && own != its)
        variables.push_back({Variable::Of::Both, digit.axis, digit.weight, its - own, 0, digit.extent - 1});
    } else if (twin && own == its) {
      if (own)
        variables.push_back({Variable::Of::Both, digit.axis, digit.weight, own, -(digit.extent - 1), twin->extent - 1});
    } else if (own && digit.extent > 1) {
      variables.push_back({Variable::Of::First, digit.axis, digit.weight, -own, 0, digit.extent - 1});
    }
  }
  if (!same_block)
    for (const Digit &digit : other.digits) {
      const std::int64_t its = bytes_of(theirs, digit.axis, digit.weight);
      const Digit *twin = find_digit(box, digit.axis, digit.weight);
      if (its && digit.extent > 1 && !(twin && bytes_of(mine, digit.axis, digit.weight) == its))
        variables.push_back({Variable::Of::Second, digit.axis, digit.weight, its, 0, digit.extent - 1});
    }
  const std::int64_t least = a.footprint.begin - b.footprint.end + 1, most = a.footprint.end - b.footprint.begin - 1;
  if (const std::int64_t modulus = std::gcd(mine.modulus, theirs.modulus)) {
    Wide reach = std::max(Wide{most} < 0 ? -Wide{most} : Wide{most}, Wide{least} < 0 ? -Wide{least} : Wide{least});
    for (const Variable &v : variables)
      reach += (v.bytes < 0 ? -Wide{v.bytes} : Wide{v.bytes}) * std::max(-Wide{v.least}, Wide{v.most});
    const Wide rounds = reach / modulus + 1;
    constexpr Wide kMostRounds = Wide{1} << 40;
    if (rounds > kMostRounds)
      return Result::TooMany;
    variables.push_back(
        {Variable::Of::Round, 0, 0, modulus, static_cast<std::int64_t>(-rounds), static_cast<std::int64_t>(rounds)});
  }
  Combinations combinations(std::move(variables), least, most);
  /// Whether the two blocks that the variables stand for are one.
  const auto one_block = [&](const std::vector<Variable> &values) {
    if (!same_class || unmoved)
      return false;
    for (const Variable &v : values) {
      if (v.of == Variable::Of::Round)
        continue;
      std::optional<std::int64_t> twin; // the same digit of the other block
      if (v.of == Variable::Of::Both)
        twin = 0; // it is their difference
      for (const Variable &w : values)
        if (w.of != v.of && v.of != Variable::Of::Both && w.axis == v.axis && w.weight == v.weight)
          twin = w.value;
      if (v.value != twin) // of the other one it moves nothing, which may be any
        return false;
    }
    return true;
  };
  std::set<std::int64_t> shifts;
  std::set<std::tuple<std::uint32_t, std::uint32_t, bool>> known;
  const bool all = combinations.visit(steps, most_steps, [&](std::int64_t shift) {
    const std::vector<Variable> &values = combinations.variables();
    if ((!same_block && one_block(values)) || !shifts.insert(shift).second)
      return true;
    sweep(a, b, shift, steps, [&](const Touched &x, const Touched &y) {
      // Atomics that overlap in part are not atomic to each other.
      const bool atomics = a.key.kind == Kind::Atomic && b.key.kind == Kind::Atomic;
      if (atomics && x.begin == y.begin + shift && x.bytes == y.bytes)
        return;
      if (same_block && !x.several && !y.several && x.warp == y.warp && x.lane == y.lane)
        return; // one thread
      BlockConflict conflict;
      conflict.alike = writes_alike(x, a.key.kind, y, b.key.kind, shift);
      if (!known.emplace(x.operation, y.operation, conflict.alike).second)
        return;
      conflict.first = x, conflict.second = y;
      conflict.first_kind = a.key.kind, conflict.second_kind = b.key.kind;
      conflict.memory = a.key.memory;
      conflict.byte = std::max(x.begin, y.begin + shift);
      conflict.certain = a.key.certain && b.key.certain && !atomics;
      conflict.first_block = a.blocks.blocks.corner;
      conflict.second_block = b.blocks.blocks.corner;
      for (const Variable &v : values) {
        if (v.of == Variable::Of::Round)
          continue;
        const bool moves_first = v.of == Variable::Of::First || (v.of == Variable::Of::Both && v.value < 0);
        const std::int64_t by = v.value < 0 ? -v.value : v.value;
        (moves_first ? conflict.first_block : conflict.second_block)[v.axis] += v.weight * by;
        if (moves_first)
          conflict.byte += bytes_of(mine, v.axis, v.weight) * by;
      }
      if (same_class && conflict.first_block == conflict.second_block)
        for (const Digit &digit : box.digits) {
          const bool moves_first = bytes_of(mine, digit.axis, digit.weight) != 0;
          const bool moves_second = bytes_of(theirs, digit.axis, digit.weight) != 0;
          if (digit.extent == 1 || (moves_first && moves_second))
            continue;
          (moves_second ? conflict.first_block : conflict.second_block)[digit.axis] +=
              digit.weight; // both at the corner
          break;
        }
      found(conflict);
    });
    return true;
  });
  return all ? Result::Compared : Result::TooMany;
}

GridTouches::Result GridTouches::compare(std::uint64_t &steps, std::uint64_t most_steps, const Found &found) const {
  Result worst = Result::Compared;
  for (std::size_t i = 0; i < classes_.size(); ++i)
    for (std::size_t j = i; j < classes_.size(); ++j)
      for (auto a = classes_[i].footprints.begin(); a != classes_[i].footprints.end(); ++a)
        for (auto b = i == j ? a : classes_[j].footprints.begin(); b != classes_[j].footprints.end(); ++b) {
          if (++steps >= most_steps)
            return Result::TooMany;
          const bool atomics = a->first.kind == Kind::Atomic && b->first.kind == Kind::Atomic;
          if ((!conflict(a->first.kind, b->first.kind) && !atomics) || a->first.phase != b->first.phase ||
              memories_[a->first.memory].object != memories_[b->first.memory].object)
            continue;
          const Result result = compare({classes_[i], a->first, a->second}, {classes_[j], b->first, b->second}, false,
                                        steps, most_steps, found);
          if (result == Result::TooMany)
            return result;
          worst = std::max(worst, result);
        }
  return worst;
}

std::map<DimensionId, unsigned> GridTouches::kinds() const {
  std::map<DimensionId, unsigned> all;
  for (const Class &blocks : classes_)
    for (const auto &[key, footprint] : blocks.footprints)
      all[memories_[key.memory].object] |= 1u << static_cast<unsigned>(key.kind);
  return all;
}

GridTouches::Result GridTouches::overlap_within_block(std::uint64_t &steps, std::uint64_t most_steps,
                                                      bool &overlap) const {
  Result worst = Result::Compared;
  for (const Class &blocks : classes_)
    for (auto a = blocks.footprints.begin(); a != blocks.footprints.end(); ++a)
      for (auto b = a; b != blocks.footprints.end(); ++b) {
        if (a->first.memory == b->first.memory || a->first.phase != b->first.phase ||
            !conflict(a->first.kind, b->first.kind) ||
            memories_[a->first.memory].object != memories_[b->first.memory].object)
          continue;
        const Result result = compare({blocks, a->first, a->second}, {blocks, b->first, b->second}, true, steps,
                                      most_steps, [&](const BlockConflict &) { overlap = true; });
        if (result == Result::TooMany)
          return result;
        worst = std::max(worst, result);
      }
  return worst;
}

void GlobalTickets::writes(const Value &address, LaneMask mask) {
  const Choice *line = address.choice && address.choice->line ? address.choice.get() : nullptr;
  bool known = false;
  for (const Term &term : line ? line->terms : address.terms)
    if (is_symbol(term.dimension)) {
      written_.insert(term.dimension); // a pointer's, or that of an offset, which is no counter's
      known = true;
    }
  any_written_ |= !known && !(address.unknown & mask); // otherwise it is lost, or has a ticket
}

namespace {

/// Why accesses that atomics have handed places out for may meet others; 0: they do not. `kinds`: of all others, by object.
std::uint32_t conflict_of_tickets(const GlobalAccesses &global, const std::map<DimensionId, unsigned> &kinds) {
  const auto may_conflict = [](unsigned a, unsigned b) {
    return conflict(Kind{static_cast<std::uint8_t>(a)}, Kind{static_cast<std::uint8_t>(b)});
  };
  const auto touched = [&](DimensionId object) {
    unsigned all = 0;
    for (const DimensionId which : {object, GlobalAccesses::kAnyObject})
      if (const auto known = kinds.find(which); known != kinds.end())
        all |= known->second;
    return all;
  };
  const auto written = [&](DimensionId object) {
    for (const DimensionId which : {object, GlobalAccesses::kAnyObject})
      if (const auto lost = global.lost.find(which); lost != global.lost.end() && (lost->second[1] || lost->second[2]))
        return true;
    return std::ranges::any_of(global.tickets.accesses(), [&](const auto &each) {
      return each.first.object == object && (each.second[1] || each.second[2]);
    });
  };
  for (const auto &[place, mine] : global.tickets.accesses()) {
    const bool apart = global.tickets.apart(place.ticket, written);
    for (unsigned a = 0; a < mine.size(); ++a) {
      if (!mine[a])
        continue;
      for (unsigned b = 0; b < mine.size(); ++b)
        if (may_conflict(a, b) && (touched(place.object) >> b & 1))
          return mine[a];
      for (const auto &[other, its] : global.tickets.accesses())
        for (unsigned b = 0; b < its.size(); ++b)
          if (its[b] && may_conflict(a, b) && other.object == place.object && !(apart && other == place))
            return mine[a];
    }
  }
  return 0;
}

} // namespace

std::uint32_t conflict_of_lost(const GlobalAccesses &global, std::map<DimensionId, unsigned> kinds) {
  constexpr unsigned kKinds = 3;
  for (const auto &[object, lost] : global.lost)
    for (unsigned kind = 0; kind < kKinds; ++kind)
      kinds[object] |= unsigned{lost[kind] != 0} << kind;
  for (const auto &[object, lost] : global.lost)
    for (const auto &[place, its] : global.tickets.accesses()) // as the lost ones: theirs are not among the kinds
      for (unsigned a = 0; a < kKinds; ++a)
        for (unsigned b = 0; b < kKinds; ++b)
          if (lost[a] && its[b] && (object == place.object || object == GlobalAccesses::kAnyObject) &&
              conflict(Kind{static_cast<std::uint8_t>(a)}, Kind{static_cast<std::uint8_t>(b)}))
            return lost[a];
  for (const auto &[object, lost] : global.lost)
    for (const auto &[other, touched] : kinds) {
      if (object != other && object != GlobalAccesses::kAnyObject)
        continue;
      for (unsigned a = 0; a < kKinds; ++a)
        for (unsigned b = 0; b < kKinds; ++b)
          if (lost[a] && (touched >> b & 1) &&
              conflict(Kind{static_cast<std::uint8_t>(a)}, Kind{static_cast<std::uint8_t>(b)}))
            return lost[a];
    }
  return conflict_of_tickets(global, kinds);
}

} // namespace smem::race
