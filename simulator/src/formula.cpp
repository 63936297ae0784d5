#include "smem/formula.h"

#include <algorithm>
#include <numeric>

#include "magnitude.h"

namespace smem {
namespace {

/// Names and functions first, conditions last.
bool before(const std::string &a, const std::string &b) {
  const bool first = a.starts_with('['), second = b.starts_with('[');
  return first != second ? second : a < b;
}

/// A factor as it may stand in a product.
std::string in_product(const std::string &factor) {
  int depth = 0;
  for (const char c : factor) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth == 0 && c == ' ')
      return std::string("(").append(factor).append(")");
  }
  return factor;
}

std::string product(std::uint64_t size, const std::vector<std::string> &factors) {
  if (factors.empty())
    return std::to_string(size);
  if (size == 1 && factors.size() == 1)
    return factors[0];
  std::string out = size == 1 ? "" : std::to_string(size);
  for (const std::string &factor : factors) {
    if (!out.empty())
      out += '*';
    out += in_product(factor);
  }
  return out;
}

} // namespace

void Formula::add(Term term) {
  if (term.coefficient == 0)
    return;
  std::sort(term.factors.begin(), term.factors.end(), before);
  const auto place = std::lower_bound(terms.begin(), terms.end(), term, [](const Term &a, const Term &b) {
    return a.factors.size() != b.factors.size() ? a.factors.size() > b.factors.size() : a.factors < b.factors;
  });
  if (place == terms.end() || place->factors != term.factors) {
    terms.insert(place, std::move(term));
  } else if ((place->coefficient += term.coefficient) == 0) {
    terms.erase(place);
  }
}

Formula &Formula::operator+=(const Formula &other) {
  for (const Term &term : other.terms)
    add(term);
  return *this;
}

std::string to_string(const Formula &formula) {
  if (formula.terms.empty())
    return "0";
  if (formula.terms.size() == 1) {
    const Formula::Term &only = formula.terms[0];
    return std::string(only.coefficient < 0 ? "-" : "") + product(magnitude(only.coefficient), only.factors);
  }
  // What all terms have in common stands before a sum in parentheses.
  std::vector<std::string> common = formula.terms[0].factors;
  std::uint64_t size = 0;
  for (const Formula::Term &term : formula.terms) {
    std::vector<std::string> both;
    std::set_intersection(common.begin(), common.end(), term.factors.begin(), term.factors.end(),
                          std::back_inserter(both), before);
    common = std::move(both);
    size = std::gcd(size, magnitude(term.coefficient));
  }
  std::string sum;
  for (const bool positive : {true, false})
    for (const Formula::Term &term : formula.terms) {
      if ((term.coefficient > 0) != positive)
        continue;
      std::vector<std::string> own;
      std::set_difference(term.factors.begin(), term.factors.end(), common.begin(), common.end(),
                          std::back_inserter(own), before);
      sum += sum.empty() ? (positive ? "" : "-") : positive ? " + " : " - ";
      sum += product(magnitude(term.coefficient) / size, own);
    }
  if (size == 1 && common.empty())
    return sum;
  std::vector<std::string> conditions;
  while (!common.empty() && common.back().starts_with('[')) {
    conditions.insert(conditions.begin(), common.back());
    common.pop_back();
  }
  std::string out = size == 1 && common.empty() ? "" : product(size, common) + "*";
  out.append("(").append(sum).append(")");
  for (const std::string &condition : conditions)
    out += "*" + condition;
  return out;
}

} // namespace smem
