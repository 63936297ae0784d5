// Operations on bits: shifts, masks, changes of width.
#include "arithmetic.h"

#include "choice.h"
#include "lane_values.h"
#include "race/lines.h"

#include <algorithm>
#include <bit>

namespace smem {
namespace {

/// Largest power of two (capped at 2^62) that divides every coefficient of the value.
unsigned common_twos(const Value &v, LaneMask mask) {
  unsigned twos = 62;
  for (const Term &term : v.terms) {
    if (!term.lanes)
      twos =
          std::min<unsigned>(twos, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(term.uniform))));
    else
      for_lanes(mask, [&](unsigned lane) {
        if (const std::int64_t c = term.at(lane))
          twos = std::min<unsigned>(twos, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(c))));
      });
  }
  return twos;
}

} // namespace

Value Arithmetic::low_bits(const Value &a, unsigned bits, LaneMask mask) {
  const std::uint64_t modulus = std::uint64_t{1} << bits; // of 63 bits it is no signed number
  const auto low_part = static_cast<std::int64_t>(modulus - 1);
  Value out = blank(a.width, mask);
  fill(out, a.uniform, mask, [&](unsigned lane) { return a.at(lane) & low_part; });
  for (const Term &term : a.terms) {
    Term low{term.dimension, 0, nullptr};
    auto reduce = [&](std::int64_t c) { // the representative nearest to zero
      const auto r = static_cast<std::uint64_t>(c & low_part);
      return static_cast<std::int64_t>(r > modulus / 2 ? r - modulus : r);
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
        vanishes &=
            ((static_cast<std::uint64_t>(low.at(lane)) * symbols_[term.dimension].alignment) & (modulus - 1)) == 0;
      });
      if (vanishes)
        continue;
    }
    out.terms.push_back(std::move(low));
  }
  compact(out, mask);
  if (out.has_symbol() && symbols_.symbolic && warp_uniform(a, mask)) { // nothing above these bits to cut off
    const Linear whole = symbols_of(a, first_lane(mask));
    const bool still = whole.terms.size() == a.terms.size();
    if (const auto range = symbols_.range(whole); still && range && range->least >= 0 && range->most < modulus)
      return a;
  }
  if (!out.terms.empty())
    if (const auto above = quotient_symbol(out, modulus, mask))
      return affine(out, *above, -modulus, mask);
  if (out.has_symbol()) {
    Value bound = make_uniform(modulus, a.width, mask);
    return unknown_result(out, bound, a.width, mask, Opcode::URem);
  }
  if (!out.terms.empty()) {
    symbols_.would_be_coarser = true;
    wish_period(out, modulus, mask);
    std::array<Wide, kWarpSize> below{}, above{};
    for_lanes(mask, [&](unsigned lane) {
      below[lane] = out.at(lane);
      above[lane] = Wide{modulus} - 1 - out.at(lane);
    });
    guard_lanes(out, 1, mask, below);
    guard_lanes(out, -1, mask, above);
  }
  return out;
}

Value Arithmetic::shift(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  if (b.has_symbol())
    return unknown_result(a, b, a.width, mask, opcode);
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
  if (a.constant() || too_far || !warp_uniform(amount, mask) || amount.at(first_lane(mask)) >= 62 ||
      (symbols_.exact && a.has_symbol()))
    return a.has_symbol() ? unknown_result(a, b, a.width, mask, opcode)
                          : lane_wise(opcode, fixed(a, mask), amount, mask);
  const std::int64_t divisor = std::int64_t{1} << amount.at(first_lane(mask));
  for (const Term &term : a.terms)
    if (is_symbol(term.dimension)) {
      bool whole = true;
      for_lanes(mask, [&](unsigned lane) { whole &= term.at(lane) % divisor == 0; });
      if (!whole)
        return unknown_result(a, b, a.width, mask, opcode);
    }
  return floor_divide(a, divisor, opcode == Opcode::AShr ? Sign::Signed : Sign::Unsigned, mask).first;
}

