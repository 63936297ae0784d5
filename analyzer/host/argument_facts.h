// What host code says of the integers that a launch passes, whatever the values are: in every execution of a function, from its parameters on.
#pragma once

#include <array>
#include <map>
#include <memory>

#include "smem/launch.h"

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
} // namespace clang

namespace smem {

/// Facts, with the condition that they come from, where they come from one.
struct PlacedFacts {
  ArgumentFacts facts;
  SourceLocation location;
};

/// Of one `<<<>>>`.
struct LaunchFacts {
  bool met = false; ///< some execution may come to it
  std::map<unsigned, PlacedFacts> arguments;
  std::array<PlacedFacts, 3> block;
};

/// Interprets function bodies over sets and ranges of integers; every branch is taken that a condition does not exclude, and every loop goes on
/// until nothing changes. What is not understood may be anything.
class ArgumentFactsFinder {
public:
  explicit ArgumentFactsFinder(clang::ASTContext &context);
  ~ArgumentFactsFinder();

  /// Of a launch in the body of the function, or in a lambda in it.
  const LaunchFacts &of(const clang::FunctionDecl *function, const clang::Expr *site);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace smem
