// Sums, products, quotients and remainders.
#include "arithmetic.h"

#include "lane_values.h"

#include <algorithm>
#include <numeric>

namespace smem {

Value Arithmetic::affine(const Value &a, const Value &b, std::int64_t factor, LaneMask mask) {
  Value out = blank(a.width, mask);
  fill(out, a.uniform && b.uniform, mask, [&](unsigned lane) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a.at(lane)) +
                                     static_cast<std::uint64_t>(b.at(lane)) * static_cast<std::uint64_t>(factor));
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
    if (a->has_symbol() && b->has_symbol())
      return unknown_result(x, y, x.width, mask, Opcode::Mul);
    if (a->has_symbol())
      std::swap(a, b);
    if (b->has_symbol() && symbols_.symbolic)
      if (auto product = multiply_by_symbols(*a, *b, mask))
        return *product;
    auto reach = [&](const Value &v) {
      double steps = 1;
      for (const Term &t : v.terms)
        steps *= is_symbol(t.dimension) ? 1e18 : static_cast<double>(scopes_.extent(t.dimension).value_or(1 << 20));
      return steps;
    };
    if (!b->has_symbol() && reach(*b) < reach(*a))
      std::swap(a, b);
    pinned = fixed(*a, mask);
    a = &pinned;
  }
  if (!a->constant())
    std::swap(a, b);
  Value out = blank(x.width, mask);
  fill(out, a->uniform && b->uniform, mask, [&](unsigned lane) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a->at(lane)) * static_cast<std::uint64_t>(b->at(lane)));
  });
  for (const Term &term : b->terms) {
    Term scaled;
    scaled.dimension = term.dimension;
    auto product = [&](unsigned lane) {
      return canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(term.at(lane)) *
                                                 static_cast<std::uint64_t>(a->at(lane))),
                       out.width);
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
    if (scaled.lanes || scaled.uniform)
      out.terms.push_back(std::move(scaled));
  }
  return out;
}

std::optional<Value> Arithmetic::multiply_by_symbols(const Value &moving, const Value &factor, LaneMask mask) {
  if (!std::all_of(moving.terms.begin(), moving.terms.end(), [&](const Term &t) { return uniform_over(t, mask); }))
    return std::nullopt;
  for (const Term &t : factor.terms)
    if (!is_symbol(t.dimension) || !uniform_over(t, mask))
      return std::nullopt;
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
      product.terms[0].uniform = canonical(static_cast<std::int64_t>(static_cast<std::uint64_t>(step.at(lane)) *
                                                                     static_cast<std::uint64_t>(symbol.at(lane))),
                                           out.width);
      if (product.terms[0].uniform)
        add_terms(out, product, 1, mask);
    }
  return out;
}

void Arithmetic::wish_period(const Value &remainder, std::int64_t modulus, LaneMask mask) {
  for (const Term &term : remainder.terms) {
    if (is_symbol(term.dimension))
      continue;
    std::int64_t period = 1;
    Wide reach = 0;
    const auto steps = scopes_.extent(term.dimension);
    for_lanes(mask, [&](unsigned lane) {
      const std::int64_t c = term.at(lane);
      if (!c)
        return;
      const std::int64_t own = modulus / std::gcd(c < 0 ? -c : c, modulus);
      if (period < (std::int64_t{1} << 30))
        period = std::lcm(period, own);
      const Wide way = Wide{c < 0 ? -c : c} * (steps ? *steps - 1 : std::int64_t{1} << 30);
      reach = std::max(reach, way);
    });
    if (period <= 1)
      continue;
    // Within one quotient anyway: guards do it.
    if (steps && (reach < modulus / 2 || *steps <= period))
      continue;
    if (is_loop(term.dimension) && period > 64)
      continue;
    scopes_.wish({term.dimension, period});
  }
}

std::optional<Value> Arithmetic::quotient_symbol(const Value &rest, std::int64_t divisor, LaneMask mask) {
  if (!symbols_.coarse || !warp_uniform(rest, mask))
    return std::nullopt;
  std::vector<std::uint64_t> serials;
  for (const Term &term : rest.terms)
    serials.push_back(scopes_.serial(term.dimension));
  const std::uint32_t reason = reasons_.add("a quotient that changes with the block or the iteration");
  return of_symbol(symbols_.quotient(rest, divisor, mask, serials, reason), rest.width, mask);
}

