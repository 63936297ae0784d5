#include "arithmetic.h"

#include "choice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

namespace smem {

std::uint32_t Reasons::add(std::string text, SourceLocation location) {
  const auto [entry, fresh] = known_.try_emplace({text, location}, static_cast<std::uint32_t>(reasons_.size()));
  if (fresh) reasons_.push_back({std::move(text), std::move(location)});
  return entry->second;
}

namespace {

Value blank(unsigned width, LaneMask mask) {
  Value v;
  v.width = static_cast<std::uint8_t>(width);
  v.defined = mask;
  return v;
}

/// f(lane) for every lane, or once where both operands are the same everywhere.
template <typename F> void fill(Value &out, bool uniform, LaneMask mask, F &&f) {
  if (uniform) {
    out.uniform = true;
    out.base[0] = canonical(f(first_lane(mask)), out.width);
    return;
  }
  out.uniform = false;
  out.base.fill(0);
  for_lanes(mask, [&](unsigned lane) { out.base[lane] = canonical(f(lane), out.width); });
}

bool all_lanes_equal(const Value &v, std::int64_t wanted, LaneMask mask) {
  if (v.uniform) return v.base[0] == wanted;
  bool same = true;
  for_lanes(mask, [&](unsigned lane) { same &= v.base[lane] == wanted; });
  return same;
}

/// Largest power of two (capped at 2^62) that divides every coefficient of the value.
unsigned common_twos(const Value &v, LaneMask mask) {
  unsigned twos = 62;
  for (const Term &term : v.terms) {
    if (!term.lanes) twos = std::min<unsigned>(twos, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(term.uniform))));
    else for_lanes(mask, [&](unsigned lane) {
      if (const std::int64_t c = term.at(lane)) twos = std::min<unsigned>(twos, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(c))));
    });
  }
  return twos;
}

} // namespace

Wide Arithmetic::exact(const Value &a, Sign sign, unsigned lane) {
  const std::int64_t value = a.at(lane);
  return sign == Sign::Signed ? Wide{value} : static_cast<Wide>(as_unsigned(value, a.width));
}

void Arithmetic::guard_lanes(const Value &terms_of, std::int64_t factor, LaneMask mask, const std::array<Wide, kWarpSize> &constant, bool wraps) {
  bool uniform = std::all_of(terms_of.terms.begin(), terms_of.terms.end(), [&](const Term &t) { return uniform_over(t, mask); });
  auto add = [&](Wide value, unsigned lane) {
    Guard guard;
    guard.constant = value;
    guard.wraps = wraps;
    for (const Term &term : terms_of.terms)
      if (!is_symbol(term.dimension) && term.at(lane) != 0) guard.coefficients.emplace_back(term.dimension, factor * term.at(lane));
    scopes_.add(std::move(guard));
  };
  if (uniform) {
    Wide least = constant[first_lane(mask)];
    for_lanes(mask, [&](unsigned lane) { least = std::min(least, constant[lane]); });
    add(least, first_lane(mask));
  } else {
    for_lanes(mask, [&](unsigned lane) { add(constant[lane], lane); });
  }
}

void Arithmetic::keep_exact(const Value &a, Sign sign, LaneMask mask) {
  if (a.terms.empty() || !mask) return;
  const Wide high = sign == Sign::Signed ? (Wide{1} << (a.width - 1)) - 1 : (Wide{1} << a.width) - 1;
  const Wide low = sign == Sign::Signed ? -(Wide{1} << (a.width - 1)) : Wide{0};
  std::array<Wide, kWarpSize> room_above{}, room_below{};
  for_lanes(mask, [&](unsigned lane) {
    const Wide value = exact(a, sign, lane);
    room_above[lane] = high - value;
    room_below[lane] = value - low;
  });
  guard_lanes(a, -1, mask, room_above, true);
  guard_lanes(a, 1, mask, room_below, true);
}

Value Arithmetic::of_symbol(DimensionId symbol, unsigned width, LaneMask mask) {
  Value v = make_uniform(0, width, mask);
  v.terms.push_back({symbol, 1, nullptr});
  return v;
}

Value Arithmetic::fixed(const Value &a, LaneMask mask) {
  if (a.terms.empty()) return a;
  Value out = a;
  for (const Term &term : a.terms) {
    bool moves = false;
    for_lanes(mask, [&](unsigned lane) { moves |= term.at(lane) != 0; });
    if (!moves) continue;
    if (is_symbol(term.dimension)) {
      Value unknown = make_unknown(a.width, mask, symbols_[term.dimension].reason);
      return unknown;
    }
    scopes_.pin(term.dimension);
  }
  out.terms.clear();
  return out;
}

Value Arithmetic::opaque(std::uint32_t opcode, std::uint32_t detail, const std::vector<const Value *> &operands, unsigned width, LaneMask mask, std::uint32_t reason) {
  std::vector<Value> copies;
  for (const Value *operand : operands) {
    if (!warp_uniform(*operand, mask)) {
      std::uint32_t why = (operand->unknown & mask) && operand->reason ? operand->reason : reason;
      for (const Value *any : operands)
        for (const Term &term : any->terms)
          if (!why && is_symbol(term.dimension)) why = symbols_[term.dimension].reason;
      return make_unknown(width, mask, why);
    }
    copies.push_back(*operand);
  }
  // A function of open block or loop dimensions is another unknown at every step.
  for (const Value &copy : copies)
    for (const Term &term : copy.terms)
      if (!is_symbol(term.dimension)) scopes_.pin(term.dimension);
  std::uint32_t why = reason;
  for (const Value &copy : copies)
    for (const Term &term : copy.terms)
      if (is_symbol(term.dimension) && symbols_[term.dimension].reason) why = symbols_[term.dimension].reason;
  return of_symbol(symbols_.opaque(opcode, detail, copies, width, mask, why), width, mask);
}

