#include "price.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>

namespace smem::pattern {
namespace {

constexpr std::uint64_t kRepeats = 128;      ///< bytes after which banks, sectors and lines repeat
constexpr std::int64_t kNearest = 192;       ///< values of an unknown stride that are looked at one by one
constexpr std::size_t kMostRequests = 16384; ///< evaluated for one operation
constexpr std::size_t kMostCases = 12;
constexpr std::size_t kMostMasks = 8;
constexpr std::size_t kMostRowGroups = 6;
constexpr std::size_t kMostCached = 4'000'000; ///< integers of keys: 32 MB

Why other(std::string text) {
  Why why;
  why.text = std::move(text);
  return why;
}

PatternCase figures(const RequestCost &cost, bool shared, bool global) {
  PatternCase out;
  if (shared) {
    out.wavefronts = cost.wavefronts;
    out.ideal_wavefronts = cost.ideal_wavefronts;
    out.conflict_degree = cost.conflict_degree;
  }
  if (global) {
    out.sectors = cost.sectors;
    out.ideal_sectors = cost.ideal_sectors;
  }
  return out;
}

void raise(PatternCase &to, const PatternCase &by) {
  to.wavefronts = std::max(to.wavefronts, by.wavefronts);
  to.ideal_wavefronts = std::max(to.ideal_wavefronts, by.ideal_wavefronts);
  to.conflict_degree = std::max(to.conflict_degree, by.conflict_degree);
  to.sectors = std::max(to.sectors, by.sectors);
  to.ideal_sectors = std::max(to.ideal_sectors, by.ideal_sectors);
}

/// The addresses of one side, as a function of a shift and of one quantity that lanes multiply differently.
struct Side {
  Lanes base{};
  unsigned grain = 63;                  ///< what is added in all lanes is any multiple of 2^grain
  std::vector<std::uint32_t> shifts{0}; ///< those of its remainders modulo 128 that align the access
  std::vector<const Term *> apart;      ///< terms by which lanes differ
};

/// Bytes by which all addresses can be moved and the request costs the same: banks turn, sectors stay whole.
std::uint64_t period_of(const Access &access) {
  if (access.operation == Operation::AsyncCopy)
    return kRepeats;
  return access.space == Space::Global ? 32 : access.matrices ? 16 : std::max(access.width_bits / 8, 4);
}

std::optional<Why> describe(const Value &address, LaneMask lanes, std::uint64_t width_bytes, std::uint64_t period,
                            const Domain &domain, Side &side) {
  if (address.unknown & lanes)
    return domain.why(address.reason);
  for_lanes(lanes, [&](unsigned lane) { side.base[lane] = address.at(lane); });
  for (const Term &t : address.terms) {
    const Quantity &q = domain.quantity(t.dimension);
    if (q.memory == Quantity::Memory::Shared)
      continue;
    if (uniform_over(t, lanes)) {
      if (const std::int64_t c = t.at(first_lane(lanes)))
        side.grain =
            std::min<unsigned>(side.grain, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(c))));
    } else {
      side.apart.push_back(&t);
    }
  }
  side.shifts.clear();
  // What lanes are apart by is a multiple of the width, too, or some of them would fault.
  for (std::uint64_t shift = 0; shift < period; shift += side.grain >= 7 ? kRepeats : std::uint64_t{1} << side.grain) {
    bool aligned = true;
    if (side.apart.empty())
      for_lanes(lanes, [&](unsigned lane) {
        aligned &= (static_cast<std::uint64_t>(side.base[lane]) + shift) % width_bytes == 0;
      });
    if (aligned)
      side.shifts.push_back(static_cast<std::uint32_t>(shift));
  }
  if (side.shifts.empty())
    return other("no address of the access is a multiple of its width");
  return std::nullopt;
}

/// Values of the quantity by which lanes are apart that differ in what requests cost.
struct Spread {
  const Quantity *quantity = nullptr;
  std::vector<std::int64_t> values{0}; ///< near ones, and one of each remainder that is far from 0
  std::size_t near_count = 1;          ///< so many of them stand for themselves
  std::int64_t near = 0;
  std::uint32_t modulus = 1;
};

