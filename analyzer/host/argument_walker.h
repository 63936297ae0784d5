// The interpreter that ArgumentFactsFinder is made of: one function, over sets and ranges of integers.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "host/argument_facts.h"
#include "host/escaping_variables.h"
#include "host/possible_integer.h"

namespace smem::argument_facts {

using integers::PossibleInteger;

constexpr unsigned kMostRounds = 24;    ///< of a loop, until ranges are given up
constexpr unsigned kMostSteps = 60'000; ///< statements and expressions of one function
constexpr unsigned kMostDepth = 3;      ///< of calls that are followed

using Env = std::map<const clang::ValueDecl *, PossibleInteger>; ///< a variable that is not there may be anything
using MaybeEnv = std::optional<Env>;                             ///< none: nothing gets there

/// What holds whichever of the two holds.
MaybeEnv join(const MaybeEnv &a, const MaybeEnv &b);

class ArgumentWalker {
public:
  ArgumentWalker(clang::ASTContext &context, std::map<const clang::Expr *, LaunchFacts> &found, unsigned &steps,
                 unsigned depth)
      : context_(context), found_(found), steps_(steps), depth_(depth) {}

  /// What the function returns, where that is an integer.
  PossibleInteger run(const clang::FunctionDecl *function, Env env);
  /// A statement was met that makes all this wrong: a jump.
  bool lost() const { return lost_; }

private:
  using Dims = std::array<PossibleInteger, 3>;
  /// The variables that they have the values of, where nothing changes these: what is learned of them later holds of the dims. Null: none.
  using DimsFrom = std::array<const clang::ValueDecl *, 3>;
  struct LoopEnds {
    MaybeEnv breaks, continues;
    bool is_switch = false;
  };

  bool tracks(const clang::ValueDecl *decl) const;
  bool is_integer(clang::QualType type) const;

  // argument_values.cpp
  PossibleInteger of_type(clang::QualType type) const;
  /// Of another type: quantities are presumed to keep their value between 32 and 64 bits, unless they may be negative.
  PossibleInteger converted(PossibleInteger value, clang::QualType to) const;
  PossibleInteger eval(const clang::Expr *expression, Env &env);
  PossibleInteger constant(const clang::Expr *expression) const;
  /// The result of a computation in that type, which may wrap around where it has no sign.
  PossibleInteger checked(PossibleInteger value, clang::QualType type) const;
  PossibleInteger eval_binary(const clang::BinaryOperator &operation, Env &env);
  void assign(const clang::Expr *target, PossibleInteger value, Env &env);
  PossibleInteger eval_call(const clang::CallExpr &call, Env &env);
  bool of_library(const clang::FunctionDecl &function) const;
  bool is_number(clang::QualType type) const { return is_integer(type.getNonReferenceType()); }

  /// A lambda is called at some time: what variables hold that nothing changes after it is made, they hold then, too.
  void in_lambda(const clang::LambdaExpr &lambda, const Env &env);

  // argument_conditions.cpp
  static const clang::Expr *plain(const clang::Expr *expression);
  /// A variable, or one that was converted without a change of its value.
  const clang::ValueDecl *variable(const clang::Expr *expression) const;
  /// Whether a comparison of the variable as that type is one of its value: a negative number has another as one without a sign.
  bool compared_as_is(const clang::Expr *side, const PossibleInteger &value) const;
  MaybeEnv assume(const Env &env, const clang::Expr *condition, bool wanted);
  /// `side` relates so to `bound`; false: it cannot.
  bool refine(Env &env, const clang::Expr *side, clang::BinaryOperatorKind kind, const PossibleInteger &bound,
              clang::SourceLocation place);

  // argument_statements.cpp

  /// Whether nothing comes after the expression.
  bool ends(const clang::Expr *expression) const;
  MaybeEnv walk_expression(const clang::Expr *expression, Env env);
  void declare(const clang::VarDecl *variable, Env &env);
  static bool is_dim3(clang::QualType type);
  PossibleInteger positive(PossibleInteger value, clang::QualType type) const;
  PossibleInteger axis_of(const clang::Expr *expression, Env &env);
  std::optional<Dims> dims_of(const clang::Expr *expression, Env &env, DimsFrom *from = nullptr);
  void note(const clang::CUDAKernelCallExpr &launch, Env &env);
  /// `condition` may be null, `last` is what is done after each iteration.
  MaybeEnv loop(Env head, const clang::Expr *condition, const clang::Stmt *body, const clang::Stmt *last,
                bool body_first);
  MaybeEnv walk_switch(const clang::SwitchStmt &choice, Env env);
  MaybeEnv walk(const clang::Stmt *statement, Env env);
  MaybeEnv loop_once(Env env, const clang::Stmt *body);

  clang::ASTContext &context_;
  std::map<const clang::Expr *, LaunchFacts> &found_;
  unsigned &steps_;
  const unsigned depth_;
  unsigned in_lambdas_ = 0;
  Variables escaping_, assigned_;
  std::map<const clang::ValueDecl *, Dims> dims_made_;
  std::map<const clang::ValueDecl *, DimsFrom> dims_from_;
  Variables dims_lost_;
  std::vector<LoopEnds> loops_;
  std::optional<PossibleInteger> returned_;
  bool lost_ = false;
};

} // namespace smem::argument_facts
