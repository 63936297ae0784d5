// A small abstract interpreter of host code: it follows what the program does as far as the source says, so that the values
// that reach a kernel launch are known. What it cannot follow becomes unknown, with a reason; it never guesses.
//
// A condition that is not known leads down both paths, and what differs between them is unknown afterwards. A loop whose
// trip count is not known (or is too large to be worth following) makes unknown whatever it assigns.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "host/assigned_globals.h"
#include "host/exceptions.h"
#include "host/reach.h"
#include "host/recorder.h"
#include "host/scenario.h"
#include "host/store.h"
#include "host/value.h"

namespace smem {

/// A run of host code that takes more than this is given up; the shipped analysis must stay within a compile's time.
inline constexpr std::uint64_t kHostSteps = 400'000;
inline constexpr std::uint64_t kHostBytes = 256u << 20; ///< of values, as Store::bytes() counts them

class Interpreter {
public:
  /// Asked for an end, it gives up as if its budget were used up.
  Interpreter(clang::ASTContext &context, LaunchRecorder &recorder, std::stop_token stop = {});

  /// What a run of `main` takes for granted.
  enum class Start {
    NoArguments,  ///< the program is run without arguments, on a machine with one GPU
    AnyArguments, ///< on a machine with one GPU
    Any,
  };
  /// Runs the initialisers of `variables`, then `main`.
  void run_main(const clang::FunctionDecl *main, llvm::ArrayRef<const clang::VarDecl *> variables, Start start);
  /// Runs a function of which nothing is known, in at most so many steps; of its arguments, what another unit's call says.
  void run_alone(const clang::FunctionDecl *function, std::uint64_t most_steps = kHostSteps,
                 const PassedCall *call = nullptr);
  /// In the runs that follow, these call operators are called where their lambda is made, with arguments that are not known: what comes to
  /// call them cannot be followed.
  void call_at_once(std::vector<const clang::FunctionDecl *> lambdas) { called_at_once_ = std::move(lambdas); }
  bool visited(const clang::FunctionDecl *function) const { return visited_.contains(function->getCanonicalDecl()); }
  /// In the runs that follow, quantities that are not known have the values that `scenario` chooses. Null: they are unknown.
  void assume(Scenario *scenario) { scenario_ = scenario; }
  std::uint64_t steps() const { return steps_; }
  /// Whether the last run was given up before its end.
  bool exhausted() const { return exhausted_; }
  LaunchReach &reach() { return reach_; }

private:
  enum class Flow { Next, Break, Continue, Return, Exit };

  struct Frame {
    const clang::FunctionDecl *function = nullptr;
    llvm::DenseMap<const clang::VarDecl *, ObjectId> variables;
    std::optional<Place> self;                     ///< *this
    const clang::CXXRecordDecl *closure = nullptr; ///< of a lambda's call operator: the class of *this
    std::optional<Value> result;                   ///< joined over all returns met
    /// Paths that returned early under a condition that is not known, and where the other path went on.
    struct Early {
      Changes changes;
      std::size_t mark;
    };
    std::vector<Early> early;
    bool break_uncertain = false;                         ///< of the innermost loop
    std::vector<std::pair<Place, clang::QualType>> alive; ///< objects to be destroyed, temporaries too
    const clang::LabelDecl *jump = nullptr;               ///< of a goto that is on its way
    bool jumps_back = false;
    /// Labels that paths under a condition that is not known have jumped to, with what these had changed, and where they began.
    struct Jumped {
      Changes changes;
      std::size_t mark;
    };
    llvm::DenseMap<const clang::LabelDecl *, Jumped> jumped;
    llvm::SmallPtrSet<const clang::VarDecl *, 2> launchers; ///< parameters that are functions that launch
    llvm::DenseMap<const clang::OpaqueValueExpr *, Value>
        opaque; ///< operands that an expression mentions twice: addresses of glvalues
  };

  /// An argument: either the place that a reference binds to, or a value.
  struct Argument {
    std::optional<Place> place;
    Value value;
  };

  struct PathResult {
    Flow flow = Flow::Next;
    Changes changes;
    std::vector<Changes>
        returned; ///< of paths inside that returned under a condition that is not known: beside the one that went on
  };

