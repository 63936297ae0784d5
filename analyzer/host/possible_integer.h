// What an integer of host code may be, and the arithmetic of that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <clang/AST/OperationKinds.h>
#include <clang/Basic/SourceLocation.h>

#include "smem/launch.h"

namespace smem::integers {

constexpr std::size_t kMostValues = 64;      ///< of a set; beyond that there are facts only
constexpr std::int64_t kFar = INT64_MAX / 4; ///< numbers beyond are not reckoned with

/// What an integer may be: one of `values`, where there are any; what the facts admit.
struct PossibleInteger {
  std::vector<std::int64_t> values; ///< ascending
  ArgumentFacts facts;
  clang::SourceLocation from; ///< a condition

  bool operator==(const PossibleInteger &other) const { return values == other.values && facts == other.facts; }
};

PossibleInteger of_values(std::vector<std::int64_t> values);
PossibleInteger number(std::int64_t value);
PossibleInteger range(std::optional<std::int64_t> least, std::optional<std::int64_t> most);

/// Its value, where it has one.
std::optional<std::int64_t> only(const PossibleInteger &a);

/// One of the two.
PossibleInteger join(const PossibleInteger &a, const PossibleInteger &b);
/// Both hold; nullopt: never.
std::optional<PossibleInteger> meet(const PossibleInteger &a, const PossibleInteger &b, clang::SourceLocation from);
std::optional<PossibleInteger> without(const PossibleInteger &a, std::int64_t value, clang::SourceLocation from);

bool near(std::int64_t value);

/// Of numbers that do not wrap around.
PossibleInteger binary(clang::BinaryOperatorKind operation, const PossibleInteger &a, const PossibleInteger &b);

} // namespace smem::integers