std::pair<Value, Value> Arithmetic::floor_divide(const Value &a, std::int64_t divisor, Sign sign, LaneMask mask) {
  keep_exact(a, sign, mask);
  Value quotient = blank(a.width, mask), rest = blank(a.width, mask);
  std::array<Wide, kWarpSize> below{}, above{};
  auto floor_of = [&](Wide value) {
    Wide q = value / divisor;
    if (value % divisor < 0)
      --q;
    return q;
  };
  fill(quotient, a.uniform, mask,
       [&](unsigned lane) { return static_cast<std::int64_t>(floor_of(exact(a, sign, lane))); });
  fill(rest, a.uniform, mask, [&](unsigned lane) {
    const Wide v = exact(a, sign, lane);
    return static_cast<std::int64_t>(v - floor_of(v) * divisor);
  });
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
      for_lanes(mask, [&](unsigned lane) {
        (*w)[lane] = cut(term.at(lane));
        (*p)[lane] = term.at(lane) - (*w)[lane] * divisor;
      });
      whole.lanes = std::move(w);
      part.lanes = std::move(p);
    }
    quotient.terms.push_back(std::move(whole));
    rest.terms.push_back(std::move(part));
  }
  compact(quotient, mask);
  compact(rest, mask);
  if (!rest.terms.empty()) {
    if (const auto more = quotient_symbol(rest, divisor, mask))
      return {affine(quotient, *more, 1, mask), affine(rest, *more, -divisor, mask)};
    symbols_.would_be_coarser = true;
    wish_period(rest, divisor, mask);
    for_lanes(mask, [&](unsigned lane) {
      below[lane] = rest.at(lane);
      above[lane] = Wide{divisor} - 1 - rest.at(lane);
    });
    guard_lanes(rest, 1, mask, below);
    guard_lanes(rest, -1, mask, above);
  }
  return {std::move(quotient), std::move(rest)};
}

bool Arithmetic::counts_up(const Value &a, bool is_signed, LaneMask mask) const {
  bool up = is_signed;
  for (const Term &term : a.terms)
    if (is_symbol(term.dimension)) {
      up &= symbols_[term.dimension].counts;
      for_lanes(mask, [&](unsigned lane) { up &= term.at(lane) >= 0; });
    }
  for_lanes(mask, [&](unsigned lane) { up &= a.at(lane) >= 0; });
  return up;
}

Value Arithmetic::divide(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  const bool is_signed = opcode == Opcode::SDiv || opcode == Opcode::SRem;
  const bool quotient_wanted = opcode == Opcode::UDiv || opcode == Opcode::SDiv;
  const Sign sign = is_signed ? Sign::Signed : Sign::Unsigned;
  if (b.has_symbol())
    return unknown_result(a, b, a.width, mask, opcode);
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
    if (symbolic && symbols_.exact && !counts_up(a, is_signed, mask)) {
      const auto power = static_cast<std::uint64_t>(d);
      if (opcode == Opcode::URem && d > 0 && d <= INT64_MAX && std::has_single_bit(power))
        return low_bits(a, static_cast<unsigned>(std::countr_zero(power)), mask);
      return unknown_result(a, b, a.width, mask, opcode);
    }
    if (d > 0 && d <= INT64_MAX && !negative && (!symbolic || [&] {
          for (const Term &t : a.terms)
            if (is_symbol(t.dimension)) {
              bool whole = true;
              for_lanes(mask, [&](unsigned lane) {
                whole &= (Wide{t.at(lane)} * static_cast<Wide>(symbols_[t.dimension].alignment)) % d == 0 &&
                         t.at(lane) % static_cast<std::int64_t>(d) == 0;
              });
              if (!whole)
                return false;
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
    if (symbolic)
      return unknown_result(a, b, a.width, mask, opcode);
  }
  if (a.has_symbol())
    return unknown_result(a, b, a.width, mask, opcode);
  return lane_wise(opcode, fixed(a, mask), divisor, mask);
}

} // namespace smem