Value Arithmetic::bitwise(Opcode opcode, const Value &a, const Value &b, LaneMask mask) {
  if (a.constant() && b.constant())
    return lane_wise(opcode, a, b, mask);
  if (all_lanes_equal(b, 0, mask) && b.constant())
    return opcode == Opcode::And ? b : a;
  if (all_lanes_equal(a, 0, mask) && a.constant())
    return opcode == Opcode::And ? a : b;
  const std::int64_t ones = canonical(-1, a.width);
  if (all_lanes_equal(b, ones, mask) && b.constant()) {
    if (opcode == Opcode::And)
      return a;
    if (opcode == Opcode::Or)
      return b;
    return affine(b, a, -1, mask); // -1 - a
  }
  // Bits that no dimension can move are plain; if one side is nothing but such bits the other side's high part stays.
  const unsigned still = std::min(common_twos(a, mask), common_twos(b, mask));
  auto fits = [&](const Value &v) {
    if (!v.constant())
      return false;
    bool inside = true;
    for_lanes(mask, [&](unsigned lane) { inside &= (as_unsigned(v.at(lane), v.width) >> std::min(still, 63u)) == 0; });
    return inside;
  };
  const Value *moving = &a, *plain = &b;
  if (!fits(b) && fits(a))
    std::swap(moving, plain);
  if (!fits(*plain)) {
    if (!plain->constant()) {
      if (a.has_symbol() || b.has_symbol())
        return unknown_result(a, b, a.width, mask, opcode);
      std::swap(moving, plain);
      if (!plain->constant())
        return bitwise(opcode, fixed(a, mask), b, mask);
    }
    // One constant side with bits where the other moves: bring the other's low bits to a standstill.
    if (opcode == Opcode::And) {
      bool negative = false;
      for_lanes(mask, [&](unsigned lane) { negative |= plain->at(lane) < 0; });
      if (negative && warp_uniform(*plain, mask)) { // a & ~low == a - (a & low)
        Value inverse = make_uniform(~plain->at(first_lane(mask)), a.width, mask);
        return affine(*moving, bitwise(Opcode::And, *moving, inverse, mask), -1, mask);
      }
      if (negative)
        return moving->has_symbol() ? unknown_result(a, b, a.width, mask, opcode)
                                    : lane_wise(opcode, fixed(*moving, mask), *plain, mask);
      if (warp_uniform(*plain, mask)) { // runs of ones are differences of remainders
        std::uint64_t bits = as_unsigned(plain->at(first_lane(mask)), a.width);
        Value sum = make_uniform(0, a.width, mask);
        while (bits) {
          const unsigned from = static_cast<unsigned>(std::countr_zero(bits));
          const unsigned run = static_cast<unsigned>(std::countr_one(bits >> from));
          Value upper = low_bits(*moving, from + run, mask);
          if (upper.unknown & mask)
            return upper;
          sum = affine(sum, upper, 1, mask);
          if (from)
            sum = affine(sum, low_bits(*moving, from, mask), -1, mask);
          bits &= ~(((run >= 64 ? 0 : std::uint64_t{1} << run) - 1) << from);
        }
        return sum;
      }
    }
    std::uint64_t all = 0;
    for_lanes(mask, [&](unsigned lane) { all |= as_unsigned(plain->at(lane), plain->width); });
    const unsigned bits = static_cast<unsigned>(std::bit_width(all));
    if (bits >= 62 || bits >= a.width) {
      if (moving->has_symbol())
        return unknown_result(a, b, a.width, mask, opcode);
      return lane_wise(opcode, fixed(*moving, mask), *plain, mask);
    }
    Value low = low_bits(*moving, bits, mask);
    if (low.has_symbol() || (low.unknown & mask))
      return unknown_result(a, b, a.width, mask, opcode);
    const Value still_low = fixed(low, mask);
    const Value joined = lane_wise(opcode, still_low, *plain, mask);
    if (opcode == Opcode::And)
      return joined;
    return affine(affine(*moving, low, -1, mask), joined, 1, mask);
  }
  if (moving->has_symbol() && opcode != Opcode::And) {
    // Low bits of an aligned symbol are zero only as far as its alignment goes.
    for (const Term &t : moving->terms)
      if (is_symbol(t.dimension)) {
        std::uint64_t all = 0;
        for_lanes(mask, [&](unsigned lane) { all |= as_unsigned(plain->at(lane), plain->width); });
        const std::uint64_t step =
            symbols_[t.dimension].alignment * (std::uint64_t{1} << std::min(common_twos(*moving, mask), 40u));
        if (all >= step)
          return unknown_result(a, b, a.width, mask, opcode);
      }
  }
  const std::int64_t low_mask = still >= 63 ? -1 : (std::int64_t{1} << still) - 1;
  Value out = blank(a.width, mask);
  fill(out, moving->uniform && plain->uniform, mask, [&](unsigned lane) {
    const std::int64_t m = moving->at(lane), p = plain->at(lane), low = m & low_mask;
    const std::int64_t joined = opcode == Opcode::And ? (low & p) : opcode == Opcode::Or ? (low | p) : (low ^ p);
    return opcode == Opcode::And ? joined : m - low + joined;
  });
  if (opcode != Opcode::And)
    out.terms = moving->terms;
  return out;
}

