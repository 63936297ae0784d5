#include "host/terms.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <llvm/ADT/BitVector.h>

namespace smem {

namespace {

constexpr std::size_t kMostTerms = 1 << 16;
constexpr unsigned kMostRounds = 12;         ///< of changing one quantity
constexpr std::size_t kMostCandidates = 400; ///< for one quantity in a round
constexpr std::uint64_t kMostWork = 800'000; ///< steps for one solution: terms evaluated, values weighed
constexpr Wide kMostModulus = 1 << 20;

/// As an integer of the type: conversions and overflow wrap.
Wide wrapped(Wide value, TermType type) {
  if (type.width >= 65)
    return value;
  const Wide modulus = Wide{1} << type.width;
  value &= modulus - 1;
  return !type.is_unsigned && value >= modulus / 2 ? value - modulus : value;
}

/// Of both; of the first where that would be too large.
Wide common_multiple(Wide a, Wide b) {
  const Wide both = std::lcm(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
  return both <= kMostModulus ? both : a;
}

/// Nearly all numbers are of the machine's width, which divides several times as fast.
bool is_narrow(Wide a, Wide b) {
  return static_cast<std::int64_t>(a) == a && static_cast<std::int64_t>(b) == b && b != 0 && b != -1;
}
Wide quotient(Wide a, Wide b) {
  return is_narrow(a, b) ? static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b) : a / b;
}
Wide remainder(Wide a, Wide b) {
  return is_narrow(a, b) ? static_cast<std::int64_t>(a) % static_cast<std::int64_t>(b) : a % b;
}

/// Sums and products of numbers of up to 128 bits, modulo 2^128; wrapped() takes the bits of their type.
__extension__ typedef unsigned __int128 UnsignedWide;
Wide sum(Wide a, Wide b) { return static_cast<Wide>(static_cast<UnsignedWide>(a) + static_cast<UnsignedWide>(b)); }
Wide difference(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<UnsignedWide>(a) - static_cast<UnsignedWide>(b));
}
Wide product(Wide a, Wide b) { return static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b)); }

std::optional<Wide> compute(clang::BinaryOperatorKind operation, Wide a, Wide b) {
  switch (operation) {
  case clang::BO_Add: return sum(a, b);
  case clang::BO_Sub: return difference(a, b);
  case clang::BO_Mul: return product(a, b);
  case clang::BO_Div: return b == 0 ? std::nullopt : std::optional(quotient(a, b));
  case clang::BO_Rem: return b == 0 ? std::nullopt : std::optional(remainder(a, b));
  case clang::BO_And: return a & b;
  case clang::BO_Or: return a | b;
  case clang::BO_Xor: return a ^ b;
  case clang::BO_Shl: return b < 0 || b > 63 ? std::nullopt : std::optional(product(a, Wide{1} << static_cast<int>(b)));
  case clang::BO_Shr: return b < 0 || b > 63 ? std::nullopt : std::optional(a >> static_cast<int>(b));
  case clang::BO_LT: return a < b;
  case clang::BO_GT: return a > b;
  case clang::BO_LE: return a <= b;
  case clang::BO_GE: return a >= b;
  case clang::BO_EQ: return a == b;
  case clang::BO_NE: return a != b;
  default: return std::nullopt;
  }
}

} // namespace

/// What the number is divided by, where that is a remainder and fixed; otherwise 1.
Wide Terms::Term::divisor() const {
  return operation == clang::BO_Rem && right.term == 0 && right.number > 1 && right.number < kMostModulus ? right.number
                                                                                                          : 1;
}

