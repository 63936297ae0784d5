// Sums in the form that a person would write: goldens of what compilers make of loops, and random sums of random definitions, each of which
// has to keep its value.
#include <gtest/gtest.h>

#include <random>

#include "readable.h"

namespace smem {
namespace {

constexpr unsigned kSeed = 20;

struct Sum {
  Symbols symbols;
  DimensionId n = quantity("n", 0), m = quantity("m", 0), any = quantity("any", -(1 << 20)),
              gx = quantity("gridDim.x", 1), integer = quantity("integer", INT32_MIN, INT32_MAX);

  Sum() { symbols.symbolic = true; }

  DimensionId quantity(const char *name, Wide least, Wide most = 1 << 20, Wide modulus = 1) {
    Definition definition;
    definition.name = name;
    definition.range = {least, most};
    definition.modulus = modulus;
    return symbols.define(std::move(definition), 0);
  }
  static Linear of(DimensionId symbol, Wide factor = 1, Wide constant = 0) {
    Linear one;
    one.constant = constant;
    one.terms.emplace_back(symbol, factor);
    return one;
  }
  static Linear constant(Wide value) {
    Linear one;
    one.constant = value;
    return one;
  }
  DimensionId operation(Opcode opcode, Linear a, Linear b) {
    Definition definition;
    definition.kind = Definition::Kind::Operation;
    definition.opcode = opcode;
    definition.operands = {std::move(a), std::move(b)};
    return symbols.define(std::move(definition), 0);
  }
  DimensionId rest(DimensionId of, Wide divisor, Opcode opcode = Opcode::URem) {
    return operation(opcode, Sum::of(of), constant(divisor));
  }
  Linear ceil(Linear of, std::int64_t divisor) { return symbols.ceil_div(std::move(of), divisor, 0); }
  DimensionId at_least(DimensionId of, Wide value) {
    return symbols.condition(Definition::Kind::AtLeast0, Sum::of(of, 1, -value), 0);
  }
  DimensionId at_most(DimensionId of, Wide value) {
    return symbols.condition(Definition::Kind::AtLeast0, Sum::of(of, -1, value), 0);
  }
  DimensionId not_zero(Linear of) { return symbols.condition(Definition::Kind::NotZero, std::move(of), 0); }
  DimensionId zero(Linear of) { return symbols.condition(Definition::Kind::Zero, std::move(of), 0); }