Value Arithmetic::unary(Opcode opcode, const Value &a, unsigned width, LaneMask mask) {
  if (a.unknown & mask)
    return make_unknown(width, mask, a.reason);
  if (a.has_symbol())
    return opaque(static_cast<std::uint32_t>(opcode), width, {&a}, width, mask, 0);
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
      for (unsigned i = 0; i < a.width; ++i)
        r |= ((v >> i) & 1) << (a.width - 1 - i);
      return static_cast<std::int64_t>(r);
    }
    case Opcode::ReverseBytes: return static_cast<std::int64_t>(__builtin_bswap64(v) >> (64 - a.width));
    default: return 0;
    }
  });
  return out;
}

Value Arithmetic::resize(Opcode opcode, const Value &a, unsigned width, LaneMask mask) {
  if (a.unknown & mask) {
    Value out = make_unknown(width, mask, a.reason);
    if (a.choice && (a.unknown & mask) == mask)
      out.choice = resized(opcode, *a.choice, a.width, width, mask);
    return out;
  }
  // Signed sums do not overflow; where they do after all, what is apart by less than 2^32 stays apart.
  const bool fits = opcode == Opcode::SignExtend && std::ranges::all_of(a.terms, [&](const Term &term) {
                      return !is_symbol(term.dimension) || symbols_[term.dimension].signed_width == a.width;
                    });
  if (symbols_.exact && opcode != Opcode::Truncate && a.has_symbol() && !(fits && !symbols_.of_every_launch)) {
    // A counter of iterations, of which no more than its steps is known, but for conditions.
    auto line = symbols_.of_class ? race::line_beside(symbols_, a, fits, mask) : nullptr;
    if (!line && !warp_uniform(a, mask))
      line = race::line_of_wrapping(a, mask);
    if (line) {
      Value on_line = make_unknown(a.width, mask, symbols_[a.terms.back().dimension].reason);
      on_line.choice = line;
      Value out = make_unknown(width, mask, on_line.reason);
      out.choice = race::line_resized(opcode, on_line, width, mask);
      return out;
    }
    return opaque(static_cast<std::uint32_t>(opcode), 1, {&a}, width, mask, 0);
  }
  Value out = blank(width, mask);
  const Sign sign = opcode == Opcode::ZeroExtend ? Sign::Unsigned : Sign::Signed;
  if (opcode != Opcode::Truncate)
    keep_exact(a, sign, mask);
  fill(out, a.uniform, mask, [&](unsigned lane) {
    return sign == Sign::Unsigned ? static_cast<std::int64_t>(as_unsigned(a.at(lane), a.width))
           : a.width == 1         ? -(a.at(lane) & 1)
                                  : a.at(lane);
  });
  if (opcode == Opcode::Truncate && width == 1 && !a.terms.empty()) {
    // A single bit is a decision, not a number.
    Value bit = low_bits(a, 1, mask);
    if (bit.has_symbol())
      return opaque(static_cast<std::uint32_t>(opcode), 1, {&a}, 1, mask, 0);
    bit = fixed(bit, mask);
    bit.width = 1;
    return bit;
  }
  for (const Term &term : a.terms) {
    Term moved{term.dimension, canonical(term.uniform, width), nullptr};
    if (term.lanes) {
      auto lanes = std::make_shared<Lanes>(*term.lanes);
      for (std::int64_t &c : *lanes)
        c = canonical(c, width);
      moved.lanes = std::move(lanes);
    }
    if (moved.lanes || moved.uniform)
      out.terms.push_back(std::move(moved));
  }
  return out;
}

Value Arithmetic::funnel(Opcode opcode, const Value &high, const Value &low, const Value &amount, LaneMask mask) {
  if ((high.unknown | low.unknown | amount.unknown) & mask || high.has_symbol() || low.has_symbol() ||
      amount.has_symbol())
    return opaque(static_cast<std::uint32_t>(opcode), 0, {&high, &low, &amount}, high.width, mask, 0);
  const Value h = fixed(high, mask), l = fixed(low, mask), s = fixed(amount, mask);
  const unsigned w = high.width;
  Value out = blank(w, mask);
  fill(out, h.uniform && l.uniform && s.uniform, mask, [&](unsigned lane) -> std::int64_t {
    const unsigned by = static_cast<unsigned>(as_unsigned(s.at(lane), s.width) % w);
    const std::uint64_t x = as_unsigned(h.at(lane), w), y = as_unsigned(l.at(lane), w);
    if (by == 0)
      return static_cast<std::int64_t>(opcode == Opcode::FunnelLeft ? x : y);
    return static_cast<std::int64_t>(opcode == Opcode::FunnelLeft ? (x << by) | (y >> (w - by))
                                                                  : (x << (w - by)) | (y >> by));
  });
  return out;
}

} // namespace smem