Value Arithmetic::unknown_result(const Value &a, const Value &b, unsigned width, LaneMask mask, Opcode opcode) {
  // Still warp-uniform when both operands are: a symbol of its own.
  if (!(a.unknown & mask) && !(b.unknown & mask))
    return opaque(static_cast<std::uint32_t>(opcode), 0, {&a, &b}, width, mask, 0);
  return make_unknown(width, mask, (a.unknown & mask) ? a.reason : b.reason);
}

Value Arithmetic::affine(const Value &a, const Value &b, std::int64_t factor, LaneMask mask) {
  Value out = blank(a.width, mask);
  fill(out, a.uniform && b.uniform, mask, [&](unsigned lane) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a.at(lane)) + static_cast<std::uint64_t>(b.at(lane)) * static_cast<std::uint64_t>(factor));
  });
  out.terms = a.terms;
  add_terms(out, b, factor, mask);
  return out;
}

Value Arithmetic::multiply(const Value &x, const Value &y, LaneMask mask) {
  const Value *a = &x, *b = &y;
  Value pinned;
  if (!a->constant() && !b->constant()) {
    // Not affine. Symbols cannot be pinned; otherwise hold the one that moves least.
    if (a->has_symbol() && b->has_symbol()) return unknown_result(x, y, x.width, mask, Opcode::Mul);
    if (a->has_symbol()) std::swap(a, b);
    if (b->has_symbol() && symbols_.symbolic)
      if (auto product = multiply_by_symbols(*a, *b, mask)) return *product;
    auto reach = [&](const Value &v) {
      double steps = 1;
      for (const Term &t : v.terms) steps *= is_symbol(t.dimension) ? 1e18 : static_cast<double>(scopes_.extent(t.dimension).value_or(1 << 20));
      return steps;
    };
    if (!b->has_symbol() && reach(*b) < reach(*a)) std::swap(a, b);
    pinned = fixed(*a, mask);
    a = &pinned;
  }
  if (!a->constant()) std::swap(a, b);
  Value out = blank(x.width, mask);
  fill(out, a->uniform && b->uniform, mask, [&](unsigned lane) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a->at(lane)) * static_cast<std::uint64_t>(b->at(lane)));
  });
  for (const Term &term : b->terms) {
    Term scaled;
    scaled.dimension = term.dimension;
    auto product = [&](unsigned lane) {
      return canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(term.at(lane)) * static_cast<std::uint64_t>(a->at(lane))), out.width);
    };
    if (!term.lanes && a->uniform) {
      scaled.uniform = product(0);
    } else {
      auto lanes = std::make_shared<Lanes>();
      lanes->fill(0);
      for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = product(lane); });
      scaled.lanes = std::move(lanes);
      if (uniform_over(scaled, mask)) {
        scaled.uniform = scaled.at(first_lane(mask));
        scaled.lanes.reset();
      }
    }
    if (scaled.lanes || scaled.uniform) out.terms.push_back(std::move(scaled));
  }
  return out;
}

std::optional<Value> Arithmetic::multiply_by_symbols(const Value &moving, const Value &factor, LaneMask mask) {
  if (!std::all_of(moving.terms.begin(), moving.terms.end(), [&](const Term &t) { return uniform_over(t, mask); })) return std::nullopt;
  for (const Term &t : factor.terms)
    if (!is_symbol(t.dimension) || !uniform_over(t, mask)) return std::nullopt;
  // (base + steps) * (rest + symbols): each step times each symbol is a quantity that differs between blocks or iterations.
  Value base = moving, steps = moving, rest = factor;
  base.terms.clear();
  steps.uniform = true;
  steps.base[0] = 0;
  rest.terms.clear();
  Value out = affine(multiply(base, factor, mask), multiply(rest, steps, mask), 1, mask);
  const unsigned lane = first_lane(mask);
  for (const Term &step : moving.terms)
    for (const Term &symbol : factor.terms) {
      Value product = of_symbol(symbols_.scaled(scopes_.serial(step.dimension), symbol.dimension), out.width, mask);
      product.terms[0].uniform = canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(step.at(lane)) * static_cast<std::uint64_t>(symbol.at(lane))), out.width);
      if (product.terms[0].uniform) add_terms(out, product, 1, mask);
    }
  return out;
}

void Arithmetic::wish_period(const Value &remainder, std::int64_t modulus, LaneMask mask) {
  for (const Term &term : remainder.terms) {
    if (is_symbol(term.dimension)) continue;
    std::int64_t period = 1;
    Wide reach = 0;
    const auto steps = scopes_.extent(term.dimension);
    for_lanes(mask, [&](unsigned lane) {
      const std::int64_t c = term.at(lane);
      if (!c) return;
      const std::int64_t own = modulus / std::gcd(c < 0 ? -c : c, modulus);
      if (period < (std::int64_t{1} << 30)) period = std::lcm(period, own);
      const Wide way = Wide{c < 0 ? -c : c} * (steps ? *steps - 1 : std::int64_t{1} << 30);
      reach = std::max(reach, way);
    });
    if (period <= 1) continue;
    // Within one quotient anyway: guards do it.
    if (steps && (reach < modulus / 2 || *steps <= period)) continue;
    if (is_loop(term.dimension) && period > 64) continue;
    scopes_.wish({term.dimension, period});
  }
}

