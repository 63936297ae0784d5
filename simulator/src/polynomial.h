// Sums of products of symbols: how often something happens, before it is written as a formula.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "smem/formula.h"
#include "symbols.h"

namespace smem {

class Polynomial {
public:
  using Product = std::vector<DimensionId>; ///< sorted

  Polynomial() = default;
  explicit Polynomial(Wide constant) { add_term({}, constant); }
  explicit Polynomial(const Linear &linear);

  Polynomial &add(const Polynomial &other, Wide factor = 1);
  Polynomial operator*(const Polynomial &other) const;

  /// Conditions that make no difference are left out: where one of them fails, the rest is 0 anyway.
  void simplify(const Symbols &symbols);
  /// nullopt if a coefficient does not fit. Sets gates: a factor is written as it is where the product's conditions hold.
  std::optional<Formula> formula(Symbols &symbols) const;
  /// The value where quantities have the given values; nullopt where one is missing or the result is not defined.
  std::optional<Wide> evaluate(const Symbols &symbols, const Symbols::Assignment &values) const;

  void add_term(const Product &product, Wide coefficient);
  const std::map<Product, Wide> &terms() const { return terms_; }
  std::size_t size() const { return terms_.size(); }

private:
  /// ceil(x / 3) + ceil((x - 1) / 3) + ceil((x - 2) / 3) is x.
  bool join_rounds(const Symbols &symbols);
  bool vanishes(const Symbols &symbols, DimensionId quantity, Wide value) const;

  std::map<Product, Wide> terms_;
};

} // namespace smem