  std::string text(const Polynomial &sum) { return to_string(*sum.formula(symbols)); }
  std::string readable_text(const Polynomial &sum) { return text(readable(sum, symbols)); }
};

Polynomial operator+(Polynomial a, const Polynomial &b) { return a.add(b); }
Polynomial times(DimensionId symbol, Wide factor = 1) { return Polynomial(Sum::of(symbol, factor)); }

TEST(Readable, AnUnrolledLoopThatBeginsLate) {
  Sum s;
  const DimensionId odd = s.rest(s.n, 2);
  Linear even = Sum::of(s.n);
  even.add(Sum::of(odd), -1);
  const Polynomial rounds =
      Polynomial(s.ceil(even, 2)) * Polynomial(2) + times(s.not_zero(Sum::of(odd))) + Polynomial(-8);
  const Polynomial sum = Polynomial(4) * times(s.gx) * rounds * times(s.at_least(s.n, 9));
  EXPECT_EQ(s.text(sum), "4*gridDim.x*(2*ceil((n - (n % 2))/2) + [n % 2 != 0] - 8)*[n >= 9]");
  EXPECT_EQ(s.readable_text(sum), "4*gridDim.x*max(n - 8, 0)");
}

TEST(Readable, WhatAnUnrolledLoopLeavesOver) {
  Sum s;
  for (const Opcode opcode : {Opcode::URem, Opcode::SRem}) {
    const Polynomial four = Polynomial(s.ceil(Sum::of(s.n, 1, -3), 4)) * Polynomial(4);
    EXPECT_EQ(s.readable_text(four + times(s.rest(s.n, 4, opcode))), "n");
  }
  const DimensionId mask = s.operation(Opcode::And, Sum::of(s.n), Sum::constant(3));
  const DimensionId whole = s.operation(Opcode::And, Sum::of(s.n), Sum::constant(-4));
  EXPECT_EQ(s.readable_text(times(whole) + times(mask)), "n");
  const DimensionId shift = s.operation(Opcode::LShr, Sum::of(s.n), Sum::constant(2));
  EXPECT_EQ(s.readable_text(times(shift, 4) + times(mask)), "n");
  EXPECT_EQ(s.readable_text(times(shift, 8) + times(mask, 3)), "3*n - 4*floor(n/4)");
}

TEST(Readable, ARestStepByStep) {
  Sum s;
  const DimensionId rest = s.rest(s.n, 4);
  const Polynomial steps =
      times(s.not_zero(Sum::of(rest))) + times(s.at_least(rest, 2)) + times(s.zero(Sum::of(rest, 1, -3)));
  EXPECT_EQ(s.readable_text(steps), "n % 4");
  EXPECT_EQ(s.readable_text(steps * times(s.gx, 5)), "5*gridDim.x*(n % 4)");
  const Polynomial two = times(s.not_zero(Sum::of(rest))) + times(s.at_least(rest, 2)); // one step is missing
  EXPECT_EQ(s.readable_text(two), "[n % 4 != 0] + [n % 4 >= 2]");
}

TEST(Readable, ConditionsThatMakeNoDifference) {
  Sum s;
  const DimensionId rest = s.rest(s.n, 4);
  EXPECT_EQ(s.readable_text(times(rest) * times(s.not_zero(Sum::of(rest)))), "n % 4");
  const DimensionId quarter = s.operation(Opcode::LShr, Sum::of(s.n), Sum::constant(2));
  EXPECT_EQ(s.readable_text(times(s.gx) * times(s.not_zero(Sum::of(quarter)))), "gridDim.x*[n >= 4]");
}

TEST(Readable, BoundsOfLoops) {
  Sum s;
  EXPECT_EQ(s.readable_text(Polynomial(Sum::of(s.n, 3, -24)) * times(s.at_least(s.n, 8))), "3*max(n - 8, 0)");
  EXPECT_EQ(s.readable_text(Polynomial(Sum::of(s.n, 1, -8)) * times(s.at_least(s.n, 10))),
            "(n - 8)*[n >= 10]"); // at 9 it is 0, not 1
  EXPECT_EQ(s.readable_text(Polynomial(Sum::of(s.any, -1, 5)) * times(s.at_most(s.any, 5))), "max(-any + 5, 0)");
  EXPECT_EQ(s.readable_text(Polynomial(8) * times(s.at_least(s.n, 8)) + times(s.n) * times(s.at_most(s.n, 7))),
            "min(n, 8)");
  EXPECT_EQ(s.readable_text(Polynomial(s.ceil(Sum::of(s.any), 32)) * times(s.at_least(s.any, 1))),
            "max(ceil(any/32), 0)");
}

TEST(Readable, RoundsOfRounds) {
  Sum s;
  // Tiles of 64, at least one, in an unrolled loop of four and what is left over; the count as the compiler has it, in 25 bits.
  const DimensionId size = s.quantity("size", INT32_MIN, INT32_MAX);
  const DimensionId whole = s.operation(Opcode::LShr, Sum::of(size, 1, 63), Sum::constant(6));
  const DimensionId tiles = s.operation(Opcode::SMax, Sum::of(whole), Sum::constant(1));
  const DimensionId rest = s.rest(tiles, 4);
  Linear fours = Sum::of(s.rest(tiles, 1 << 25));
  fours.add(Sum::of(rest), -1);
  const Linear rounds = s.symbols.extreme(Opcode::SMax, Linear(s.ceil(fours, 4)).add(Sum::constant(-1)), {});
  const Polynomial unrolled = (Polynomial(rounds) + Polynomial(1)) * Polynomial(4) * times(s.at_least(size, 193));
  const Polynomial left_over = times(rest) * times(s.not_zero(Sum::of(rest))) * times(s.at_least(size, 1));
  EXPECT_EQ(s.readable_text(unrolled), "4*max(ceil((size - 192)/256), 0)");
  EXPECT_EQ(s.readable_text(unrolled + left_over), "max(ceil(size/64), 0)");
  EXPECT_TRUE(s.symbols.domain_used) << "size + 63 is presumed not to overflow";
}

TEST(Readable, ARestInTwoWidths) {
  Sum s;
  const DimensionId tiles = s.operation(Opcode::SMax, s.ceil(Sum::of(s.n), 256), Sum::constant(1));
  const DimensionId rest = s.rest(tiles, 4);
  Definition wide = *s.symbols[rest].definition;
  wide.width = wide.operand_width = 64;
  wide.opcode = Opcode::SRem; // the same value, another symbol
  const DimensionId other = s.symbols.define(wide, 0);
  const Polynomial some = times(s.not_zero(Sum::of(rest))) * times(s.at_least(s.n, 1));
  const Linear more = s.symbols.extreme(Opcode::SMax, Sum::of(other, 1, -1), {});
  EXPECT_EQ(s.readable_text((Polynomial(more) + Polynomial(1)) * some), "ceil(n/256) % 4");
  const Polynomial fours = Polynomial(s.ceil(Sum::of(s.n, 1, -768), 1024)) * Polynomial(4);
  EXPECT_EQ(s.readable_text((Polynomial(more) + Polynomial(1)) * some + fours), "ceil(n/256)");
}

TEST(Readable, ABoundThatAnotherImplies) {
  Sum s;
  const Polynomial few = times(s.not_zero(Sum::of(s.n))) * times(s.at_most(s.n, 255));
  EXPECT_EQ(s.readable_text(few * times(s.at_most(s.n, 4095)) * times(s.gx)), "gridDim.x*[n != 0]*[n <= 255]");
}

TEST(Readable, TowardsZeroWhereItMayBeNegative) {
  Sum s;
  const DimensionId half = s.operation(Opcode::SDiv, Sum::of(s.any), Sum::constant(2));
  EXPECT_EQ(s.readable_text(times(half, 3)), "3*trunc(any/2)");
  EXPECT_EQ(s.readable_text(times(half, 3) * times(s.at_least(s.any, 5))), "3*floor(any/2)*[any >= 5]");
}

/// Definitions on definitions, as loops have them: quotients, rests, bounds, conditions.
class Draw {
public:
  Draw(Sum &sum, std::mt19937 &dice) : sum(sum), dice(dice), pool{sum.n, sum.m, sum.any, sum.gx, sum.integer} {}

