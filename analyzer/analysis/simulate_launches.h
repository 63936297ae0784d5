// The simulation of all launches of a file.
#pragma once

#include "analysis/analysis.h"
#include "plan/launch_plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smem {

/// One launch of one kernel.
struct LaunchWork {
  std::size_t program = 0;               ///< index into the file's programs
  const PlannedLaunch *planned = nullptr;
};

struct SimulatedLaunch {
  std::optional<LaunchAnalysis> analysis; ///< nullopt: the end came before (AnalysisOptions::stop), or `error` says why
  std::string error;                      ///< an exception's text
};

struct SimulatedLaunches {
  std::vector<SimulatedLaunch> launches;  ///< parallel to the work
  std::uint64_t steps = 0;                ///< instructions executed for all of them
  std::size_t executed = 0;               ///< launches that were simulated; others have the results of one that is alike
};

/// What may be spent on the launches of a file that are not alike, in instructions.
///
/// It decides how much each gets, and with it what is known, so it depends on nothing but the launches themselves: they are taken in batches of
/// a fixed size, and what a batch has spent is known when the next begins, however many of them were executed at the same time.
class StepBudget {
public:
  static constexpr std::size_t kBatch = 8;

  /// `most`: for one launch. All together get twice as much, and a little each beyond that.
  explicit StepBudget(std::uint64_t most) : most_(most), left_(2 * most) {}

  /// For each of the next `batch` launches of `remaining`, itself included; `exhausted`: how many launches of the kernel, or of other
  /// instantiations of its template, have found their budget too small. The next one probably will, too.
  std::uint64_t share(std::size_t batch, std::size_t remaining, unsigned exhausted) const;
  void spend(std::uint64_t steps) { left_ -= left_ < steps ? left_ : steps; }
  std::uint64_t left() const { return left_; }

private:
  std::uint64_t most_, left_;
};

/// The counts of a launch whose pointers are aligned as far as is known. Where they depend on more than that, the counts under
/// the assumption that the pointers are aligned as allocations are; not, if `costly` steps did not suffice for the former.
SimulationResult simulate_launch(const Program &program, const Launch &launch, const std::vector<Assumption> &pointer_assumptions,
                                 const Architecture &architecture, const SimulationOptions &options, std::uint64_t costly);

/// Launches are simulated at the same time where options.parallel_for does so; the results are the same.
SimulatedLaunches simulate_launches(std::span<const Program> programs, std::span<const LaunchWork> work, const AnalysisOptions &options);

} // namespace smem