std::pair<Value, Value> Arithmetic::floor_divide(const Value &a, std::int64_t divisor, Sign sign, LaneMask mask) {
  keep_exact(a, sign, mask);
  Value quotient = blank(a.width, mask), rest = blank(a.width, mask);
  std::array<Wide, kWarpSize> below{}, above{};
  auto floor_of = [&](Wide value) { Wide q = value / divisor; if (value % divisor < 0) --q; return q; };
  fill(quotient, a.uniform, mask, [&](unsigned lane) { return static_cast<std::int64_t>(floor_of(exact(a, sign, lane))); });
  fill(rest, a.uniform, mask, [&](unsigned lane) { const Wide v = exact(a, sign, lane); return static_cast<std::int64_t>(v - floor_of(v) * divisor); });
  for (const Term &term : a.terms) {
    Term whole{term.dimension, 0, nullptr}, part{term.dimension, 0, nullptr};
    auto cut = [&](std::int64_t c) { return c / divisor; }; // toward zero: the smaller remainder keeps regions large
    if (!term.lanes) {
      whole.uniform = cut(term.uniform);
      part.uniform = term.uniform - whole.uniform * divisor;
    } else {
      auto w = std::make_shared<Lanes>(), p = std::make_shared<Lanes>();
      w->fill(0);
      p->fill(0);
      for_lanes(mask, [&](unsigned lane) { (*w)[lane] = cut(term.at(lane)); (*p)[lane] = term.at(lane) - (*w)[lane] * divisor; });
      whole.lanes = std::move(w);
      part.lanes = std::move(p);
    }
    quotient.terms.push_back(std::move(whole));
    rest.terms.push_back(std::move(part));
  }
  compact(quotient, mask);
  compact(rest, mask);
  if (!rest.terms.empty()) {
    wish_period(rest, divisor, mask);
    for_lanes(mask, [&](unsigned lane) { below[lane] = rest.at(lane); above[lane] = Wide{divisor} - 1 - rest.at(lane); });
    guard_lanes(rest, 1, mask, below);
    guard_lanes(rest, -1, mask, above);
  }
  return {std::move(quotient), std::move(rest)};
}

Value Arithmetic::divide(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  const bool is_signed = opcode == Opcode::SDiv || opcode == Opcode::SRem;
  const bool quotient_wanted = opcode == Opcode::UDiv || opcode == Opcode::SDiv;
  const Sign sign = is_signed ? Sign::Signed : Sign::Unsigned;
  if (b.has_symbol()) return unknown_result(a, b, a.width, mask, opcode);
  const Value divisor = fixed(b, mask);
  bool zero = false;
  for_lanes(mask, [&](unsigned lane) { zero |= divisor.at(lane) == 0; });
  if (zero) {
    division_by_zero_ = true;
    return make_unknown(a.width, mask, reasons_.add("division by zero"));
  }
  if (!a.constant() && warp_uniform(divisor, mask)) {
    const Wide d = exact(divisor, sign, first_lane(mask));
    bool negative = false, positive = false;
    for_lanes(mask, [&](unsigned lane) { (exact(a, sign, lane) < 0 ? negative : positive) = true; });
    const bool symbolic = a.has_symbol();
    if (d > 0 && d <= INT64_MAX && !negative && (!symbolic || [&] {
          for (const Term &t : a.terms)
            if (is_symbol(t.dimension)) {
              bool whole = true;
              for_lanes(mask, [&](unsigned lane) { whole &= (Wide{t.at(lane)} * static_cast<Wide>(symbols_[t.dimension].alignment)) % d == 0 && t.at(lane) % static_cast<std::int64_t>(d) == 0; });
              if (!whole) return false;
            }
          return true;
        }())) {
      if (is_signed) { // truncation equals floor only while nothing goes negative
        std::array<Wide, kWarpSize> at_least{};
        for_lanes(mask, [&](unsigned lane) { at_least[lane] = exact(a, sign, lane); });
        guard_lanes(a, 1, mask, at_least);
      }
      auto [q, r] = floor_divide(a, static_cast<std::int64_t>(d), sign, mask);
      return quotient_wanted ? q : r;
    }
    if (symbolic) return unknown_result(a, b, a.width, mask, opcode);
  }
  if (a.has_symbol()) return unknown_result(a, b, a.width, mask, opcode);
  return lane_wise(opcode, fixed(a, mask), divisor, mask);
}

Value Arithmetic::low_bits(const Value &a, unsigned bits, LaneMask mask) {
  const std::int64_t modulus = std::int64_t{1} << bits;
  Value out = blank(a.width, mask);
  fill(out, a.uniform, mask, [&](unsigned lane) { return a.at(lane) & (modulus - 1); });
  for (const Term &term : a.terms) {
    Term low{term.dimension, 0, nullptr};
    auto reduce = [&](std::int64_t c) { // the representative nearest to zero
      std::int64_t r = c & (modulus - 1);
      return r > modulus / 2 ? r - modulus : r;
    };
    if (!term.lanes) {
      low.uniform = reduce(term.uniform);
    } else {
      auto lanes = std::make_shared<Lanes>();
      lanes->fill(0);
      for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = reduce(term.at(lane)); });
      low.lanes = std::move(lanes);
    }
    if (is_symbol(term.dimension)) { // multiples of the modulus vanish; anything else is not known
      bool vanishes = true;
      for_lanes(mask, [&](unsigned lane) {
        vanishes &= ((static_cast<std::uint64_t>(low.at(lane)) * symbols_[term.dimension].alignment) & static_cast<std::uint64_t>(modulus - 1)) == 0;
      });
      if (vanishes) continue;
    }
    out.terms.push_back(std::move(low));
  }
  compact(out, mask);
  if (out.has_symbol() && symbols_.symbolic && warp_uniform(a, mask)) { // nothing above these bits to cut off
    const Linear whole = symbols_of(a, first_lane(mask));
    const bool still = whole.terms.size() == a.terms.size();
    if (const auto range = symbols_.range(whole); still && range && range->least >= 0 && range->most < modulus) return a;
  }
  if (out.has_symbol()) {
    Value bound = make_uniform(modulus, a.width, mask);
    return unknown_result(out, bound, a.width, mask, Opcode::URem);
  }
  if (!out.terms.empty()) {
    wish_period(out, modulus, mask);
    std::array<Wide, kWarpSize> below{}, above{};
    for_lanes(mask, [&](unsigned lane) { below[lane] = out.at(lane); above[lane] = Wide{modulus} - 1 - out.at(lane); });
    guard_lanes(out, 1, mask, below);
    guard_lanes(out, -1, mask, above);
  }
  return out;
}