  unsigned one_of(unsigned count) { return static_cast<unsigned>(dice() % count); }
  Wide small() { return static_cast<Wide>(one_of(21)) - 10; }
  DimensionId any() { return pool[one_of(static_cast<unsigned>(pool.size()))]; }

  Linear linear() {
    Linear out = Sum::constant(one_of(2) ? small() : 0);
    out.add(Sum::of(any()), one_of(4) ? 1 : small());
    if (one_of(3) == 0)
      out.add(Sum::of(any()), one_of(2) ? -1 : small());
    return out;
  }

  void add_definition() {
    constexpr Wide kDivisors[] = {2, 3, 4, 7, 8, 32};
    const Wide divisor = kDivisors[one_of(6)];
    switch (one_of(12)) {
    case 0: return keep(sum.operation(Opcode::URem, linear(), Sum::constant(divisor)));
    case 1: return keep(sum.operation(Opcode::SRem, linear(), Sum::constant(divisor)));
    case 2: return keep(sum.operation(Opcode::And, linear(), Sum::constant(one_of(2) ? 3 : -4)));
    case 3: return keep(sum.operation(one_of(2) ? Opcode::UDiv : Opcode::SDiv, linear(), Sum::constant(divisor)));
    case 4: return keep(sum.operation(one_of(2) ? Opcode::LShr : Opcode::AShr, linear(), Sum::constant(1 + one_of(4))));
    case 5: return keep(sum.operation(one_of(2) ? Opcode::SMin : Opcode::UMax, linear(), linear()));
    case 6: {
      const DimensionId of = any(); // without its rest, then divided
      const DimensionId rest =
          sum.operation(one_of(2) ? Opcode::URem : Opcode::SRem, Sum::of(of), Sum::constant(divisor));
      pool.push_back(rest);
      Linear whole = Sum::of(of);
      whole.add(Sum::of(rest), -1);
      return keep(sum.ceil(whole, static_cast<std::int64_t>(divisor)));
    }
    case 7: return keep(sum.ceil(linear(), static_cast<std::int64_t>(divisor)));
    case 8: return keep(sum.not_zero(linear()));
    case 9: return keep(sum.zero(linear()));
    default: return keep(sum.symbols.condition(Definition::Kind::AtLeast0, linear(), 0));
    }
  }