/// Whether the quantity may be such a value, or one with that remainder.
bool as_code_says(const Quantity &q, std::int64_t modulus, std::int64_t value) {
  const std::int64_t common = modulus ? std::gcd(q.modulus, modulus) : q.modulus;
  return (value - q.remainder) % common == 0;
}

std::optional<Why> spread_of(const Side &side, const Term &term, LaneMask lanes, std::uint64_t repeats,
                             const Domain &domain, Spread &out) {
  out.quantity = &domain.quantity(term.dimension);
  const Quantity &q = *out.quantity;
  out.values.clear();
  if (q.least && q.most && *q.most - *q.least < 2 * kNearest) {
    for (std::int64_t v = *q.least; v <= *q.most; ++v)
      if (as_code_says(q, 0, v))
        out.values.push_back(v);
    out.near_count = out.values.size();
    return std::nullopt;
  }
  std::int64_t far = 0, close = INT64_MAX, least = INT64_MAX, most = INT64_MIN;
  unsigned grain = 63;
  bool huge = false;
  for_lanes(lanes, [&](unsigned a) {
    least = std::min(least, side.base[a]);
    most = std::max(most, side.base[a]);
    huge |= std::abs(term.at(a)) > (1 << 20);
    if (term.at(a))
      grain =
          std::min<unsigned>(grain, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(term.at(a)))));
    for_lanes(lanes, [&](unsigned b) {
      if (const std::int64_t d = std::abs(term.at(a) - term.at(b)))
        close = std::min(close, d);
    });
  });
  if (huge || most - least > (1 << 24))
    return other("lanes are too far apart by an amount that is not known");
  far = most - least + 2 * static_cast<std::int64_t>(repeats);
  const std::int64_t near = far / close + 1;
  if (near > kNearest)
    return other("lanes are apart by an amount that is not known" + (q.name.empty() ? "" : ", `" + q.name + "`"));
  out.near = near;
  out.modulus = grain >= 7 || (repeats >> grain) == 0 ? 1 : static_cast<std::uint32_t>(repeats >> grain);
  for (std::int64_t v = q.least ? std::max(*q.least, 1 - near) : 1 - near; v < near && (!q.most || v <= *q.most); ++v)
    if (as_code_says(q, 0, v))
      out.values.push_back(v);
  out.near_count = out.values.size();
  const std::int64_t whole = (near / out.modulus + 2) * out.modulus;
  if (!q.most || *q.most >= near || !q.least || *q.least <= -near)
    for (std::uint32_t r = 0; r < out.modulus; ++r)
      if (as_code_says(q, out.modulus, whole + r))
        out.values.push_back(whole + r);
  return std::nullopt;
}

Access bounding(const Access &access) {
  Access bound = access;
  // Loads of vectors merge phases where lanes agree, which fewer lanes may not; stores never do.
  if (access.space == Space::Shared && access.operation == Operation::Load)
    bound.operation = Operation::Store;
  return bound;
}

} // namespace

PatternCondition condition_on(const Quantity &quantity) {
  PatternCondition c;
  c.kind = quantity.argument != kNone ? PatternCondition::Kind::Argument : PatternCondition::Kind::Quantity;
  c.argument = quantity.argument;
  c.offset = quantity.offset;
  c.width = quantity.width;
  c.divisor = quantity.divisor;
  c.name = quantity.scale == 1 ? quantity.name : quantity.piece;
  return c;
}

PatternCondition of_piece(PatternCondition c, const Quantity &quantity) {
  if (quantity.scale == 1)
    return c;
  for (std::int64_t &value : c.values)
    value *= quantity.scale;
  for (std::uint32_t &remainder : c.remainders)
    remainder *= static_cast<std::uint32_t>(quantity.scale);
  c.modulus *= static_cast<std::uint32_t>(quantity.scale);
  c.near = c.near ? (c.near - 1) * quantity.scale + 1 : 0;
  return c;
}

PatternCase upper_bound(const Cases &cases) {
  PatternCase out;
  for (const PatternCase &c : cases)
    raise(out, c);
  out.at_most = true;
  return out;
}