Value Arithmetic::shift(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  if (b.has_symbol()) return unknown_result(a, b, a.width, mask, opcode);
  const Value amount = fixed(b, mask);
  bool too_far = false;
  for_lanes(mask, [&](unsigned lane) { too_far |= as_unsigned(amount.at(lane), amount.width) >= a.width; });
  if (opcode == Opcode::Shl) {
    Value factor = blank(a.width, mask);
    fill(factor, amount.uniform, mask, [&](unsigned lane) {
      const std::uint64_t by = as_unsigned(amount.at(lane), amount.width);
      return by >= a.width ? std::int64_t{0} : static_cast<std::int64_t>(std::uint64_t{1} << by);
    });
    return multiply(a, factor, mask);
  }
  if (a.constant() || too_far || !warp_uniform(amount, mask) || amount.at(first_lane(mask)) >= 62)
    return a.has_symbol() ? unknown_result(a, b, a.width, mask, opcode) : lane_wise(opcode, fixed(a, mask), amount, mask);
  const std::int64_t divisor = std::int64_t{1} << amount.at(first_lane(mask));
  for (const Term &term : a.terms)
    if (is_symbol(term.dimension)) {
      bool whole = true;
      for_lanes(mask, [&](unsigned lane) { whole &= term.at(lane) % divisor == 0; });
      if (!whole) return unknown_result(a, b, a.width, mask, opcode);
    }
  return floor_divide(a, divisor, opcode == Opcode::AShr ? Sign::Signed : Sign::Unsigned, mask).first;
}

Value Arithmetic::bitwise(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  if (a.constant() && b.constant()) return lane_wise(opcode, a, b, mask);
  if (all_lanes_equal(b, 0, mask) && b.constant()) return opcode == Opcode::And ? b : a;
  if (all_lanes_equal(a, 0, mask) && a.constant()) return opcode == Opcode::And ? a : b;
  const std::int64_t ones = canonical(-1, a.width);
  if (all_lanes_equal(b, ones, mask) && b.constant()) {
    if (opcode == Opcode::And) return a;
    if (opcode == Opcode::Or) return b;
    return affine(b, a, -1, mask); // -1 - a
  }
  // Bits that no dimension can move are plain; if one side is nothing but such bits the other side's high part stays.
  const unsigned still = std::min(common_twos(a, mask), common_twos(b, mask));
  auto fits = [&](const Value &v) {
    if (!v.constant()) return false;
    bool inside = true;
    for_lanes(mask, [&](unsigned lane) { inside &= (as_unsigned(v.at(lane), v.width) >> std::min(still, 63u)) == 0; });
    return inside;
  };
  const Value *moving = &a, *plain = &b;
  if (!fits(b) && fits(a)) std::swap(moving, plain);
  if (!fits(*plain)) {
    if (!plain->constant()) {
      if (a.has_symbol() || b.has_symbol()) return unknown_result(a, b, a.width, mask, opcode);
      std::swap(moving, plain);
      if (!plain->constant()) return bitwise(opcode, fixed(a, mask), b, mask);
    }
    // One constant side with bits where the other moves: bring the other's low bits to a standstill.
    if (opcode == Opcode::And) {
      bool negative = false;
      for_lanes(mask, [&](unsigned lane) { negative |= plain->at(lane) < 0; });
      if (negative && warp_uniform(*plain, mask)) { // a & ~low == a - (a & low)
        Value inverse = make_uniform(~plain->at(first_lane(mask)), a.width, mask);
        return affine(*moving, bitwise(Opcode::And, *moving, inverse, mask), -1, mask);
      }
      if (negative) return moving->has_symbol() ? unknown_result(a, b, a.width, mask, opcode) : lane_wise(opcode, fixed(*moving, mask), *plain, mask);
      if (warp_uniform(*plain, mask)) { // runs of ones are differences of remainders
        std::uint64_t bits = as_unsigned(plain->at(first_lane(mask)), a.width);
        Value sum = make_uniform(0, a.width, mask);
        while (bits) {
          const unsigned from = static_cast<unsigned>(std::countr_zero(bits));
          const unsigned run = static_cast<unsigned>(std::countr_one(bits >> from));
          Value upper = low_bits(*moving, from + run, mask);
          if (upper.unknown & mask) return upper;
          sum = affine(sum, upper, 1, mask);
          if (from) sum = affine(sum, low_bits(*moving, from, mask), -1, mask);
          bits &= ~(((run >= 64 ? 0 : std::uint64_t{1} << run) - 1) << from);
        }
        return sum;
      }
    }
    std::uint64_t all = 0;
    for_lanes(mask, [&](unsigned lane) { all |= as_unsigned(plain->at(lane), plain->width); });
    const unsigned bits = static_cast<unsigned>(std::bit_width(all));
    if (bits >= 62 || bits >= a.width) {
      if (moving->has_symbol()) return unknown_result(a, b, a.width, mask, opcode);
      return lane_wise(opcode, fixed(*moving, mask), *plain, mask);
    }
    Value low = low_bits(*moving, bits, mask);
    if (low.has_symbol() || (low.unknown & mask)) return unknown_result(a, b, a.width, mask, opcode);
    const Value still_low = fixed(low, mask);
    const Value joined = lane_wise(opcode, still_low, *plain, mask);
    if (opcode == Opcode::And) return joined;
    return affine(affine(*moving, low, -1, mask), joined, 1, mask);
  }
  if (moving->has_symbol() && opcode != Opcode::And) {
    // Low bits of an aligned symbol are zero only as far as its alignment goes.
    for (const Term &t : moving->terms)
      if (is_symbol(t.dimension)) {
        std::uint64_t all = 0;
        for_lanes(mask, [&](unsigned lane) { all |= as_unsigned(plain->at(lane), plain->width); });
        const std::uint64_t step = symbols_[t.dimension].alignment * (std::uint64_t{1} << std::min(common_twos(*moving, mask), 40u));
        if (all >= step) return unknown_result(a, b, a.width, mask, opcode);
      }
  }
  const std::int64_t low_mask = still >= 63 ? -1 : (std::int64_t{1} << still) - 1;
  Value out = blank(a.width, mask);
  fill(out, moving->uniform && plain->uniform, mask, [&](unsigned lane) {
    const std::int64_t m = moving->at(lane), p = plain->at(lane), low = m & low_mask;
    const std::int64_t joined = opcode == Opcode::And ? (low & p) : opcode == Opcode::Or ? (low | p) : (low ^ p);
    return opcode == Opcode::And ? joined : m - low + joined;
  });
  if (opcode != Opcode::And) out.terms = moving->terms;
  return out;
}

