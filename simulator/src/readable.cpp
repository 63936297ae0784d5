#include "readable.h"

#include <algorithm>
#include <functional>

#include "smem/integer_division.h"
#include "rewriting.h"

namespace smem {
namespace {

using Kind = Definition::Kind;

constexpr std::size_t kMostTerms = 64;    ///< longer sums are printed in no form
constexpr std::size_t kMostProducts = 64; ///< of one term, written out
constexpr unsigned kMostRounds = 4;       ///< of all steps
constexpr Wide kFewSteps = 16;            ///< of what an unrolled loop leaves over

/// Leaves no gates behind.
struct GatesGuard {
  Rewriting &rewriting;
  ~GatesGuard() { rewriting.set_gates({}); }
};

/// Conditions and other factors of a product.
std::pair<Gates, Polynomial::Product> apart(const Polynomial::Product &product, const Rewriting &rewriting) {
  std::pair<Gates, Polynomial::Product> out;
  for (const DimensionId factor : product)
    if (!rewriting.condition(factor))
      out.second.push_back(factor);
    else if (std::find(out.first.begin(), out.first.end(), factor) == out.first.end())
      out.first.push_back(factor);
  return out;
}

/// Each factor of each product rewritten, conditions one after the other: none is used to decide itself.
std::optional<Polynomial> with_factors(const Polynomial &sum, Rewriting &rewriting, bool quotients) {
  Polynomial out;
  GatesGuard guard{rewriting};
  for (const auto &[product, coefficient] : sum.terms()) {
    auto [gates, rest] = apart(product, rewriting);
    Polynomial one(coefficient);
    for (std::size_t i = 0; i < gates.size();) {
      Gates others = gates;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      rewriting.set_gates(others);
      const Linear value = rewriting.decided(gates[i]);
      if (value.constant == 0 && value.terms.size() == 1 && value.terms[0].second == 1 &&
          rewriting.condition(value.terms[0].first)) {
        gates[i++] = value.terms[0].first;
        continue;
      }
      gates = std::move(others);
      one = one * Polynomial(value);
      i = 0; // fewer conditions hold for the others
      if (one.size() > kMostProducts)
        return std::nullopt;
    }
    rewriting.set_gates(gates);
    for (const DimensionId factor : rest)
      one = one * Polynomial(just(factor));
    Polynomial again;
    for (const auto &[own, times] : one.terms()) {
      Polynomial each(times);
      for (const DimensionId factor : own)
        each = each * Polynomial(rewriting.condition(factor) ? just(factor)
                                 : quotients                 ? rewriting.plain(factor)
                                                             : rewriting.settled(factor));
      again.add(each);
      if (again.size() > kMostProducts)
        return std::nullopt;
    }
    for (const DimensionId gate : gates)
      again = again * Polynomial(just(gate));
    out.add(again);
  }
  return out;
}

/// The condition fails only where the factor is 0.
bool idle(const Definition &gate, DimensionId factor, Rewriting &rewriting) {
  const Linear &tested = gate.operands[0];
  if (gate.kind == Kind::NotZero)
    return rewriting.equal(tested, just(factor)) || rewriting.equal(tested, just(factor, -1));
  if (gate.kind != Kind::AtLeast0)
    return false;
  Linear from_one = just(factor);
  from_one.constant = -1;
  const auto range = rewriting.symbols().range(factor);
  if (!range || range->least < 0 || !rewriting.equal(tested, from_one))
    return false;
  rewriting.symbols().note_decision(just(factor));
  return true;
}

/// y * [y != 0] is y.
Polynomial without_idle_conditions(const Polynomial &sum, Rewriting &rewriting) {
  Polynomial out;
  for (const auto &[product, coefficient] : sum.terms()) {
    Polynomial::Product kept;
    for (const DimensionId factor : product)
      if (!rewriting.condition(factor) || std::none_of(product.begin(), product.end(), [&](DimensionId other) {
            return !rewriting.condition(other) && idle(rewriting.of(factor), other, rewriting);
          }))
        kept.push_back(factor);
    out.add_term(kept, coefficient);
  }
  return out;
}

/// [y >= 1] + [y >= 2] + ... up to the most that y can be is y.
Polynomial with_joined_steps(const Polynomial &sum, Rewriting &rewriting) {
  Polynomial out = sum;
  Symbols &symbols = rewriting.symbols();
  // [y != 0] is [y >= 1], and [y == most] is [y >= most].
  struct Step {
    DimensionId of;
    Wide from;
  };
  const auto step_of = [&](DimensionId gate) -> std::optional<Step> {
    const Definition &definition = rewriting.of(gate);
    const Linear &tested = definition.operands[0];
    if (tested.terms.size() != 1 || tested.terms[0].second != 1 ||
        rewriting.of(tested.terms[0].first).kind == Kind::Quantity)
      return std::nullopt;
    const DimensionId of = tested.terms[0].first;
    const auto range = symbols.range(of);
    if (!range || range->least != 0 || range->most > kFewSteps)
      return std::nullopt;
    switch (definition.kind) {
    case Kind::AtLeast0: return Step{of, -tested.constant};
    case Kind::NotZero:
      if (tested.constant == 0)
        return Step{of, 1};
      break;
    case Kind::Zero:
      if (-tested.constant == range->most)
        return Step{of, range->most};
      break;
    default: break;
    }
    return std::nullopt;
  };
  std::map<std::pair<DimensionId, Polynomial::Product>, std::map<Wide, Polynomial::Product>> families;
  for (const auto &[product, coefficient] : sum.terms())
    for (const DimensionId factor : product) {
      if (!rewriting.condition(factor))
        continue;
      if (const auto step = step_of(factor)) {
        Polynomial::Product others = product;
        others.erase(std::find(others.begin(), others.end(), factor));
        families[{step->of, std::move(others)}][step->from] = product;
        break; // a product is in one family at most
      }
    }
  for (const auto &[family, steps] : families) {
    const auto &[of, others] = family;
    const auto most = static_cast<std::size_t>(symbols.range(of)->most);
    if (most < 2 || steps.size() != most || steps.begin()->first != 1)
      continue;
    Wide common = 0;
    for (bool first = true; const auto &[from, product] : steps) {
      const Wide own = sum.terms().at(product);
      common = first ? own : (own > 0) != (common > 0) ? 0 : common > 0 ? std::min(own, common) : std::max(own, common);
      first = false;
      if (common == 0)
        break;
    }
    if (common == 0)
      continue;
    symbols.note_decision(just(of));
    for (const auto &[from, product] : steps)
      out.add_term(product, -common);
    Polynomial::Product whole = others;
    whole.insert(std::upper_bound(whole.begin(), whole.end(), of), of);
    out.add_term(whole, common);
  }
  return out;
}

/// The products that have the condition, by what else is in them: each a linear expression in the rest, if it is one.
std::map<Polynomial::Product, Linear> under(DimensionId gate, const Polynomial &sum, Rewriting &rewriting,
                                            const std::vector<DimensionId> &variables) {
  std::map<Polynomial::Product, Linear> out;
  for (const auto &[product, coefficient] : sum.terms()) {
    if (std::find(product.begin(), product.end(), gate) == product.end())
      continue;
    Polynomial::Product rest;
    std::optional<DimensionId> variable;
    for (const DimensionId factor : product) {
      if (factor == gate)
        continue;
      std::vector<DimensionId> on;
      if (!variable && !rewriting.condition(factor)) {
        rewriting.symbols().quantities(factor, on);
        if (std::any_of(on.begin(), on.end(), [&](DimensionId each) {
              return std::find(variables.begin(), variables.end(), each) != variables.end();
            })) {
          variable = factor;
          continue;
        }
      }
      rest.push_back(factor);
    }
    Linear &linear = out[rest];
    linear.add(variable ? just(*variable, coefficient) : number(coefficient));
  }
  return out;
}

/// size * (what is counted), the latter with a positive leading coefficient.
std::pair<Wide, Linear> divided(Linear linear) {
  Wide size = linear.terms.front().second < 0 ? -1 : 1, common = 0;
  for (const auto &[symbol, coefficient] : linear.terms)
    common = gcd_of(common, coefficient);
  common = gcd_of(common, linear.constant);
  size *= common;
  for (auto &[symbol, coefficient] : linear.terms)
    coefficient /= size;
  linear.constant /= size;
  return {size, std::move(linear)};
}

/// Whether counted * [tested >= 0] is max(counted, 0): it is 0 or less wherever the condition fails, and not where it holds.
bool clamps(const Linear &counted, const Linear &tested, const Rewriting &rewriting, const Symbols &symbols) {
  Linear apart = Linear(counted).add(tested, -1);
  if (apart.terms.empty()) { // counted is tested + e: the values next to 0 decide, which are `step` apart
    Linear moving = tested;
    moving.constant = 0;
    const Wide step = std::max<Wide>(1, symbols.multiple_of(moving)), e = apart.constant;
    const Wide below = tested.constant - step * floor_div(tested.constant, step) - step; // the largest negative value
    return below + e <= 0 && below + step + e >= 0;
  }
  // ceil(x / d) - b is 1 or more if x - b * d - 1 >= 0, and 0 or more if x - b * d + d - 1 >= 0.
  if (counted.terms.size() != 1 || counted.terms[0].second != 1 ||
      rewriting.of(counted.terms[0].first).kind != Kind::CeilDiv)
    return false;
  const Definition &quotient = rewriting.of(counted.terms[0].first);
  apart = Linear(tested).add(quotient.operands[0], -1);
  const Wide moved = apart.constant - counted.constant * quotient.divisor;
  return apart.terms.empty() && moved >= -1 && moved <= quotient.divisor - 1;
}

/// Iterations before a loop and after it: conditions become max(), and what max() leaves of a sum min().
Polynomial with_extremes(const Polynomial &sum, Rewriting &rewriting) {
  Symbols &symbols = rewriting.symbols();
  Polynomial out = sum;
  std::vector<DimensionId> gates;
  for (const auto &[product, coefficient] : sum.terms())
    for (const DimensionId factor : product)
      if (rewriting.condition(factor) && rewriting.of(factor).kind == Kind::AtLeast0 &&
          std::find(gates.begin(), gates.end(), factor) == gates.end())
        gates.push_back(factor);
  std::vector<DimensionId> made;
  for (const DimensionId gate : gates) {
    std::vector<DimensionId> variables;
    symbols.quantities(gate, variables);
    const Linear tested = rewriting.of(gate).operands[0];
    const auto replace = [&](const Polynomial::Product &rest, const Linear &linear) {
      auto [size, counted] = divided(linear);
      if (tested.terms.front().second < 0) {
        counted = Linear().add(counted, -1);
        size = -size;
      }
      if (!clamps(counted, tested, rewriting, symbols))
        return false;
      const Linear larger = rewriting.extreme(Opcode::SMax, counted, {});
      Polynomial others;
      others.add_term(rest, 1);
      out.add(Polynomial(linear) * others * Polynomial(just(gate)), -1);
      out.add(others * Polynomial(larger), size);
      if (larger.terms.size() == 1)
        made.push_back(larger.terms[0].first);
      return true;
    };
    for (const auto &[rest, linear] : under(gate, out, rewriting, variables)) {
      if (linear.terms.empty() || replace(rest, linear))
        continue;
      if (linear.terms.size() > 1)
        for (const auto &[symbol, coefficient] : linear.terms)
          replace(rest, just(symbol, coefficient));
    }
  }
  for (const DimensionId larger : made) {
    if (rewriting.of(larger).kind != Kind::Operation)
      continue;
    const Linear counted = rewriting.of(larger).operands[0];
    // rest * (S - max(S - b, 0)) is rest * min(S, b).
    const std::map<Polynomial::Product, Wide> terms = out.terms();
    for (const auto &[product, coefficient] : terms) {
      const auto at = std::find(product.begin(), product.end(), larger);
      if (at == product.end())
        continue;
      Polynomial::Product rest = product;
      rest.erase(rest.begin() + (at - product.begin()));
      Linear whole = counted;
      whole.constant = 0;
      Polynomial others;
      others.add_term(rest, 1);
      const Polynomial wanted = Polynomial(whole) * others;
      const bool there = std::all_of(wanted.terms().begin(), wanted.terms().end(), [&](const auto &term) {
        const auto found = out.terms().find(term.first);
        return found != out.terms().end() && found->second == -coefficient * term.second;
      });
      if (!there)
        continue;
      out.add(wanted, coefficient);
      out.add_term(product, -coefficient);
      out.add(others * Polynomial(rewriting.extreme(Opcode::SMin, whole, number(-counted.constant))), -coefficient);
    }
  }
  return out;
}

/// Of the text; what shares definitions so that it would be far longer written out has none.
std::size_t length(const Polynomial &sum, Symbols &symbols) {
  std::uint64_t parts = 0;
  for (const auto &[product, coefficient] : sum.terms())
    for (const DimensionId factor : product)
      parts += symbols[factor].parts;
  if (parts > kMostParts * kMostParts)
    return SIZE_MAX;
  const auto formula = sum.formula(symbols);
  return formula ? to_string(*formula).size() : SIZE_MAX;
}

} // namespace

Polynomial readable(Polynomial sum, Symbols &symbols) {
  symbols.set_gates({});
  sum.simplify(symbols);
  if (sum.size() > kMostTerms)
    return sum;
  Rewriting rewriting(symbols);
  const std::function<std::optional<Polynomial>(const Polynomial &)> steps[] = {
      [&](const Polynomial &one) { return with_joined_steps(one, rewriting); },
      [&](const Polynomial &one) { return with_factors(one, rewriting, false); },
      [&](const Polynomial &one) { return without_idle_conditions(one, rewriting); },
      [&](const Polynomial &one) { return with_factors(one, rewriting, true); },
      [&](const Polynomial &one) { return with_extremes(one, rewriting); },
      [&](const Polynomial &one) -> std::optional<Polynomial> {
        rewriting.opposites = true;
        const auto decided = with_factors(one, rewriting, true);
        rewriting.opposites = false;
        return decided ? std::optional(with_extremes(*decided, rewriting)) : std::nullopt;
      },
  };
  std::size_t least = length(sum, symbols);
  const auto shortens = [&](const auto &step) {
    const bool presumed = symbols.domain_used;
    std::optional<Polynomial> other = step(sum);
    symbols.set_gates({});
    if (other && other->size() <= kMostTerms) {
      other->simplify(symbols);
      if (const std::size_t own = length(*other, symbols); own < least) {
        sum = std::move(*other);
        least = own;
        return true;
      }
    }
    symbols.domain_used = presumed;
    return false;
  };
  bool shorter = true;
  for (unsigned round = 0; round < kMostRounds && shorter; ++round) {
    shorter = false;
    for (const auto &step : steps)
      shorter |= shortens(step);
  }
  rewriting.within_rests = true;
  shortens([&](const Polynomial &one) { return with_factors(one, rewriting, false); });
  return sum;
}

} // namespace smem