/// The terms below some conditions, each behind its operands, and their values.
struct Terms::Problem {
  std::vector<TermId> order;
  std::vector<std::optional<Wide>> values;                    ///< by term
  std::vector<std::size_t> quantities;                        ///< that occur
  std::vector<Wide> divisors;                                 ///< by term: a multiple of all that occur below it
  Wide modulus = 1;                                           ///< of all of them
  std::vector<llvm::BitVector> below;                         ///< by term: the quantities
  std::vector<std::vector<TermId>> affected;                  ///< by quantity: the terms that it occurs below, in order
  std::vector<std::pair<TermId, std::optional<Wide>>> before; ///< what change() has changed
  mutable unsigned inverted = 0;                              ///< operators that were undone for one condition

  Problem(const Terms &terms, std::span<const TermCondition> conditions)
      : values(terms.terms_.size() + 1), divisors(terms.terms_.size() + 1, 1) {
    std::vector<bool> seen(terms.terms_.size() + 1);
    std::vector<TermId> open;
    for (const TermCondition &condition : conditions)
      open.push_back(condition.term);
    while (!open.empty()) {
      const TermId id = open.back();
      open.pop_back();
      if (id == 0 || seen[id])
        continue;
      seen[id] = true;
      order.push_back(id);
      const Term &term = terms.at(id);
      if (term.kind == Kind::Leaf)
        quantities.push_back(term.quantity);
      open.push_back(term.left.term);
      open.push_back(term.right.term);
    }
    std::ranges::sort(order); // operands have smaller numbers
    for (const TermId id : order) {
      const Term &term = terms.at(id);
      divisors[id] =
          common_multiple(term.divisor(), common_multiple(divisors[term.left.term], divisors[term.right.term]));
      modulus = common_multiple(modulus, divisors[id]);
    }
    std::ranges::sort(quantities);
    quantities.erase(std::unique(quantities.begin(), quantities.end()), quantities.end());
    affected.resize(quantities.empty() ? 0 : quantities.back() + 1);
    below.resize(terms.terms_.size() + 1);
    for (const TermId id : order) {
      const Term &term = terms.at(id);
      llvm::BitVector &own = below[id];
      if (term.kind == Kind::Leaf) {
        own.resize(static_cast<unsigned>(affected.size()));
        own.set(static_cast<unsigned>(term.quantity));
      }
      own |= below[term.left.term];
      own |= below[term.right.term];
      for (const unsigned quantity : own.set_bits())
        affected[quantity].push_back(id);
    }
  }

  std::optional<Wide> of(const TermOperand &operand) const {
    return operand.term ? values[operand.term] : std::optional(operand.number);
  }

  void evaluate(const Terms &terms, std::span<const std::int64_t> numbers) {
    for (const TermId id : order)
      values[id] = value_of(terms, id, numbers);
  }

  /// The same after a change of one quantity, until restore().
  void change(const Terms &terms, std::span<const std::int64_t> numbers, std::size_t quantity) {
    for (const TermId id : affected[quantity])
      before.emplace_back(id, std::exchange(values[id], value_of(terms, id, numbers)));
  }
  void restore() {
    for (const auto &[id, value] : before)
      values[id] = value;
    before.clear();
  }

  std::optional<Wide> value_of(const Terms &terms, TermId id, std::span<const std::int64_t> numbers) const {
    const Term &term = terms.at(id);
    const std::optional<Wide> left = of(term.left), right = of(term.right);
    std::optional<Wide> value;
    if (term.kind == Kind::Leaf)
      value = numbers[term.quantity];
    else if (term.kind == Kind::Cast)
      value = left;
    else if (left && right)
      value = compute(term.operation, *left, *right);
    return value ? std::optional(wrapped(*value, term.type)) : std::nullopt;
  }

  /// How far a comparison is from what it should be, in bits; 0 for other conditions.
  unsigned distance(const Terms &terms, const TermCondition &condition) const {
    const Term &term = terms.at(condition.term);
    if (term.kind != Kind::Binary || !clang::BinaryOperator::isComparisonOp(term.operation))
      return 0;
    const std::optional<Wide> left = of(term.left), right = of(term.right);
    if (!left || !right)
      return 64;
    Wide apart = *left < *right ? *right - *left : *left - *right;
    unsigned bits = 0;
    for (; apart != 0 && bits < 64; apart /= 2)
      ++bits;
    return bits;
  }

