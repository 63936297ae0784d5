#include "polynomial.h"

#include <algorithm>
#include <tuple>

namespace smem {
namespace {

constexpr Wide kFewValues = 64; ///< of a quantity, tried one by one

bool is_condition(DimensionId symbol, const Symbols &symbols) {
  const auto &definition = symbols[symbol].definition;
  return definition && (definition->kind == Definition::Kind::AtLeast0 || definition->kind == Definition::Kind::Zero ||
                        definition->kind == Definition::Kind::NotZero);
}

} // namespace

Polynomial::Polynomial(const Linear &linear) {
  add_term({}, linear.constant);
  for (const auto &[symbol, coefficient] : linear.terms)
    add_term({symbol}, coefficient);
}

void Polynomial::add_term(const Product &product, Wide coefficient) {
  if (coefficient == 0)
    return;
  const auto [entry, fresh] = terms_.try_emplace(product, coefficient);
  if (!fresh && (entry->second += coefficient) == 0)
    terms_.erase(entry);
}

Polynomial &Polynomial::add(const Polynomial &other, Wide factor) {
  for (const auto &[product, coefficient] : other.terms_)
    add_term(product, coefficient * factor);
  return *this;
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial out;
  for (const auto &[a, x] : terms_)
    for (const auto &[b, y] : other.terms_) {
      Product both;
      std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      out.add_term(both, x * y);
    }
  return out;
}

/// Whether all that is left is 0 where the quantity has this value, whatever the other quantities are.
bool Polynomial::vanishes(const Symbols &symbols, DimensionId quantity, Wide value) const {
  Polynomial left;
  const Symbols::Assignment given{{quantity, value}};
  for (const auto &[product, coefficient] : terms_) {
    Wide known = coefficient;
    Product rest;
    for (const DimensionId factor : product) {
      std::vector<DimensionId> on;
      symbols.quantities(factor, on);
      if (std::find(on.begin(), on.end(), quantity) == on.end()) {
        rest.push_back(factor);
        continue;
      }
      const auto own = symbols.evaluate(factor, given);
      if (!own)
        return false;
      known *= *own;
    }
    left.add_term(rest, known);
  }
  return left.terms_.empty();
}

bool Polynomial::join_rounds(const Symbols &symbols) {
  // The product with the quotient, by divisor, dividend without its constant and what else is in the product; then by what its dividend lacks.
  // A product is in one family at most.
  std::map<std::tuple<std::int64_t, std::vector<std::pair<DimensionId, Wide>>, Product>, std::map<Wide, Product>>
      families;
  for (const auto &[product, coefficient] : terms_)
    for (const DimensionId factor : product) {
      const auto &definition = symbols[factor].definition;
      if (definition->kind != Definition::Kind::CeilDiv)
        continue;
      if (static_cast<std::uint64_t>(definition->divisor) > terms_.size())
        break; // some round is missing
      Product others = product;
      others.erase(std::find(others.begin(), others.end(), factor));
      families[{definition->divisor, definition->operands[0].terms, std::move(others)}]
              [-definition->operands[0].constant] = product;
      break;
    }
  bool joined = false;
  for (const auto &[family, rounds] : families) {
    const auto &[divisor, dividend, others] = family;
    if (rounds.size() != static_cast<std::size_t>(divisor))
      continue;
    Wide common = 0; // of the coefficients as they are now: a family joined before may have changed them
    for (bool first = true; const auto &[left_out, product] : rounds) {
      const auto term = terms_.find(product);
      const Wide own = term == terms_.end() ? 0 : term->second;
      if (first)
        common = own;
      else if ((own > 0) != (common > 0))
        common = 0;
      else if (common > 0 ? own < common : own > common)
        common = own;
      first = false;
      if (common == 0)
        break;
    }
    if (common == 0)
      continue;
    for (const auto &[left_out, product] : rounds)
      add_term(product, -common);
    Linear whole;
    whole.terms = dividend;
    Polynomial rest;
    rest.add_term(others, common);
    add(rest * Polynomial(whole));
    joined = true;
  }
  return joined;
}

void Polynomial::simplify(const Symbols &symbols) {
  while (join_rounds(symbols)) {}
  for (bool changed = true; changed;) {
    changed = false;
    // Terms under the same conditions belong together.
    std::map<Gates, Polynomial> groups;
    for (const auto &[product, coefficient] : terms_) {
      Gates gates;
      Product rest;
      for (const DimensionId factor : product) {
        if (!is_condition(factor, symbols))
          rest.push_back(factor);
        else if (gates.empty() || gates.back() != factor)
          gates.push_back(factor); // a condition's square is itself
      }
      groups[gates].add_term(rest, coefficient);
    }
    std::map<Gates, Polynomial> simpler;
    for (auto &[gates, sum] : groups) {
      Gates kept = gates;
      for (const DimensionId gate : gates) {
        const Definition &holds = *symbols[gate].definition;
        std::vector<DimensionId> on;
        symbols.quantities(gate, on);
        if (on.size() != 1 || symbols[on[0]].definition->range.least < -kFewValues)
          continue;
        Gates others = kept;
        std::erase(others, gate);
        // The values at which it fails while the others hold: those below a bound, or a few single ones.
        const Range whole = symbols[on[0]].definition->range;
        const Wide modulus = symbols[on[0]].definition->modulus;
        bool zero = true, ended = false;
        for (Wide step = 0; step < kFewValues && zero && !ended; ++step) {
          const Wide value = (whole.least + modulus - 1) / modulus * modulus + step * modulus;
          if (value > whole.most) {
            ended = true;
            break;
          }
          const Symbols::Assignment at{{on[0], value}};
          const auto own = symbols.evaluate(gate, at);
          if (!own) {
            zero = false;
            break;
          }
          if (*own != 0) {
            // From here on a lower bound holds for good.
            const Linear &tested = holds.operands[0];
            const bool rises =
                tested.terms.size() == 1 && tested.terms[0].second > 0 && symbols.rises(tested.terms[0].first, at);
            const auto left = symbols.evaluate(tested, at);
            ended = rises && (holds.kind == Definition::Kind::AtLeast0 ||
                              (holds.kind == Definition::Kind::NotZero && left && *left > 0));
            continue;
          }
          const bool elsewhere = std::any_of(others.begin(), others.end(),
                                             [&](DimensionId other) { return symbols.evaluate(other, at) == Wide{0}; });
          zero = elsewhere || sum.vanishes(symbols, on[0], value);
        }
        if (zero && ended) {
          kept = others;
          changed = true;
        }
      }
      simpler[kept].add(sum);
    }
    terms_.clear();
    for (const auto &[gates, sum] : simpler)
      for (const auto &[product, coefficient] : sum.terms_) {
        Product both = product;
        both.insert(both.end(), gates.begin(), gates.end());
        std::sort(both.begin(), both.end());
        add_term(both, coefficient);
      }
  }
}

std::optional<Formula> Polynomial::formula(Symbols &symbols) const {
  Formula out;
  for (const auto &[product, coefficient] : terms_) {
    if (coefficient > INT64_MAX || coefficient < -INT64_MAX)
      return std::nullopt;
    Formula::Term term;
    term.coefficient = static_cast<std::int64_t>(coefficient);
    Gates gates;
    for (const DimensionId factor : product)
      if (is_condition(factor, symbols))
        gates.push_back(factor);
    for (const DimensionId factor : product) {
      symbols.set_gates(is_condition(factor, symbols) ? Gates() : gates);
      term.factors.push_back(symbols.text(factor));
    }
    out.add(std::move(term));
  }
  symbols.set_gates({});
  return out;
}

std::optional<Wide> Polynomial::evaluate(const Symbols &symbols, const Symbols::Assignment &values) const {
  Wide sum = 0;
  for (const auto &[product, coefficient] : terms_) {
    Wide one = coefficient;
    for (const DimensionId factor : product) {
      const auto own = symbols.evaluate(factor, values);
      if (!own)
        return std::nullopt;
      one *= *own;
    }
    sum += one;
  }
  return sum;
}

} // namespace smem
