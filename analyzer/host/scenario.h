// One possible world of host code: every quantity that the source leaves free has a concrete value, chosen once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/OperationKinds.h>
#include <clang/AST/Type.h>
#include <clang/Basic/SourceLocation.h>

#include "host/terms.h"
#include "host/value.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace smem {

/// A parameter of a function that nothing calls, the result of a call that is not followed, a member of an object from elsewhere.
struct FreeQuantity {
  std::string key;    ///< the same in every run
  std::string name;   ///< as the source writes it: "n", "p.rows", "x.size(0)"
  std::string reason; ///< why it is not known: "depends on parameter 'n' of 'encode'"
  clang::QualType type;
  std::uint64_t multiple = 1; ///< what is known of it all the same
  std::int64_t value = 0;
  std::vector<std::int64_t> suggested; ///< values that would change a decision, the likeliest first
};

/// Of an extent or a count, rather than a flag or one of several kinds.
bool is_size(const FreeQuantity &quantity);
/// "parameter of encode", "the result of 'rand' (line 12)".
std::string origin_of(const FreeQuantity &quantity);

/// Chosen values by key; what is not in it takes its default.
using Choices = std::map<std::string, std::int64_t>;

class Scenario {
public:
  explicit Scenario(const clang::ASTContext &context, Choices choices)
      : context_(context), choices_(std::move(choices)) {}

  /// Whether a quantity of this type can be given a value.
  static bool can_choose(clang::QualType type, const clang::ASTContext &context);

  /// The value of a free quantity, marked with its bit. `otherwise` replaces the default of its type.
  Value choose(std::string name, const std::string &reason, clang::QualType type, std::uint64_t multiple,
               std::optional<std::int64_t> otherwise = std::nullopt);

  /// A comparison or a remainder: what its operands rest on may have to be chosen otherwise.
  void compared(clang::BinaryOperatorKind operation, const Value &left, const Value &right);
  /// Values of the quantities in `rests_on` that may turn a result that is `now` into `target`.
  void suggest(Assumptions rests_on, std::int64_t now, Wide wanted);
  /// A condition was evaluated.
  /// `objects`: how many the interpreter has made by then.
  void decided(clang::SourceLocation where, const Value &condition, ObjectId objects);
  /// Quantities that have decided something since there were so many objects.
  Assumptions decided_since(ObjectId objects) const;

  /// The result of an operation on integers, with what it is made of.
  Value combined(clang::BinaryOperatorKind operation, const Value &left, const Value &right, Value result);
  /// The same of a conversion.
  Value converted(const Value &operand, Value result, clang::QualType type);

  /// Conditions on the way, in their order: of one place the first and the last few.
  struct Decision {
    clang::SourceLocation where;
    TermCondition condition;
  };
  const std::vector<Decision> &path() const { return path_; }
  const Terms &terms() const { return terms_; }
  Terms &terms() { return terms_; }

  /// What is executed contradicts what was chosen.
  void enter_contradiction() { ++contradictions_; }
  void leave_contradiction() { --contradictions_; }
  bool contradicts() const { return contradictions_ != 0; }

  const std::vector<FreeQuantity> &quantities() const { return quantities_; }
  TermId term_of(std::size_t quantity) const { return leaves_[quantity]; } ///< 0: it is no integer
  const Choices &choices() const { return choices_; }
  /// Quantities that decided something.
  Assumptions decisive() const { return decisive_; }
  /// Conditions and their results, to tell whether a run came to anything new.
  const std::set<std::pair<unsigned, bool>> &decisions() const { return decisions_; }

private:
  std::int64_t default_of(const FreeQuantity &quantity) const;

  const clang::ASTContext &context_;
  Choices choices_;
  std::vector<FreeQuantity> quantities_;
  std::map<std::string, std::size_t> by_key_;
  std::set<std::pair<unsigned, bool>> decisions_;
  Assumptions decisive_ = kNothingAssumed;
  std::map<std::size_t, ObjectId> last_decided_; ///< by quantity
  Terms terms_;
  std::vector<TermId> leaves_; ///< by quantity
  std::vector<Decision> path_;
  unsigned contradictions_ = 0;
};

} // namespace smem
