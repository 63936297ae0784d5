// Integers of host code as expressions over what a scenario has chosen: what they would be under other values is computed, not tried.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <clang/AST/OperationKinds.h>

namespace smem {

__extension__ typedef __int128 Wide;

/// Of a Value: 0 where nothing but its number is known.
using TermId = std::uint32_t;

/// An operand: an expression, or a number where `term` is 0.
struct TermOperand {
  TermId term = 0;
  Wide number = 0;
};

/// The integer type of a result.
struct TermType {
  unsigned width = 32;
  bool is_unsigned = false;
};

/// A condition that should be true or false.
struct TermCondition {
  TermId term = 0;
  bool holds = true;
  bool operator==(const TermCondition &) const = default;
};

class Terms {
public:
  /// A quantity. Numbers are those of the scenario.
  TermId leaf(std::size_t quantity, TermType type);
  TermId binary(clang::BinaryOperatorKind operation, const TermOperand &left, const TermOperand &right, TermType type);
  TermId cast(TermId operand, TermType type);

  /// Values of all quantities under which the conditions come true, near to `now`; nullopt: none was found. `admits` says what values a
  /// quantity may have. Adds what was evaluated to `work`.
  template <class Admits> std::optional<std::vector<std::int64_t>> solve(std::span<const TermCondition> conditions,
                                                                         std::span<const std::int64_t> now,
                                                                         const Admits &admits,
                                                                         std::uint64_t &work) const {
    return solve_with(
        conditions, now,
        [](const void *function, std::size_t quantity, std::int64_t value) {
          return (*static_cast<const Admits *>(function))(quantity, value);
        },
        &admits, work);
  }

private:
  enum class Kind : std::uint8_t { Leaf, Binary, Cast };
  struct Term {
    Kind kind;
    clang::BinaryOperatorKind operation = clang::BO_Add;
    TermType type;
    std::size_t quantity = 0;
    TermOperand left, right;

    Wide divisor() const;
  };
  struct Problem; ///< conditions with the terms that they need
  using Admit = bool (*)(const void *function, std::size_t quantity, std::int64_t value);

  std::optional<std::vector<std::int64_t>> solve_with(std::span<const TermCondition> conditions,
                                                      std::span<const std::int64_t> now, Admit admit,
                                                      const void *function, std::uint64_t &work) const;
  const Term &at(TermId id) const { return terms_[id - 1]; }
  TermId add(const Term &term);
  void invert(const Problem &problem, const TermOperand &operand, Wide target,
              std::vector<std::pair<std::size_t, Wide>> &out, unsigned depth) const;
  void aim(const Problem &problem, const TermCondition &condition,
           std::vector<std::pair<std::size_t, Wide>> &out) const;

  std::vector<Term> terms_;
};

} // namespace smem