std::optional<PatternCase> worst(const Access &access, const Architecture &architecture) {
  if (access.operation == Operation::AsyncCopy && !access.bypass_l1 &&
      architecture.rules.cached_copy == CopyService::LanesMeeting) {
    // Each lane meets all others at worst.
    PatternCase all;
    all.wavefronts = all.sectors = kWarpSize;
    all.conflict_degree =
        std::min<std::uint32_t>(kWarpSize, static_cast<std::uint32_t>(kRepeats / std::max(access.width_bits / 8, 4)));
    all.ideal_wavefronts = all.ideal_sectors = std::max<std::uint32_t>(1, kWarpSize * (access.width_bits / 8) / 128);
    all.ideal_sectors = std::max<std::uint32_t>(1, kWarpSize * (access.width_bits / 8) / 32);
    all.at_most = true;
    return all;
  }
  if (!unsupported_reason(access, architecture).empty() || is_atomic_loop(access, architecture) ||
      access.operation == Operation::AsyncCopy || !has_lane_addresses(access))
    return std::nullopt;
  Cases all;
  for (const std::uint64_t stride : {std::uint64_t{0}, std::uint64_t{kRepeats}}) {
    Request request;
    request.active = kFullMask;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      request.address[lane] = lane * stride;
    all.push_back(figures(evaluate(request, bounding(access), architecture), access.space == Space::Shared,
                          access.space == Space::Global));
  }
  return upper_bound(all);
}

/// Everything that decides a request, and its cost for each choice.
class Table {
public:
  Table(const Subject &subject, const Access &access, const Seen &seen, const Domain &domain)
      : subject_(subject), access_(access), seen_(seen), domain_(domain),
        copy_(access.operation == Operation::AsyncCopy) {}

  Priced cases(PriceCache &cache) {
    const std::uint64_t width = std::max<std::uint64_t>(access_.width_bits / 8, 1);
    LaneMask lanes = seen_.activity.possible;
    if (access_.matrices && access_.matrices < 4)
      if (const LaneMask rows = (1u << (8 * access_.matrices)) - 1; lanes & rows)
        lanes &= rows;
    if (auto why = describe(seen_.address, lanes, width, period_of(access_), domain_, side_))
      return *why;
    if (copy_) {
      const LaneMask reading = seen_.reading.possible;
      if (reading) {
        if (auto why = describe(seen_.source, reading, width, kRepeats, domain_, source_))
          return *why;
      }
      if (!side_.apart.empty() || !source_.apart.empty())
        return other("lanes of an asynchronous copy are apart by an amount that is not known");
      if (!(seen_.reading == seen_.activity))
        return other("which lanes of an asynchronous copy read is not known");
    }
    if (lanes == seen_.activity.possible)
      normalise(side_, lanes, period_of(access_));
    if (copy_ && lanes == seen_.activity.possible)
      normalise(source_, lanes, kRepeats);
    PriceCache::Key own = key(lanes);
    if (auto known = cache.find(own, access_))
      return *std::move(known);
    Priced result = compute(lanes);
    cache.add(std::move(own), access_, result);
    return result;
  }

private:
  using Costs = std::vector<std::vector<std::optional<PatternCase>>>; ///< by row, then shifts; none: it faults

  Priced compute(LaneMask lanes) {
    if (auto why = choose_spreads(lanes))
      return *why;
    return collect();
  }

  /// Moves all addresses by a multiple of the period to where the first one is within it.
  static void normalise(Side &side, LaneMask lanes, std::uint64_t period) {
    const std::int64_t whole = side.base[first_lane(lanes)] & ~static_cast<std::int64_t>(period - 1);
    for_lanes(lanes, [&](unsigned lane) { side.base[lane] -= whole; });
  }

