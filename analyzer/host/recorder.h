// Collects the launches that the interpreter meets.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "host/argument_facts.h"
#include "host/launches.h"
#include "host/value.h"

namespace clang {
class Expr;
} // namespace clang

namespace smem {

class IrNames;

/// A launch as evaluated, before it is put into plain data.
struct MetLaunch {
  const clang::Expr *site = nullptr;
  const clang::FunctionDecl *kernel = nullptr;
  const clang::FunctionDecl *function = nullptr; ///< whose body makes it
  Value grid, block;                             ///< dim3
  Value shared;
  std::vector<Value> arguments;
  bool contradicts = false;  ///< met on a path that what a scenario chose does not lead to
  std::size_t decisions = 0; ///< of a scenario: how many of its path came before
  /// Of a scenario: what has decided conditions by then, and since the variables in an argument were made.
  Assumptions decided = kNothingAssumed;
  std::vector<Assumptions> arguments_decided;
  std::vector<LaunchExpression> expressions; ///< of a scenario
};

/// What each part of a launch rests on.
struct LaunchDependence {
  Assumptions grid = kNothingAssumed, block = kNothingAssumed, dynamic = kNothingAssumed;
  std::vector<Assumptions> arguments; ///< as Launch::arguments
  /// The same parts as expressions, of a scenario.
  std::array<TermId, 3> grid_terms{}, block_terms{};
  TermId dynamic_term = 0;
  std::vector<TermId> argument_terms;
  std::vector<std::string> argument_names; ///< `n`, `p.rows`
};

class LaunchRecorder {
public:
  struct Entry {
    const clang::Expr *site;
    const clang::FunctionDecl *kernel;
    const clang::FunctionDecl *function; ///< whose body makes it
    HostLaunch launch;
    LaunchDependence rests_on;
    bool contradicts = false;
    std::size_t decisions = 0;                  ///< as in MetLaunch
    Assumptions decided = kNothingAssumed;      ///< as in MetLaunch
    std::vector<Assumptions> arguments_decided; ///< by parameter
  };

  /// A loop over sizes is worth following, a time step loop with its counter as an argument is not.
  static constexpr std::size_t kMostLaunchesOfSite = 1024;
  /// Sites that have more than their share of them keep that, and a few in any case.
  static constexpr std::size_t kMostLaunchesOfFile = 1024, kLeastLaunchesOfSite = 16;
  static constexpr std::size_t kMostCallsOfFunction = 256; ///< that launches in another unit

  LaunchRecorder(clang::ASTContext &context, const IrNames &names, std::size_t most_of_site = kMostLaunchesOfSite)
      : context_(context), names_(names), most_of_site_(most_of_site), said_(context) {}

  void record(const MetLaunch &launch);

  /// A call of a function that launches in another translation unit; the same call again is the same.
  void record(const clang::FunctionDecl *function, PassedCall call);
  const std::vector<PassedCall> &calls() const { return calls_; }
  /// What follows happens because of this call of another unit; null: not because of one.
  void called_by(const PassedCall *call) { caller_ = call ? call->location : SourceLocation(); }

  /// Host code lets a kernel have so much dynamic shared memory; null: one that is not known.
  void opt_in(const clang::FunctionDecl *kernel, std::uint64_t bytes);

  /// Statements are tried without meaning it.
  void mute() { ++muted_; }
  void unmute() { --muted_; }
  /// What follows does not happen in the default run.
  void enter_unreached() { ++unreached_; }
  void leave_unreached() { --unreached_; }

  bool empty() const { return launches_.empty() && calls_.empty(); }
  bool has_seen(const clang::Expr *site) const;
  void clear();
  /// To be changed, too.
  std::vector<Entry> &entries() {
    latest_.clear();
    return launches_;
  }

  /// Launches that the default run makes, and of the others those of sites that it does not reach.
  HostLaunches take();

private:
  /// What was last met at a site, as far as an entry is made of it, and which of `launches_` that is.
  struct Latest {
    const clang::FunctionDecl *kernel, *function;
    Value grid, block, shared;
    std::vector<Value> arguments;
    bool contradicts, reached;
    std::size_t entry;

    bool is_repeated_by(const MetLaunch &met, bool reached) const;
  };

  void note_latest(const MetLaunch &met, std::size_t entry);
  Entry describe(const MetLaunch &met) const;
  void add_what_is_said(Entry &entry) const;
  void flatten(const Value &value, clang::QualType type, std::uint32_t index, std::uint64_t offset,
               const std::string &name, Entry &entry) const;

  clang::ASTContext &context_;
  const IrNames &names_;
  std::size_t most_of_site_;
  std::vector<Entry> launches_;
  std::map<const clang::Expr *, Latest> latest_; ///< by site: a loop mostly makes the same launch again
  std::set<const clang::Expr *> cut_off_;        ///< sites with more launches than are kept
  std::map<std::string, std::uint64_t> opted_in_;
  std::vector<PassedCall> calls_;
  SourceLocation caller_;
  unsigned muted_ = 0, unreached_ = 0;
  /// How many launches a site may have so that all have at most kMostLaunchesOfFile, those of sites with fewer not counted as its share.
  static std::size_t share_of_site(const std::vector<const Entry *> &launches);
  mutable ArgumentFactsFinder said_;
};

} // namespace smem