Value Arithmetic::extreme(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  const bool is_signed = opcode == Opcode::SMin || opcode == Opcode::SMax;
  const bool minimum = opcode == Opcode::SMin || opcode == Opcode::UMin;
  const Value less = compare(is_signed ? Opcode::SLt : Opcode::ULt, a, b, mask);
  if (less.unknown & mask) return unknown_result(a, b, a.width, mask, opcode);
  if (less.has_symbol()) return unknown_result(a, b, a.width, mask, opcode);
  return minimum ? select(less, a, b, mask) : select(less, b, a, mask);
}

std::optional<std::int64_t> compute(Opcode opcode, std::int64_t x, std::int64_t y, unsigned w) {
  const std::uint64_t ux = as_unsigned(x, w), uy = as_unsigned(y, w);
  switch (opcode) {
  case Opcode::Mul: return canonical(static_cast<std::int64_t>(ux * uy), w);
  case Opcode::UDiv: if (!uy) return std::nullopt; return static_cast<std::int64_t>(ux / uy);
  case Opcode::URem: if (!uy) return std::nullopt; return static_cast<std::int64_t>(ux % uy);
  case Opcode::SDiv: if (!y) return std::nullopt; return y == -1 ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x)) : x / y;
  case Opcode::SRem: if (!y) return std::nullopt; return y == -1 ? 0 : x % y;
  case Opcode::Shl: return uy >= w ? 0 : canonical(static_cast<std::int64_t>(ux << uy), w);
  case Opcode::LShr: return uy >= w ? 0 : static_cast<std::int64_t>(ux >> uy);
  case Opcode::AShr: return x >> std::min<std::uint64_t>(uy, 63);
  case Opcode::And: return x & y;
  case Opcode::Or: return x | y;
  case Opcode::Xor: return x ^ y;
  case Opcode::UMin: return ux < uy ? x : y;
  case Opcode::UMax: return ux < uy ? y : x;
  case Opcode::SMin: return std::min(x, y);
  case Opcode::SMax: return std::max(x, y);
  case Opcode::UMulHigh: return static_cast<std::int64_t>((static_cast<Wide>(ux) * static_cast<Wide>(uy)) >> w);
  case Opcode::SMulHigh: return static_cast<std::int64_t>((Wide{x} * Wide{y}) >> w);
  default: return std::nullopt;
  }
}

Value Arithmetic::lane_wise(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  if ((a.unknown | b.unknown) & mask) return make_unknown(a.width, mask, (a.unknown & mask) ? a.reason : b.reason);
  Value out = blank(a.width, mask);
  const unsigned w = a.width;
  fill(out, a.uniform && b.uniform, mask, [&](unsigned lane) { return compute(opcode, a.at(lane), b.at(lane), w).value_or(0); });
  return out;
}

Value Arithmetic::chosen(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  const bool first = (a.unknown & mask) != 0;
  Value out = make_unknown(a.width, mask, first ? a.reason : b.reason);
  const Value &data = first ? a : b;
  Value known = first ? b : a;
  if (!data.choice || (data.unknown & mask) != mask || (known.unknown & mask)) return out;
  // A base that moves, or that nobody knows, is no matter if it is a multiple of everything that counts.
  for (const Term &term : known.terms) {
    if (!uniform_over(term, mask)) return out;
    const std::uint64_t grain = (is_symbol(term.dimension) ? symbols_[term.dimension].alignment : 1) * static_cast<std::uint64_t>(term.at(first_lane(mask)));
    if ((opcode != Opcode::Add && opcode != Opcode::Sub) || grain % 128 != 0) return out;
  }
  known.terms.clear();
  out.choice = choice_of(opcode, *data.choice, known, first, a.width, mask);
  return out;
}