  // expressions.cpp
  Value evaluate(const clang::Expr *expression);
  Value evaluate_kind(const clang::Expr *expression);
  Value evaluate_cast(const clang::CastExpr *cast);
  Value combine(clang::BinaryOperatorKind operation, const Value &left, const Value &right, clang::QualType type,
                std::optional<clang::QualType> pointee);
  Value converted(const Value &value, clang::QualType type);
  Value evaluate_unary(const clang::UnaryOperator *unary);
  Value evaluate_binary(const clang::BinaryOperator *binary);
  Value assign(const clang::BinaryOperator *binary);
  struct Incremented {
    Value address, before;
  };
  Incremented increment(const clang::UnaryOperator *unary);
  Value evaluate_conditional(const clang::AbstractConditionalOperator *conditional);
  Value evaluate_list(const clang::InitListExpr *list);
  Value evaluate_lambda(const clang::LambdaExpr *lambda);
  Value evaluate_new(const clang::CXXNewExpr *expression);
  Value evaluate_statements(const clang::StmtExpr *expression);
  Value fold_constant(const clang::Expr *expression);
  Value address_of(const clang::Expr *expression);
  Value address_of_cast(const clang::CastExpr *cast);
  Value address_of_variable(const clang::VarDecl *variable, bool captured);
  Value address_of_field(const Value &object, const clang::FieldDecl *field);
  Value address_of_base(const Value &object, const clang::CastExpr *cast);
  Value address_of_derived(const Value &object, const clang::CastExpr *cast);
  std::optional<Place> pointee(const Value &pointer) const;
  Value read(const Value &address, const clang::Expr *expression);
  void write(const Value &address, const clang::Expr *expression, Value value);
  void discard(const clang::Expr *expression);
  bool fits(const Value &value, clang::QualType type) const;
  Objects reachable(Objects objects);
  Value load(const std::optional<Place> &place, const clang::Expr *expression);
  void initialise(const Place &place, clang::QualType type, const clang::Expr *init);
  ObjectId global(const clang::VarDecl *variable);

  // scenario_values.cpp
  Value settle(Value value, const clang::Expr *expression, const std::optional<Place> &place);
  Value settle_result(Value value, const clang::Expr *expression);
  Value settle_parts(Value value, const std::string &name, clang::QualType type,
                     std::optional<std::int64_t> otherwise = std::nullopt);
  void settle_launch(MetLaunch &launch);

  // calls.cpp
  Value evaluate_call(const clang::CallExpr *call);
  Value evaluate_kernel_call(const clang::CUDAKernelCallExpr *call);
  Value construct(const clang::CXXConstructExpr *expression, const Place &place);
  /// An object that something leads to which is not known: it may be of a class that is derived from its own.
  Place of_unknown_class(Value object);
  std::vector<Argument> unknown_arguments(const clang::FunctionDecl *function, const PassedCall *call = nullptr);
  Value call_function(const clang::FunctionDecl *function, std::vector<Argument> arguments, std::optional<Place> self,
                      const clang::Expr *site);
  void run_initialisers(const clang::CXXConstructorDecl *constructor, const Place &place);
  /// False: the object's class is not known.
  bool resolve_override(const clang::FunctionDecl *&function, std::optional<Place> &self) const;
  std::vector<Argument> evaluate_arguments(const clang::FunctionDecl *function,
                                           llvm::ArrayRef<const clang::Expr *> expressions);
  /// Why a call is not followed.
  enum class Call {
    Elsewhere, ///< its code is not there: what it does is free
    GivenUp,   ///< it takes too long
  };
  void forget_changeable(const clang::FunctionDecl *function, const std::vector<Argument> &arguments,
                         const std::optional<Place> &self, const std::string &reason, Call why = Call::Elsewhere);
  Value call_unknown(const std::string &name, const clang::FunctionDecl *function,
                     const std::vector<Argument> &arguments, const std::optional<Place> &self, const clang::Expr *site,
                     Call why = Call::Elsewhere);
  bool leads_to_launch(const Value &value);
  bool launches(const clang::Stmt *statement) {
    return reach_.reaches(statement) || mentions(statement, frame().launchers);
  }
  bool worth_running(const clang::FunctionDecl *function, const clang::FunctionDecl *definition) const;
  bool too_deep(const clang::FunctionDecl *definition) const;

  // passed_values.cpp
  PassedValue passed(const Value &value, unsigned depth = 0) const;
  Value received(const PassedValue &value, clang::QualType type, const std::string &reason);
  void record_call(const clang::FunctionDecl *function, const std::vector<Argument> &arguments,
                   const std::optional<Place> &self, const clang::Expr *site);

  // runtime_api.cpp
  std::optional<Value> call_known(const clang::FunctionDecl *function, std::vector<Argument> &arguments,
                                  const clang::CallExpr *call);
  std::optional<Value> call_container(const clang::CXXMethodDecl *method, const std::optional<Place> &self,
                                      std::vector<Argument> &arguments, const clang::CallExpr *call);
  Value ask_device(const clang::CallExpr *call, llvm::StringRef name, const std::vector<Argument> &arguments);
  Value ask_occupancy(const clang::CallExpr *call, llvm::StringRef name, const std::vector<Argument> &arguments);
  int most_threads(const Value &kernel) const;
  Value device_properties(clang::QualType type, const std::string &reason) const;
  Value device_answer(std::string_view field, clang::QualType type, const std::string &reason) const;
  std::optional<Value> construct_container(const clang::CXXConstructExpr *expression);
  void launch_through_api(const clang::FunctionDecl *function, std::vector<Argument> &arguments,
                          const clang::CallExpr *call);
  Value new_allocation(std::uint64_t alignment = kDeviceAlignment) { return Allocation{++allocations_, 0, alignment}; }
  /// What a call gives that allocates memory: so many bytes, of which no other one gives any.
  Value new_memory(std::uint64_t alignment, const Value &bytes);