  /// Those that share quantities with one that fails, directly or through others: the rest stays as it is, whatever makes these come true.
  std::vector<TermCondition> connected(std::span<const TermCondition> conditions) const {
    llvm::BitVector reached(static_cast<unsigned>(affected.size()));
    std::vector<bool> taken(conditions.size());
    for (std::size_t before = conditions.size(), now = 0; now != before;) {
      before = now;
      for (std::size_t i = 0; i < conditions.size(); ++i)
        if (!taken[i] && (fails(conditions[i]) || below[conditions[i].term].anyCommon(reached))) {
          taken[i] = true;
          reached |= below[conditions[i].term];
          ++now;
        }
    }
    std::vector<TermCondition> result;
    for (std::size_t i = 0; i < conditions.size(); ++i)
      if (taken[i])
        result.push_back(conditions[i]);
    return result;
  }

  bool fails(const TermCondition &condition) const {
    return !values[condition.term] || (*values[condition.term] != 0) != condition.holds;
  }
};

TermId Terms::add(const Term &term) {
  if (terms_.size() >= kMostTerms)
    return 0;
  terms_.push_back(term);
  return static_cast<TermId>(terms_.size());
}

TermId Terms::leaf(std::size_t quantity, TermType type) {
  return add({Kind::Leaf, clang::BO_Add, type, quantity, {}, {}});
}

TermId Terms::binary(clang::BinaryOperatorKind operation, const TermOperand &left, const TermOperand &right,
                     TermType type) {
  return left.term || right.term ? add({Kind::Binary, operation, type, 0, left, right}) : 0;
}

TermId Terms::cast(TermId operand, TermType type) {
  return operand ? add({Kind::Cast, clang::BO_Add, type, 0, {operand, 0}, {}}) : 0;
}

/// Values of single quantities that turn the operand into `target` while the others stay, as far as its operators can be undone.
void Terms::invert(const Problem &problem, const TermOperand &operand, Wide target,
                   std::vector<std::pair<std::size_t, Wide>> &out, unsigned depth) const {
  constexpr unsigned kMostDepth = 24, kMostInverted = 1024;
  if (operand.term == 0 || depth > kMostDepth || ++problem.inverted > kMostInverted)
    return;
  const Term &term = at(operand.term);
  if (term.kind == Kind::Leaf) {
    out.push_back({term.quantity, target});
    return;
  }
  const auto below = [&](const TermOperand &each, Wide value) { invert(problem, each, value, out, depth + 1); };
  if (term.kind == Kind::Cast)
    return below(term.left, target);
  const std::optional<Wide> left = problem.of(term.left), right = problem.of(term.right);
  if (!left || !right) { // a division by zero: by anything else
    below(term.right, 1);
    below(term.right, 32);
    return;
  }
  const Wide a = *left, b = *right;
  switch (term.operation) {
  case clang::BO_Add:
    below(term.left, target - b);
    below(term.right, target - a);
    below(term.left, target); // and the other none
    below(term.right, target);
    break;
  case clang::BO_Sub:
    below(term.left, target + b);
    below(term.right, a - target);
    break;
  case clang::BO_Mul:
    if (b != 0)
      below(term.left, target / b);
    if (a != 0)
      below(term.right, target / a);
    break;
  case clang::BO_Div:
    below(term.left, target * b);
    below(term.left, target * b + b - 1);
    if (target != 0) {
      below(term.right, a / target);
      if (target + 1 != 0)
        below(term.right, a / (target + 1) + 1);
    }
    break;
  case clang::BO_Rem:
    if (b != 0) {
      below(term.left, a - a % b + target);
      below(term.left, a - a % b + b + target);
      below(term.left, target);
      below(term.left, b + target);
    }
    if (a != target) // divisors of the difference
      for (const Wide by : {1, 2, 3, 4, 8, 16, 32})
        if ((a - target) % by == 0)
          below(term.right, (a - target) / by);
    below(term.right, 1);
    break;
  case clang::BO_And:
    below(term.left, (a & ~b) | target);
    below(term.left, target);
    below(term.right, (b & ~a) | target);
    break;
  case clang::BO_Or:
  case clang::BO_Xor:
    below(term.left, target ^ b);
    below(term.right, target ^ a);
    break;
  case clang::BO_Shl:
    if (b >= 0 && b < 63)
      below(term.left, target >> static_cast<int>(b));
    break;
  case clang::BO_Shr:
    if (b >= 0 && b < 63)
      below(term.left, target << static_cast<int>(b));
    break;
  default: // a condition as a number
    aim(problem, {operand.term, target != 0}, out);
  }
}