Value Arithmetic::binary(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  if ((a.unknown | b.unknown) & mask) {
    // Zero times, and nothing and-ed with, are known whatever the other side is.
    const Value &known = (a.unknown & mask) ? b : a;
    if (!(known.unknown & mask) && known.constant() && all_lanes_equal(known, 0, mask) && (opcode == Opcode::Mul || opcode == Opcode::And)) return known;
    return chosen(opcode, a, b, mask);
  }
  switch (opcode) {
  case Opcode::Add: return affine(a, b, 1, mask);
  case Opcode::Sub: return affine(a, b, -1, mask);
  case Opcode::Mul: return multiply(a, b, mask);
  case Opcode::UDiv: case Opcode::SDiv: case Opcode::URem: case Opcode::SRem: return divide(opcode, a, b, mask);
  case Opcode::Shl: case Opcode::LShr: case Opcode::AShr: return shift(opcode, a, b, mask);
  case Opcode::And: case Opcode::Or: case Opcode::Xor: return bitwise(opcode, a, b, mask);
  case Opcode::UMin: case Opcode::UMax: case Opcode::SMin: case Opcode::SMax: return extreme(opcode, a, b, mask);
  default:
    if (a.has_symbol() || b.has_symbol()) return unknown_result(a, b, a.width, mask, opcode);
    return lane_wise(opcode, fixed(a, mask), fixed(b, mask), mask);
  }
}

Value Arithmetic::unary(Opcode opcode, const Value &a, unsigned width, LaneMask mask) {
  if (a.unknown & mask) return make_unknown(width, mask, a.reason);
  if (a.has_symbol()) return opaque(static_cast<std::uint32_t>(opcode), width, {&a}, width, mask, 0);
  const Value x = fixed(a, mask);
  Value out = blank(width, mask);
  fill(out, x.uniform, mask, [&](unsigned lane) -> std::int64_t {
    const std::uint64_t v = as_unsigned(x.at(lane), a.width);
    switch (opcode) {
    case Opcode::Popcount: return std::popcount(v);
    case Opcode::CountLeadingZeros: return std::countl_zero(v) - (64 - a.width);
    case Opcode::CountTrailingZeros: return v ? std::countr_zero(v) : a.width;
    case Opcode::ReverseBits: {
      std::uint64_t r = 0;
      for (unsigned i = 0; i < a.width; ++i) r |= ((v >> i) & 1) << (a.width - 1 - i);
      return static_cast<std::int64_t>(r);
    }
    case Opcode::ReverseBytes: return static_cast<std::int64_t>(__builtin_bswap64(v) >> (64 - a.width));
    default: return 0;
    }
  });
  return out;
}

Linear Arithmetic::symbols_of(const Value &a, unsigned lane) {
  Linear linear = linear_of(a, lane);
  std::erase_if(linear.terms, [](const auto &t) { return !is_symbol(t.first); });
  return linear;
}

std::optional<Value> Arithmetic::symbolic_compare(Opcode opcode, const Value &a, const Value &b, const Value &difference, LaneMask mask, ConditionUse use) {
  const bool equality = opcode == Opcode::Eq || opcode == Opcode::Ne;
  const bool strict = opcode == Opcode::ULt || opcode == Opcode::SLt;
  Value whole = difference; // a - b, of numbers that do not wrap around
  fill(whole, a.uniform && b.uniform, mask, [&](unsigned lane) { return a.at(lane) - b.at(lane); });
  for (const Term &term : whole.terms)
    if (is_symbol(term.dimension) && !symbols_[term.dimension].definition) return std::nullopt;
  if (opcode == Opcode::ULt || opcode == Opcode::ULe) // the same as signed only for what is not negative
    for (const Value *side : {&a, &b}) {
      bool positive = true;
      for_lanes(mask, [&](unsigned lane) {
        const auto range = symbols_.range(symbols_of(*side, lane));
        positive &= range && range->least >= 0;
      });
      for (const Term &term : side->terms)
        if (!is_symbol(term.dimension)) for_lanes(mask, [&](unsigned lane) { positive &= term.at(lane) >= 0; });
      if (!positive) return std::nullopt;
    }

  // Decided by what is known of the symbols?
  std::array<Wide, kWarpSize> below{}, above{};
  LaneMask low = 0, high = 0, zero = 0;
  for_lanes(mask, [&](unsigned lane) {
    const auto range = symbols_.range(symbols_of(whole, lane));
    if (!range) return;
    if (equality ? range->most < 0 : strict ? range->most < 0 : range->most <= 0) low |= 1u << lane;
    else if (equality ? range->least > 0 : strict ? range->least >= 0 : range->least > 0) high |= 1u << lane;
    else if (range->least == 0 && range->most == 0) zero |= 1u << lane;
    below[lane] = -range->most - (equality || strict ? 1 : 0);
    above[lane] = range->least - (equality || !strict ? 1 : 0);
  });
  const bool moves = std::any_of(whole.terms.begin(), whole.terms.end(), [](const Term &t) { return !is_symbol(t.dimension); });
  // What may be the end of a loop is not decided: for some of its iterations it would be, for others not.
  const bool may_end = use == ConditionUse::BranchAtOnce && std::any_of(whole.terms.begin(), whole.terms.end(), [](const Term &t) { return is_loop(t.dimension); });
  if (!may_end && (low | high | (moves ? 0 : zero)) == mask) {
    symbols_.note_decision(symbols_of(whole, first_lane(mask)));
    guard_lanes(whole, -1, low, below);
    guard_lanes(whole, 1, high, above);
    Value out = blank(1, mask);
    const LaneMask holds = opcode == Opcode::Eq ? zero : opcode == Opcode::Ne ? mask & ~zero : low;
    fill(out, false, mask, [&](unsigned lane) { return static_cast<std::int64_t>(holds >> lane & 1); });
    compact(out, mask);
    return out;
  }

  // A condition that all lanes share.
  if (!std::all_of(whole.terms.begin(), whole.terms.end(), [&](const Term &t) { return uniform_over(t, mask); })) return std::nullopt;
  const unsigned lane = first_lane(mask);
  const auto may_move = [&](DimensionId d) { return is_symbol(d) || use == ConditionUse::BranchAtOnce || (use == ConditionUse::Branches && is_digit(d)); };
  for (const Term &term : whole.terms)
    if (!may_move(term.dimension)) scopes_.pin(term.dimension);
  Linear tested = linear_of(whole, lane);
  std::erase_if(tested.terms, [&](const auto &t) { return !may_move(t.first); });
  const std::uint32_t reason = symbols_[difference.terms.back().dimension].reason;
  if (equality) {
    bool same = true;
    for_lanes(mask, [&](unsigned l) { same &= whole.at(l) == whole.at(lane); });
    if (!same) return std::nullopt;
    return of_symbol(symbols_.condition(opcode == Opcode::Eq ? Definition::Kind::Zero : Definition::Kind::NotZero, std::move(tested), reason), 1, mask);
  }
  // a < b is b - a - 1 >= 0; where the rest is a multiple of something, constants in between make no difference.
  Linear at_least = Linear{}.add(tested, -1);
  at_least.constant = 0;
  const Wide grain = symbols_.multiple_of(at_least);
  std::optional<Wide> constant;
  bool same = true;
  for_lanes(mask, [&](unsigned l) {
    const Wide own = -Wide{whole.at(l)} - (strict ? 1 : 0);
    const Wide rounded = own >= 0 ? own / grain * grain : -((-own + grain - 1) / grain * grain);
    if (!constant) constant = rounded;
    same &= *constant == rounded;
  });
  if (!same) return std::nullopt;
  at_least.constant = *constant;
  return of_symbol(symbols_.condition(Definition::Kind::AtLeast0, std::move(at_least), reason), 1, mask);
}