  // lifetimes.cpp
  void keep_alive(const Place &place, clang::QualType type);
  void end_lifetimes(std::size_t size, std::size_t early);
  void destroy(const Place &place, clang::QualType type);
  /// What is constructed in `run` lives no longer.
  template <class Run> auto in_scope(const Run &run) {
    const std::size_t alive = frame().alive.size(), early = frame().early.size();
    auto result = run();
    end_lifetimes(alive, early);
    return result;
  }

  // statements.cpp
  Flow execute(const clang::Stmt *statement);
  Flow execute_kind(const clang::Stmt *statement);
  Flow execute_if(const clang::IfStmt *statement);
  Flow execute_try(const clang::CXXTryStmt *statement);
  Flow execute_switch(const clang::SwitchStmt *statement);
  std::optional<Flow> execute_switch_from(const clang::Stmt *body, const clang::Stmt *label);
  Flow choose_label(const clang::SwitchStmt *statement, const Value &condition);
  void declare(const clang::VarDecl *variable);

  // loops.cpp
  Flow execute_range_for(const clang::CXXForRangeStmt *statement);
  Flow execute_loop(const clang::Stmt *loop, const clang::Expr *condition, const clang::Stmt *body,
                    const clang::Expr *increment, const clang::VarDecl *condition_variable, bool body_first);
  Flow run_known_iterations(const clang::Stmt *loop, const clang::Expr *condition, const clang::Stmt *body,
                            const clang::Expr *increment, const clang::VarDecl *condition_variable, bool body_first);
  Flow run_any_iterations(const clang::Stmt *loop, const clang::Expr *condition, const clang::Stmt *body,
                          const clang::Expr *increment, const clang::VarDecl *condition_variable);

  // paths.cpp
  Flow choose(const Value &condition, const clang::Stmt *where, const clang::Stmt *if_true,
              const clang::Stmt *if_false);
  void explore(const clang::Stmt *statement, Assumptions condition_assumed);
  Flow either(std::vector<PathResult> paths, const clang::Stmt *where);
  PathResult try_path(const clang::Stmt *statement);
  PathResult try_running(llvm::function_ref<Flow()> run);
  Flow merge_early(std::size_t keep, Flow flow, const std::string &reason);
  void mark_changed(const PathResult &path, Assumptions assumed);
  void mark_changed(const Changes &changes, Assumptions assumed);

  // interpreter.cpp
  bool in_system_header(const clang::Decl *declaration) const;
  std::string at_line(const clang::Stmt *statement) const;
  std::string at_line(clang::SourceLocation location) const;
  Place temporary(Value value) { return {store_.create(std::move(value)), {}}; }
  bool stopped() const { return exited_ || exhausted_ || aborted_; }
  Frame &frame() { return frames_.back(); }
  void reset();

  clang::ASTContext &context_;
  LaunchRecorder &recorder_;
  std::stop_token stop_;
  LaunchReach reach_;
  AssignedGlobals assigned_globals_;
  std::vector<const clang::FunctionDecl *> called_at_once_;
  Scenario *scenario_ = nullptr;
  Store store_;
  std::deque<Frame> frames_; ///< a deque: calls must not move the frames below
  llvm::DenseMap<const clang::VarDecl *, ObjectId> globals_;
  std::set<const clang::FunctionDecl *> visited_;
  /// What code that is not followed may have changed of globals that are not met yet.
  struct ChangedGlobals {
    std::string by;                               ///< reason; empty: nothing
    bool external = false, all = false;           ///< those that other files can name; even the others
    llvm::DenseSet<const clang::VarDecl *> named; ///< that it is seen to assign
  };
  ChangedGlobals changed_globals_;
  llvm::DenseSet<ObjectId>
      of_unknown_class_; ///< made where a reference or a pointer leads to an object that is not known
  Objects escaped_;      ///< their addresses are known to functions that are not followed
  Exceptions exceptions_;
  llvm::DenseSet<clang::SourceLocation> long_loops_;                 ///< without launches, given up at some time
  mutable llvm::DenseMap<clang::SourceLocation, std::string> lines_; ///< of at_line(), which every unknown value asks
  std::uint32_t allocations_ = 0;
  bool globals_known_ = false; ///< the run started at `main`
  bool one_device_ = true;
  bool exited_ = false;    ///< the path ended in exit(), abort(), throw
  bool exhausted_ = false; ///< the whole budget is used up
  bool aborted_ = false;   ///< the budget of a call without launches is used up: it is given up as a whole
  std::uint64_t steps_ = 0, most_steps_ = kHostSteps;
  std::uint64_t abort_at_ = UINT64_MAX;
  Assumptions loop_assumed_ = kNothingAssumed; ///< of the conditions of the innermost loop
};

} // namespace smem