/// Values of single quantities under which the condition comes true.
void Terms::aim(const Problem &problem, const TermCondition &condition,
                std::vector<std::pair<std::size_t, Wide>> &out) const {
  const Term &term = at(condition.term);
  if (term.kind != Kind::Binary || !clang::BinaryOperator::isComparisonOp(term.operation)) {
    invert(problem, {condition.term, 0}, condition.holds ? 1 : 0, out, 0);
    return;
  }
  const std::optional<Wide> left = problem.of(term.left), right = problem.of(term.right);
  if (!left || !right) {
    invert(problem, left ? term.right : term.left, 1, out, 0);
    return;
  }
  const auto operation = condition.holds ? term.operation : clang::BinaryOperator::negateComparisonOp(term.operation);
  const auto both = [&](std::initializer_list<Wide> of_left, std::initializer_list<Wide> of_right) {
    for (const Wide by : of_left)
      invert(problem, term.left, by, out, 0);
    for (const Wide by : of_right)
      invert(problem, term.right, by, out, 0);
  };
  const Wide a = *left, b = *right;
  switch (operation) {
  case clang::BO_EQ: both({b}, {a}); break;
  case clang::BO_NE: both({b + 1, b - 1, 2 * b, b / 2}, {a + 1, a - 1}); break;
  case clang::BO_LT: both({b - 1, b / 2, 1, 0}, {a + 1, 2 * a}); break;
  case clang::BO_LE: both({b, b / 2, 1, 0}, {a, 2 * a}); break;
  case clang::BO_GT: both({b + 1, 2 * b}, {a - 1, a / 2, 1, 0}); break;
  case clang::BO_GE: both({b, 2 * b}, {a, a / 2, 1, 0}); break;
  default: break;
  }
}

