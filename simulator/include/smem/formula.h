// Counts of a launch as a formula in what nobody knows of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace smem {

/// A sum of products. A factor is text in this grammar, integers throughout:
///
///     n  gridDim.x  in+16            a parameter by its name, an extent of the grid, the field at that byte of a structure
///     a + b  a - b  a*b  a % b       floor(a/b)  ceil(a/b)  trunc(a/b)  min(a, b)  max(a, b)  select(c, a, b)  a & b …
///     [a >= b]  [a == b]  [a != b]   1 if that holds, else 0
struct Formula {
  struct Term {
    std::int64_t coefficient = 0;
    std::vector<std::string> factors; ///< sorted

    bool operator==(const Term &) const = default;
  };
  std::vector<Term> terms; ///< sorted by factors, no zero coefficients

  Formula() = default;
  explicit Formula(std::int64_t constant) { add({constant, {}}); }

  void add(Term term);
  Formula &operator+=(const Formula &other);
  bool constant() const { return terms.empty() || (terms.size() == 1 && terms[0].factors.empty()); }
  bool operator==(const Formula &) const = default;
};

/// `8*ceil(n/32)*gridDim.x`; common factors are taken out. "0" for an empty sum.
std::string to_string(const Formula &formula);

} // namespace smem