  /// All that choose_spreads() and collect() look at, beside the access.
  PriceCache::Key key(LaneMask lanes) const {
    PriceCache::Key out;
    std::vector<std::int64_t> &numbers = out.first;
    numbers.reserve(3 * kWarpSize);
    numbers.push_back(seen_.activity.possible);
    std::vector<int> groups; // whatever their numbers are: by the first lane
    for_lanes(seen_.activity.possible, [&](unsigned lane) {
      const int when = seen_.activity.when[lane];
      if (when == Activity::kOn || when == Activity::kMaybe) {
        numbers.push_back(when);
        return;
      }
      const auto group = std::ranges::find(groups, when);
      numbers.push_back(1 + (group - groups.begin()));
      if (group == groups.end())
        groups.push_back(when);
    });
    for (const Side *side : {&side_, &source_}) {
      for_lanes(lanes, [&](unsigned lane) { numbers.push_back(side->base[lane]); });
      numbers.push_back(static_cast<std::int64_t>(side->shifts.size()));
      numbers.insert(numbers.end(), side->shifts.begin(), side->shifts.end());
    }
    for (const Term *t : side_.apart) {
      for_lanes(lanes, [&](unsigned lane) { numbers.push_back(t->at(lane)); });
      const Quantity &q = domain_.quantity(t->dimension);
      for (const auto &bound : {q.least, q.most})
        numbers.insert(numbers.end(), {bound.has_value(), bound.value_or(0)});
      numbers.insert(numbers.end(), {static_cast<std::int64_t>(q.argument), static_cast<std::int64_t>(q.offset),
                                     q.width, q.divisor, q.scale, q.modulus, q.remainder});
      out.second += (q.scale == 1 ? q.name : q.piece) + '\n';
    }
    return out;
  }

  std::optional<Why> choose_spreads(LaneMask lanes) {
    // One quantity may be anything; the others must be few values each.
    spreads_.clear();
    std::size_t rows = 1;
    unsigned open = 0;
    for (const Term *t : side_.apart) {
      Spread s;
      if (auto why = spread_of(side_, *t, lanes, access_.space == Space::Global ? 32 : kRepeats, domain_, s))
        return why;
      open += s.modulus > 1 || s.near_count < s.values.size() || s.near;
      rows *= s.values.size();
      spreads_.push_back(std::move(s));
      if (rows > kMostRequests)
        return other("lanes are apart by amounts that are not known");
    }
    if (open > 1)
      return other("lanes are apart by amounts that are not known");
    if (open == 1 && spreads_.size() > 1)
      return other("lanes are apart by amounts that are not known"); // nearness was judged without the others
    rows_ = rows;
    return std::nullopt;
  }

  /// The addresses of one side for one choice of the quantities by which lanes are apart.
  Lanes addresses(std::size_t row) const {
    Lanes out = side_.base;
    for (std::size_t s = 0; s < spreads_.size(); ++s) {
      const std::int64_t value = spreads_[s].values[row % spreads_[s].values.size()];
      row /= spreads_[s].values.size();
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        out[lane] = static_cast<std::int64_t>(static_cast<std::uint64_t>(out[lane]) +
                                              static_cast<std::uint64_t>(side_.apart[s]->at(lane)) *
                                                  static_cast<std::uint64_t>(value));
    }
    return out;
  }

  std::optional<PatternCase> evaluate_one(const Lanes &row, std::uint32_t shift, std::uint32_t source_shift,
                                          LaneMask mask, const Access &access, std::string &failure) const {
    Request request;
    request.active = mask;
    const std::uint64_t width = std::max<std::uint64_t>(access_.width_bits / 8, 1);
    if (mask == kFullMask && !access_.matrices && std::has_single_bit(width)) { // nearly always: without branches
      std::uint64_t low = 0;
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        low |= request.address[lane] = static_cast<std::uint64_t>(row[lane]) + shift;
      if (low % width != 0)
        return std::nullopt;
    } else {
      bool aligned = true;
      for_lanes(mask, [&](unsigned lane) {
        const std::uint64_t address = static_cast<std::uint64_t>(row[lane]) + shift;
        request.address[lane] = address;
        const bool counts = !access_.matrices || access_.matrices >= 4 || lane < 8u * access_.matrices;
        aligned &= !counts || address % width == 0;
      });
      if (!aligned)
        return std::nullopt;
    }
    if (!copy_)
      return figures(evaluate(request, access, subject_.architecture), access_.space == Space::Shared,
                     access_.space == Space::Global);
    Request source;
    source.active = mask;
    for_lanes(mask, [&](unsigned lane) {
      source.address[lane] = static_cast<std::uint64_t>(source_.base[lane]) + source_shift;
    });
    const CopyCost cost = evaluate_copy(request, source, access_, subject_.architecture);
    if (!cost.shared_unknown.empty() || !cost.global_unknown.empty()) {
      failure = cost.shared_unknown.empty() ? cost.global_unknown : cost.shared_unknown;
      return std::nullopt;
    }
    return figures(cost.cost, true, true);
  }