/// One quantity at a time is set to the value that mends a condition, or brings all nearer, and under which the fewest fail: their bounds, and
/// what is nearest to them with the remainders that they ask for. A value that mends nothing may be needed where two have to change together.
std::optional<std::vector<std::int64_t>> Terms::solve_with(std::span<const TermCondition> conditions,
                                                           std::span<const std::int64_t> now, Admit admit,
                                                           const void *function, std::uint64_t &work) const {
  Problem problem(*this, conditions);
  std::vector<std::int64_t> numbers(now.begin(), now.end());
  const std::uint64_t end = work + kMostWork;
  const auto count_failures = [&] {
    return std::ranges::count_if(conditions, [&](const TermCondition &condition) { return problem.fails(condition); });
  };
  const auto failures = [&] {
    work += problem.order.size();
    problem.evaluate(*this, numbers);
    return count_failures();
  };
  std::set<std::vector<std::int64_t>> visited;
  auto failing = failures();
  if (const std::vector<TermCondition> related = problem.connected(conditions);
      failing > 0 && related.size() < conditions.size())
    return solve_with(related, now, admit, function, work);
  for (unsigned round = 0; failing > 0 && round < kMostRounds && work < end; ++round) {
    visited.insert(numbers);
    std::vector<std::pair<std::size_t, Wide>> wanted;
    const auto aim_at = [&](const TermCondition &condition) {
      problem.inverted = 0;
      if (work < end)
        aim(problem, condition, wanted);
      work += problem.inverted;
    };
    for (const TermCondition &condition : conditions)
      if (problem.fails(condition))
        aim_at(condition);
    const auto bounds = wanted.size();
    // Other conditions bound the same quantities, and divide them.
    for (const TermCondition &condition : conditions)
      if (!problem.fails(condition)) {
        aim_at({condition.term, !condition.holds});
        aim_at(condition);
      }
    std::vector<std::pair<std::size_t, std::int64_t>> candidates;
    std::set<std::pair<std::size_t, std::int64_t>> known;
    const auto add = [&](std::size_t quantity, Wide value) {
      ++work;
      if (value > INT64_MAX || value < INT64_MIN || static_cast<std::int64_t>(value) == numbers[quantity] ||
          !admit(function, quantity, static_cast<std::int64_t>(value)))
        return;
      const std::pair candidate{quantity, static_cast<std::int64_t>(value)};
      if (candidates.size() < kMostCandidates * problem.quantities.size() && known.insert(candidate).second)
        candidates.push_back(candidate);
    };
    // Remainders that are right already stay so in steps of their divisors.
    Wide step = 1;
    for (const TermCondition &condition : conditions)
      if (!problem.fails(condition))
        step = common_multiple(step, problem.divisors[condition.term]);
    for (std::size_t i = 0; i < wanted.size() && work < end; ++i) {
      const auto &[quantity, value] = wanted[i];
      for (const Wide by : {0, -1, 1})
        add(quantity, value + by);
      if (problem.modulus > 1)
        for (const Wide by : {0, 1, -1}) {
          const Wide down =
              value - ((value % problem.modulus) + problem.modulus) % problem.modulus + by * problem.modulus;
          add(quantity, down);
        }
      // Remainders that are not: each value of a period once.
      constexpr Wide kMostSteps = 96;
      if (i < bounds && problem.modulus > 1)
        for (Wide k = 1; k <= std::min(problem.modulus / step, kMostSteps); ++k)
          for (const Wide from : {value, Wide{numbers[quantity]}})
            add(quantity, from + k * step), add(quantity, from - k * step);
    }
    std::vector<const TermCondition *> broken;
    for (const TermCondition &condition : conditions)
      if (problem.fails(condition))
        broken.push_back(&condition);
    struct Outcome {
      bool mends_none, unsound;
      std::ptrdiff_t failing;
      unsigned distance;
    };
    const auto better = [](const Outcome &a, const Outcome &b) {
      return std::tie(a.mends_none, a.failing, a.unsound, a.distance) <
             std::tie(b.mends_none, b.failing, b.unsound, b.distance);
    };
    std::optional<std::pair<std::size_t, std::int64_t>> best;
    Outcome best_outcome{};
    for (const auto &[quantity, value] : candidates) {
      if (work >= end)
        break;
      const std::int64_t before = std::exchange(numbers[quantity], value);
      if (!visited.contains(numbers)) {
        work += problem.order.size();
        problem.change(*this, numbers, quantity);
        Outcome outcome{true, value < 0, count_failures(), 0};
        for (const TermCondition *condition : broken) {
          outcome.mends_none &= problem.fails(*condition);
          outcome.distance += problem.fails(*condition) ? problem.distance(*this, *condition) : 0;
        }
        if (!best || better(outcome, best_outcome)) {
          best = {quantity, value};
          best_outcome = outcome;
        }
        problem.restore();
      }
      numbers[quantity] = before;
      if (best && best_outcome.failing == 0 && !best_outcome.unsound)
        break;
    }
    if (!best)
      return std::nullopt;
    numbers[best->first] = best->second;
    failing = failures();
  }
  return failing == 0 ? std::optional(numbers) : std::nullopt;
}

} // namespace smem