Value Arithmetic::compare(Opcode opcode, const Value &a, const Value &b, LaneMask mask, ConditionUse use) {
  Value out = blank(1, mask);
  if ((a.unknown | b.unknown) & mask) return make_unknown(1, mask, (a.unknown & mask) ? a.reason : b.reason);
  const bool equality = opcode == Opcode::Eq || opcode == Opcode::Ne;
  const Sign sign = opcode == Opcode::ULt || opcode == Opcode::ULe ? Sign::Unsigned : Sign::Signed;
  Value difference = blank(64, mask);
  difference.terms = a.terms;
  add_terms(difference, b, -1, mask);
  if (difference.has_symbol() && equality) { // the base of a window is no null pointer
    const bool null = (a.constant() && all_lanes_equal(a, 0, mask)) || (b.constant() && all_lanes_equal(b, 0, mask));
    if (null && difference.terms.size() == 1 && symbols_[difference.terms[0].dimension].window != Symbol::Window::None)
      return make_uniform(opcode == Opcode::Ne, 1, mask);
  }
  if (difference.has_symbol() && symbols_.symbolic)
    if (auto known = symbolic_compare(opcode, a, b, difference, mask, use)) return *known;
  if (difference.has_symbol()) return opaque(static_cast<std::uint32_t>(opcode), 1, {&a, &b}, 1, mask, symbols_[difference.terms.back().dimension].reason);
  const bool moves = !difference.terms.empty();
  if (!a.terms.empty() || !b.terms.empty()) { // exact readings, unless both move alike and only equality is asked
    if (!(equality && !moves)) { keep_exact(a, sign, mask); keep_exact(b, sign, mask); }
  }
  std::array<Wide, kWarpSize> apart{};
  fill(out, a.uniform && b.uniform, mask, [&](unsigned lane) -> std::int64_t {
    apart[lane] = exact(a, sign, lane) - exact(b, sign, lane);
    switch (opcode) {
    case Opcode::Eq: return apart[lane] == 0;
    case Opcode::Ne: return apart[lane] != 0;
    case Opcode::ULt: case Opcode::SLt: return apart[lane] < 0;
    default: return apart[lane] <= 0;
    }
  });
  if (!moves) return out;
  for_lanes(mask, [&](unsigned lane) { apart[lane] = exact(a, sign, lane) - exact(b, sign, lane); });
  // The region in which each lane's difference stays on its side of the decision.
  std::array<Wide, kWarpSize> room{};
  LaneMask low = 0, high = 0;
  const bool strict = opcode == Opcode::ULt || opcode == Opcode::SLt;
  for_lanes(mask, [&](unsigned lane) {
    const Wide d = apart[lane];
    if (equality) {
      if (d <= 0) low |= 1u << lane;
      if (d >= 0) high |= 1u << lane;
    } else {
      (d < 0 || (!strict && d == 0) ? low : high) |= 1u << lane;
    }
  });
  if (low) {
    for_lanes(low, [&](unsigned lane) { room[lane] = -apart[lane] - (equality ? (apart[lane] == 0 ? 0 : 1) : strict ? 1 : 0); });
    guard_lanes(difference, -1, low, room);
  }
  if (high) {
    for_lanes(high, [&](unsigned lane) { room[lane] = apart[lane] - (equality ? (apart[lane] == 0 ? 0 : 1) : strict ? 0 : 1); });
    guard_lanes(difference, 1, high, room);
  }
  return out;
}

Value Arithmetic::select(const Value &condition, const Value &a, const Value &b, LaneMask mask) {
  if (condition.unknown & mask || condition.has_symbol()) {
    if (equal(a, b, mask)) return a;
    const std::uint32_t why = (condition.unknown & mask) ? condition.reason : symbols_[condition.terms.back().dimension].reason;
    if (condition.has_symbol() && warp_uniform(a, mask) && warp_uniform(b, mask))
      return opaque(static_cast<std::uint32_t>(Opcode::Select), 0, {&condition, &a, &b}, a.width, mask, why);
    Value out = make_unknown(a.width, mask, why);
    if ((condition.unknown & mask) == mask) out.choice = one_of(a, b, mask);
    return out;
  }
  LaneMask chosen = 0;
  for_lanes(mask, [&](unsigned lane) { if (condition.at(lane)) chosen |= 1u << lane; });
  Value out = (chosen == mask || !chosen) ? (chosen ? a : b) : b;
  out.defined = mask;
  out.unknown &= mask;
  if (chosen && chosen != mask) {
    assign(out, a, chosen);
    compact(out, mask);
  }
  return out;
}