  Priced collect() {
    const Activity &activity = seen_.activity;
    // Lanes that are on together.
    std::vector<int> groups;
    bool maybe = false;
    for_lanes(activity.possible, [&](unsigned lane) {
      if (activity.when[lane] == Activity::kMaybe)
        maybe = true;
      else if (activity.when[lane] != Activity::kOn &&
               std::find(groups.begin(), groups.end(), activity.when[lane]) == groups.end())
        groups.push_back(activity.when[lane]);
    });
    std::vector<LaneMask> masks;
    if (!maybe && (std::size_t{1} << groups.size()) <= kMostMasks) {
      for (std::size_t choice = 0; choice < std::size_t{1} << groups.size(); ++choice) {
        LaneMask mask = activity.with(Activity::kOn);
        for (std::size_t g = 0; g < groups.size(); ++g)
          if (choice >> g & 1)
            mask |= activity.with(groups[g]);
        if (mask)
          masks.push_back(mask);
      }
    } else {
      masks.push_back(activity.possible);
      maybe = true;
    }
    if (maybe && copy_ && access_.bypass_l1)
      return other("whether all lanes of the asynchronous copy are active is not known");
    const std::size_t requests = masks.size() * rows_ * side_.shifts.size() * source_.shifts.size();
    if (requests > kMostRequests)
      return other("too many requests would have to be looked at");
    Cases all;
    bool differ = false;
    std::vector<Cases> by_mask;
    for (const LaneMask mask : masks) {
      Cases own;
      if (auto why = of_mask(mask, own))
        return *why;
      differ |= !by_mask.empty() && own != by_mask[0];
      by_mask.push_back(std::move(own));
    }
    if (!maybe) {
      for (std::size_t m = 0; m < masks.size(); ++m) {
        if (!differ && m)
          break;
        for (PatternCase c : by_mask[m]) {
          if (differ)
            c.when.push_back(lanes_condition(PatternCondition::Kind::Lanes, masks[m]));
          all.push_back(std::move(c));
        }
      }
      return finish(std::move(all));
    }
    // Fewer lanes cost no more than these, and no less than one of them does.
    std::string failure;
    PatternCase most;
    bool least_is_most = by_mask[0].size() == 1 && !by_mask[0][0].at_most;
    const PatternCase &exact = by_mask[0][0];
    const Access bound = bounding(access_);
    const bool itself = bound == access_;
    // What one lane costs depends on where its address is aligned only, but for copies and for instructions of several matrices.
    const bool lanes_alike = !copy_ && !access_.matrices;
    const std::uint64_t width = std::max<std::uint64_t>(access_.width_bits / 8, 1);
    std::optional<PatternCase> of_one_lane;
    for (std::size_t row = 0; row < rows_; ++row) {
      const Lanes at = addresses(row);
      std::size_t i = 0;
      for (const std::uint32_t shift : side_.shifts)
        for (const std::uint32_t from : source_.shifts) {
          if (const auto &full = costs_[row][i++]) {
            raise(most, *full);
            if (!itself)
              if (const auto more = evaluate_one(at, shift, from, masks[0], bound, failure))
                raise(most, *more);
          }
          for_lanes(least_is_most ? masks[0] : 0, [&](unsigned lane) {
            if (!least_is_most)
              return;
            if (lanes_alike && of_one_lane) {
              least_is_most = (static_cast<std::uint64_t>(at[lane]) + shift) % width == 0;
              return;
            }
            of_one_lane = evaluate_one(at, shift, from, 1u << lane, access_, failure);
            least_is_most = of_one_lane && of_one_lane->same_cost(exact);
          });
        }
    }
    if (!failure.empty())
      return other(failure);
    most.at_most = true;
    PatternCase equal_to_exact = exact;
    equal_to_exact.at_most = true;
    if (least_is_most && most.same_cost(equal_to_exact))
      return finish(by_mask[0]);
    for (PatternCase c : by_mask[0]) {
      if (!c.at_most)
        c.when.push_back(lanes_condition(PatternCondition::Kind::Lanes, masks[0]));
      all.push_back(std::move(c));
    }
    most.when.push_back(lanes_condition(PatternCondition::Kind::FewerLanes, masks[0]));
    all.push_back(std::move(most));
    return finish(std::move(all));
  }