  Polynomial polynomial() {
    Polynomial out;
    const Polynomial shared = one_of(2) ? times(any()) : Polynomial(1);
    for (unsigned terms = 1 + one_of(4); terms-- > 0;) {
      Polynomial product(small());
      for (unsigned factors = one_of(3); factors-- > 0;)
        product = product * times(any());
      out.add(product * shared);
    }
    return out;
  }

private:
  void keep(DimensionId symbol) { pool.push_back(symbol); }
  void keep(const Linear &linear) {
    for (const auto &[symbol, coefficient] : linear.terms)
      pool.push_back(symbol);
  }

  Sum &sum;
  std::mt19937 &dice;
  std::vector<DimensionId> pool;
};

TEST(Readable, KeepsTheValueOfRandomSums) {
  constexpr unsigned kSums = 3000, kPoints = 60;
  std::mt19937 dice(kSeed);
  std::size_t compared = 0, changed = 0;
  for (unsigned i = 0; i < kSums; ++i) {
    Sum sum;
    Draw draw(sum, dice);
    for (unsigned definitions = 2 + draw.one_of(8); definitions-- > 0;)
      draw.add_definition();
    const Polynomial original = draw.polynomial();
    const Polynomial other = readable(original, sum.symbols);
    Polynomial simplified = original;
    simplified.simplify(sum.symbols);
    changed += sum.text(simplified) != sum.text(other);
    EXPECT_LE(sum.text(other).size(), sum.text(simplified).size());
    for (unsigned point = 0; point < kPoints; ++point) {
      const auto value = [&](Wide least) {
        return least + static_cast<Wide>(draw.one_of(4) ? draw.one_of(40) : draw.one_of(100'000));
      };
      // Near 0 and where nothing that is computed overflows: formulas presume that.
      const auto extreme = [&] {
        const Wide near[] = {-(1 << 26), 1 << 26, 0};
        const Wide wanted = near[draw.one_of(3)] + draw.small() * (draw.one_of(2) ? 1 : 1000);
        return wanted;
      };
      const Symbols::Assignment at{{sum.n, value(0)},
                                   {sum.m, value(0)},
                                   {sum.any, value(draw.one_of(2) ? -20 : -100'000)},
                                   {sum.gx, value(1)},
                                   {sum.integer, extreme()}};
      const auto before = original.evaluate(sum.symbols, at), after = other.evaluate(sum.symbols, at);
      if (!before)
        continue;
      ++compared;
      ASSERT_TRUE(after);
      ASSERT_TRUE(*before == *after) << sum.text(original) << "  is not  " << sum.text(other)
                                     << "  at n=" << static_cast<long>(at.at(sum.n))
                                     << " m=" << static_cast<long>(at.at(sum.m))
                                     << " any=" << static_cast<long>(at.at(sum.any))
                                     << " integer=" << static_cast<long>(at.at(sum.integer));
    }
  }
  EXPECT_GT(compared, kSums * kPoints * 9 / 10);
  EXPECT_GT(changed, kSums / 10);
}

} // namespace
} // namespace smem