Value Arithmetic::resize(Opcode opcode, const Value &a, unsigned width, LaneMask mask) {
  if (a.unknown & mask) {
    Value out = make_unknown(width, mask, a.reason);
    if (a.choice && (a.unknown & mask) == mask) out.choice = resized(opcode, *a.choice, a.width, width, mask);
    return out;
  }
  Value out = blank(width, mask);
  const Sign sign = opcode == Opcode::ZeroExtend ? Sign::Unsigned : Sign::Signed;
  if (opcode != Opcode::Truncate) keep_exact(a, sign, mask);
  fill(out, a.uniform, mask, [&](unsigned lane) {
    return sign == Sign::Unsigned ? static_cast<std::int64_t>(as_unsigned(a.at(lane), a.width))
           : a.width == 1        ? -(a.at(lane) & 1)
                                 : a.at(lane);
  });
  if (opcode == Opcode::Truncate && width == 1 && !a.terms.empty()) {
    // A single bit is a decision, not a number.
    Value bit = low_bits(a, 1, mask);
    if (bit.has_symbol()) return opaque(static_cast<std::uint32_t>(opcode), 1, {&a}, 1, mask, 0);
    bit = fixed(bit, mask);
    bit.width = 1;
    return bit;
  }
  for (const Term &term : a.terms) {
    Term moved{term.dimension, canonical(term.uniform, width), nullptr};
    if (term.lanes) {
      auto lanes = std::make_shared<Lanes>(*term.lanes);
      for (std::int64_t &c : *lanes) c = canonical(c, width);
      moved.lanes = std::move(lanes);
    }
    if (moved.lanes || moved.uniform) out.terms.push_back(std::move(moved));
  }
  return out;
}

Value Arithmetic::funnel(Opcode opcode, const Value &high, const Value &low, const Value &amount, LaneMask mask) {
  if ((high.unknown | low.unknown | amount.unknown) & mask || high.has_symbol() || low.has_symbol() || amount.has_symbol())
    return opaque(static_cast<std::uint32_t>(opcode), 0, {&high, &low, &amount}, high.width, mask, 0);
  const Value h = fixed(high, mask), l = fixed(low, mask), s = fixed(amount, mask);
  const unsigned w = high.width;
  Value out = blank(w, mask);
  fill(out, h.uniform && l.uniform && s.uniform, mask, [&](unsigned lane) -> std::int64_t {
    const unsigned by = static_cast<unsigned>(as_unsigned(s.at(lane), s.width) % w);
    const std::uint64_t x = as_unsigned(h.at(lane), w), y = as_unsigned(l.at(lane), w);
    if (by == 0) return static_cast<std::int64_t>(opcode == Opcode::FunnelLeft ? x : y);
    return static_cast<std::int64_t>(opcode == Opcode::FunnelLeft ? (x << by) | (y >> (w - by)) : (x << (w - by)) | (y >> by));
  });
  return out;
}

namespace {

double to_double(std::int64_t bits, unsigned width) {
  if (width == 64) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

std::int64_t from_double(double value, unsigned width) {
  if (width == 64) return std::bit_cast<std::int64_t>(value);
  return static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

std::int64_t saturate(double value, bool is_signed, unsigned width) {
  if (std::isnan(value)) return 0;
  const double limit = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
  if (value >= limit) return is_signed ? static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1) : -1;
  if (is_signed && value < -limit) return static_cast<std::int64_t>(std::uint64_t{1} << (width - 1));
  if (!is_signed && value <= -1) return 0;
  return is_signed ? static_cast<std::int64_t>(value) : static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
}

} // namespace

Value Arithmetic::floating(Opcode opcode, const std::vector<const Value *> &operands, unsigned width, LaneMask mask) {
  std::vector<Value> in;
  for (const Value *operand : operands) {
    if ((operand->unknown & mask) || operand->has_symbol()) return opaque(static_cast<std::uint32_t>(opcode), width, operands, width, mask, 0);
    in.push_back(fixed(*operand, mask));
  }
  const unsigned from = in[0].width;
  const bool uniform = std::all_of(in.begin(), in.end(), [](const Value &v) { return v.uniform; });
  Value out = blank(width, mask);
  fill(out, uniform, mask, [&](unsigned lane) -> std::int64_t {
    const std::int64_t raw = in[0].at(lane);
    if (opcode == Opcode::SToF) return from_double(width == 64 ? static_cast<double>(raw) : static_cast<double>(static_cast<float>(raw)), width);
    if (opcode == Opcode::UToF) { const std::uint64_t u = as_unsigned(raw, from); return from_double(width == 64 ? static_cast<double>(u) : static_cast<double>(static_cast<float>(u)), width); }
    const double x = to_double(raw, from);
    const double y = in.size() > 1 ? to_double(in[1].at(lane), from) : 0;
    // Double arithmetic rounded once to float equals float arithmetic for these four operations.
    switch (opcode) {
    case Opcode::FAdd: return from_double(x + y, width);
    case Opcode::FSub: return from_double(x - y, width);
    case Opcode::FMul: return from_double(x * y, width);
    case Opcode::FDiv: return from_double(x / y, width);
    case Opcode::FEq: return x == y;
    case Opcode::FNe: return x != y;
    case Opcode::FLt: return x < y;
    case Opcode::FLe: return x <= y;
    case Opcode::FToS: return saturate(x, true, width);
    case Opcode::FToU: return saturate(x, false, width);
    case Opcode::FResize: return from_double(x, width);
    default: return 0;
    }
  });
  return out;
}

} // namespace smem