  static Priced finish(Cases all) {
    if (all.size() > kMostCases)
      return Cases{upper_bound(all)};
    return all;
  }

  static PatternCondition lanes_condition(PatternCondition::Kind kind, LaneMask lanes) {
    PatternCondition c;
    c.kind = kind;
    c.lanes = lanes;
    return c;
  }

  /// The cases of requests of just these lanes.
  std::optional<Why> of_mask(LaneMask mask, Cases &out) {
    bounded_near_ = false;
    const std::size_t shifts = side_.shifts.size(), sources = source_.shifts.size();
    Costs &costs = costs_;
    costs.assign(rows_, {});
    std::string failure;
    for (std::size_t row = 0; row < rows_; ++row) {
      const Lanes at = addresses(row);
      costs[row].reserve(shifts * sources);
      for (const std::uint32_t shift : side_.shifts)
        for (const std::uint32_t from : source_.shifts)
          costs[row].push_back(evaluate_one(at, shift, from, mask, access_, failure));
    }
    if (!failure.empty())
      return other(failure);
    // Rows that cost the same whatever the shift are one.
    const auto alike = [&](const auto &a, const auto &b) {
      for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] && b[i] && !a[i]->same_cost(*b[i]))
          return false;
      return true;
    };
    told_.assign(rows_, false);
    std::vector<std::vector<std::size_t>> row_groups;
    Costs of_groups; // what any of its rows costs: those that do agree
    for (std::size_t row = 0; row < rows_; ++row) {
      if (std::none_of(costs[row].begin(), costs[row].end(), [](const auto &c) { return c.has_value(); }))
        continue; // it faults
      const auto group = static_cast<std::size_t>(
          std::ranges::find_if(of_groups, [&](const auto &g) { return alike(g, costs[row]); }) - of_groups.begin());
      if (group == row_groups.size()) {
        row_groups.emplace_back();
        of_groups.push_back(costs[row]);
      }
      row_groups[group].push_back(row);
      told_[row] = true;
      for (std::size_t i = 0; i < costs[row].size(); ++i)
        if (!of_groups[group][i])
          of_groups[group][i] = costs[row][i];
    }
    if (row_groups.empty())
      return other("no address of the access is a multiple of its width");
    if (row_groups.size() > kMostRowGroups && spreads_.size() == 1 && spreads_[0].near_count < rows_)
      bound_near_rows(costs, row_groups, out);
    for (const auto &group : row_groups) {
      std::vector<PatternCondition> rows;
      if (row_groups.size() > 1 || bounded_near_) {
        if (spreads_.size() == 1)
          rows.push_back(row_condition(group));
        else
          rows.push_back(joint_condition());
      }
      Cases figures_found;
      std::vector<std::vector<std::size_t>> members;
      for (std::size_t i = 0; i < shifts * sources; ++i) {
        const PatternCase *cost = nullptr;
        for (const std::size_t row : group)
          if (costs[row][i])
            cost = &*costs[row][i];
        if (!cost)
          continue;
        std::size_t f = 0;
        while (f < figures_found.size() && !figures_found[f].same_cost(*cost))
          ++f;
        if (f == figures_found.size()) {
          figures_found.push_back(*cost);
          members.emplace_back();
        }
        members[f].push_back(i);
      }
      for (std::size_t f = 0; f < figures_found.size(); ++f) {
        PatternCase c = figures_found[f];
        c.when = rows;
        if (figures_found.size() > 1) {
          std::vector<std::vector<std::uint32_t>> own, source;
          for (std::size_t g = 0; g < members.size(); ++g) {
            own.emplace_back();
            source.emplace_back();
            for (const std::size_t i : members[g]) {
              own.back().push_back(side_.shifts[i / sources]);
              source.back().push_back(source_.shifts[i % sources]);
            }
          }
          // The first active lane's address is what can be seen of a request.
          const unsigned lane = first_lane(mask);
          if (spreads_.empty()) {
            if (auto condition =
                    remainders(PatternCondition::Kind::Address, own, f, static_cast<std::uint64_t>(side_.base[lane])))
              c.when.push_back(*condition);
            else if (auto from = remainders(PatternCondition::Kind::Source, source, f,
                                            static_cast<std::uint64_t>(source_.base[lane])))
              c.when.push_back(*from);
            else
              c.when.push_back(joint_condition());
          } else {
            c.when.push_back(joint_condition());
          }
        }
        out.push_back(std::move(c));
      }
    }
    return std::nullopt;
  }

  /// The values from 0 on beyond which each costs what its like does that is far from 0.
  std::int64_t nearest_alike(const std::vector<std::vector<std::size_t>> &groups) const {
    const Spread &s = spreads_[0];
    const std::int64_t modulus = s.modulus;
    std::vector<std::size_t> group_of(rows_, groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const std::size_t row : groups[g])
        group_of[row] = g;
    std::int64_t end = 0;
    for (std::size_t row = 0; row < s.near_count; ++row) {
      const std::int64_t rest = (s.values[row] % modulus + modulus) % modulus;
      bool alike = !told_[row];
      for (std::size_t far = s.near_count; far < rows_; ++far)
        alike |= s.values[far] % modulus == rest && group_of[far] == group_of[row];
      if (!alike)
        end = std::max(end, std::abs(s.values[row]) + 1);
    }
    return end;
  }

  /// Small values of the quantity, of which nearly each costs something else, become one case with a bound.
  void bound_near_rows(const Costs &costs, std::vector<std::vector<std::size_t>> &groups, Cases &out) {
    PatternCase most;
    std::vector<std::size_t> near;
    const std::int64_t end = nearest_alike(groups);
    const auto is_near = [&](std::size_t row) {
      return row < spreads_[0].near_count && std::abs(spreads_[0].values[row]) < end;
    };
    for (std::size_t row = 0; row < spreads_[0].near_count; ++row) {
      if (!is_near(row))
        continue;
      near.push_back(row);
      for (const auto &cost : costs[row])
        if (cost)
          raise(most, *cost);
    }
    for (auto &group : groups)
      std::erase_if(group, is_near);
    std::erase_if(groups, [](const auto &group) { return group.empty(); });
    most.at_most = true;
    most.when = {row_condition(near)};
    out.push_back(std::move(most));
    bounded_near_ = true;
  }

  /// Some combination of quantities that is not put into words.
  static PatternCondition joint_condition() {
    PatternCondition c;
    c.kind = PatternCondition::Kind::Quantity;
    return c;
  }

  PatternCondition row_condition(const std::vector<std::size_t> &group) const {
    const Spread &s = spreads_[0];
    PatternCondition c = condition_on(*s.quantity);
    c.modulus = s.modulus;
    std::vector<std::int64_t> near;
    for (const std::size_t row : group) {
      if (row < s.near_count)
        near.push_back(s.values[row]);
      else
        c.remainders.push_back(static_cast<std::uint32_t>(s.values[row] % s.modulus));
    }
    std::sort(c.remainders.begin(), c.remainders.end());
    // Near values as far as remainders do not say it.
    if (!c.remainders.empty())
      for (std::size_t row = 0; row < s.near_count; ++row) {
        const std::int64_t value = s.values[row], modulus = s.modulus;
        const auto rest = static_cast<std::uint32_t>((value % modulus + modulus) % modulus);
        const bool said = std::ranges::binary_search(c.remainders, rest);
        if (told_[row] && said != (std::ranges::find(near, value) != near.end()))
          c.near = std::max(c.near, std::abs(value) + 1);
      }
    for (const std::int64_t value : near)
      if (c.remainders.empty() || std::abs(value) < c.near)
        c.values.push_back(value);
    return of_piece(std::move(c), *s.quantity);
  }

  /// The smallest power of two modulo which the addresses of one group are told from those of the others.
  static std::optional<PatternCondition> remainders(PatternCondition::Kind kind,
                                                    const std::vector<std::vector<std::uint32_t>> &groups,
                                                    std::size_t which, std::uint64_t base) {
    for (std::uint32_t modulus = 2; modulus <= kRepeats; modulus *= 2) {
      std::vector<int> owner(modulus, -1);
      bool clear = true;
      for (std::size_t g = 0; g < groups.size(); ++g)
        for (const std::uint32_t shift : groups[g]) {
          int &known = owner[(base + shift) % modulus];
          clear &= known < 0 || known == static_cast<int>(g);
          known = static_cast<int>(g);
        }
      if (!clear)
        continue;
      PatternCondition c;
      c.kind = kind;
      c.modulus = modulus;
      for (std::uint32_t r = 0; r < modulus; ++r)
        if (owner[r] == static_cast<int>(which))
          c.remainders.push_back(r);
      return c;
    }
    return std::nullopt;
  }

  const Subject &subject_;
  const Access &access_;
  const Seen &seen_;
  const Domain &domain_;
  const bool copy_;
  Side side_, source_;
  std::vector<Spread> spreads_;
  std::size_t rows_ = 1;
  Costs costs_;               ///< of the last mask
  std::vector<bool> told_;    ///< by row: it does not fault
  bool bounded_near_ = false; ///< its small values are one case
};

