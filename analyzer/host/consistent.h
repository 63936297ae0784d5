// Launches of which host code does not say everything, under values of what it leaves free that lead to them.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <stop_token>

#include "host/interpreter.h"

namespace smem {

class ConsistentLaunches {
public:
  /// `source_bytes`: as source_bytes() counts.
  ConsistentLaunches(clang::ASTContext &context, const IrNames &names, const std::vector<StatedLaunch> &stated,
                     std::uint64_t source_bytes, std::stop_token stop)
      : context_(context), stated_(stated), met_(context, names, kMostOfSite), interpreter_(context, met_, stop),
        stop_(std::move(stop)), source_bytes_(source_bytes) {}

  /// Completes the entries from `first` on, which one execution of `run` has met. The scenarios that are tried, and with them
  /// the result, depend on the source alone.
  void complete(const std::function<void(Interpreter &)> &run, std::vector<LaunchRecorder::Entry> &entries,
                std::size_t first);
  /// The same for entries that stand in `function` and that no such execution came to: of that function alone, from its parameters on.
  void complete_by_itself(const clang::FunctionDecl *function, std::vector<LaunchRecorder::Entry> &entries);
  /// The same for those in lambdas that are not seen to be called, as behind a dispatch by types: as if the function called them where it
  /// makes them.
  void complete_in_lambdas(std::vector<LaunchRecorder::Entry> &entries);

private:
  using Entry = LaunchRecorder::Entry;
  static constexpr std::size_t kMostOfSite = 64;
  enum class Fit { None, Contradicts, Reached, Good };

  /// One execution under chosen values.
  struct Run {
    Choices choices;
    std::vector<FreeQuantity> quantities;
    Assumptions decisive = kNothingAssumed;
    std::vector<Scenario::Decision> path;
    Terms terms;
    std::vector<TermCondition> wishes; ///< what launches would have to be
    std::vector<std::size_t> turns;    ///< positions in `path` behind which launches would follow that are not made
    std::vector<Entry> entries;
  };
  /// A launch to be completed.
  struct Open {
    Entry *entry = nullptr;
    StatedLaunch stated;
    std::vector<ConsistentLaunch> found;       ///< all that fits
    std::optional<Choices> base;               ///< of the first
    std::optional<ConsistentLaunch> otherwise; ///< of lesser fit
    Fit fit = Fit::None;
  };

  // consistent.cpp
  void add(Entry &entry, std::vector<Open> &open) const;
  void complete(const std::function<void(Interpreter &)> &run, std::vector<Open> &open);
  bool may_go_on() const;
  Run execute(const std::function<void(Interpreter &)> &run, const Choices &choices, std::vector<Open> &open);
  /// What is wrong with the launches that a run has met.
  struct Faults {
    Assumptions quantities = kNothingAssumed;
    std::vector<TermCondition> wishes;
    std::vector<std::size_t> turns; ///< as in Run
  };
  /// Takes what a run has met; whether that was of use.
  bool harvest(const Run &run, Scenario &scenario, std::vector<Open> &open, Faults &faults);

  // consistent_fit.cpp
  class Fitter;
  /// How far a launch that a scenario has met is the one that is to be completed.
  Fit fit(const Open &open, const Entry &met, Scenario &scenario, Faults &faults) const;
  /// Of a launch to which no values were found, those of an instantiation of the same template which differs in flags alone: what they take their sizes from is the same.
  std::vector<ConsistentLaunch> of_siblings(const Open &missing,
                                            const std::vector<Open> &open) const; // consistent_siblings.cpp
  ConsistentLaunch describe(const Open &open, const Entry &met, const Run &run, Fit fit) const;

  // consistent_values.cpp
  std::vector<Choices> solved(const Run &run);
  std::vector<Choices> others(const Run &run) const;
  void prefer(const std::function<void(Interpreter &)> &run, std::vector<Open> &open);
  void vary(const std::function<void(Interpreter &)> &run, std::vector<Open> &open);

  clang::ASTContext &context_;
  const std::vector<StatedLaunch> &stated_;
  LaunchRecorder met_;
  Interpreter interpreter_;
  std::stop_token stop_;
  const std::uint64_t source_bytes_;
  std::set<Choices> tried_;
  std::set<std::pair<unsigned, bool>> decisions_;
  std::uint64_t steps_of_file_ = 0, steps_ = 0;
  unsigned runs_ = 0;
  bool news_ = false;                 ///< of the last run
  bool by_itself_ = false;            ///< a function is run, not what calls it
  std::uint64_t allowed_eighths_ = 0; ///< of the steps of the file, by now
};

} // namespace smem