std::variant<Space, Why> space_of(const MemoryOperation &operation, const Seen &seen, const Domain &domain) {
  if (operation.space != AddressSpace::Generic)
    return operation.access.space;
  if (seen.address.unknown & seen.activity.possible)
    return domain.why(seen.address.reason);
  const Quantity *memory = nullptr;
  bool mixed = false;
  for (const Term &t : seen.address.terms) {
    const Quantity &q = domain.quantity(t.dimension);
    // A pointer that is multiplied is chosen by a condition.
    mixed |= std::any_of(q.factors.begin(), q.factors.end(),
                         [&](DimensionId d) { return domain.quantity(d).memory != Quantity::Memory::None; });
    if (q.memory == Quantity::Memory::None)
      continue;
    mixed |= memory != nullptr || !uniform_over(t, seen.activity.possible);
    memory = &q;
  }
  if (mixed)
    return other("one instruction addresses several memories");
  if (!memory || memory->memory == Quantity::Memory::Local)
    return other("a pointer whose memory is not known");
  return memory->memory == Quantity::Memory::Shared ? Space::Shared : Space::Global;
}

std::optional<Priced> PriceCache::find(const Key &key, const Access &access) const {
  const std::shared_lock lock(mutex_);
  const auto known = known_.find(key);
  if (known == known_.end())
    return std::nullopt;
  const auto same = std::ranges::find(known->second, access, &std::pair<Access, Priced>::first);
  return same == known->second.end() ? std::nullopt : std::optional(same->second);
}

void PriceCache::add(Key key, const Access &access, const Priced &priced) {
  const std::unique_lock lock(mutex_);
  if (size_ + key.first.size() > kMostCached)
    return;
  size_ += key.first.size();
  known_[std::move(key)].emplace_back(access, priced);
}

Priced price_of(const Subject &subject, const MemoryOperation &operation, const Seen &seen, const Domain &domain,
                PriceCache &cache) {
  Access access = operation.access;
  if (!has_lane_addresses(access)) {
    Request request;
    request.active = seen.activity.possible;
    if (const auto reason = unsupported_reason(access, subject.architecture); !reason.empty())
      return other(std::string(reason));
    return Cases{figures(evaluate(request, access, subject.architecture), access.space == Space::Shared,
                         access.space == Space::Global)};
  }
  if (seen.address.unknown & seen.activity.possible)
    return domain.why(seen.address.reason);
  auto space = space_of(operation, seen, domain);
  if (auto *why = std::get_if<Why>(&space))
    return std::move(*why);
  access.space = std::get<Space>(space);
  if (access.operation != Operation::AsyncCopy) {
    if (const auto reason = unsupported_reason(access, subject.architecture); !reason.empty())
      return other(std::string(reason));
    if (is_atomic_loop(access, subject.architecture))
      return other("the atomic is a loop of compare-and-swap");
  }
  return Table(subject, access, seen, domain).cases(cache);
}

} // namespace smem::pattern
