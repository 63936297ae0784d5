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
struct SimulationJob {
  std::size_t program = 0; ///< index into the file's programs
  const PlannedLaunch *planned = nullptr;
};

struct SimulatedLaunch {
  std::optional<LaunchAnalysis> analysis; ///< nullopt: the end came before (AnalysisOptions::stop), or `error` says why
  std::string error;                      ///< an exception's text
};

struct SimulatedLaunches {
  std::vector<SimulatedLaunch> launches; ///< parallel to the work
  std::uint64_t steps = 0;               ///< instructions executed for all of them
  std::size_t executed = 0;              ///< launches that were simulated; others have the results of one that is alike
};

/// What may be spent on the launches of a file that are not alike, in instructions.
///
/// It decides how much each gets, and with it what is known, so it depends on nothing but the launches themselves: they are taken in batches of
/// a fixed size, and what a batch has spent is known when the next begins, however many of them were executed at the same time.
class StepBudget {
public:
  static constexpr std::size_t kBatch = 8;
  static constexpr unsigned kMostHalvings = 8; ///< of a share
  static constexpr unsigned kMany =
      32; ///< launches of a kernel that exhaust theirs: each that follows gets less and less

  /// `most`: for one launch. All together get as much, or at most `together`, and a little each beyond that.
  explicit StepBudget(std::uint64_t most, std::uint64_t together = UINT64_MAX)
      : most_(std::min(most, together)), left_(most_) {}

  /// For each of the next `batch` launches of `remaining`, itself included; `exhausted`: how many launches of the kernel, or of other
  /// instantiations of its template, have found their budget too small. The next one probably will, too.
  std::uint64_t share(std::size_t batch, std::size_t remaining, unsigned exhausted) const;
  /// What share() takes as `exhausted` after one more launch of the kernel. One whose share has sufficed says that others' may, too.
  static unsigned exhausted_after(unsigned before, bool exhausted);
  void spend(std::uint64_t steps) { left_ -= left_ < steps ? left_ : steps; }
  std::uint64_t left() const { return left_; }

private:
  std::uint64_t most_, left_;
};

/// The counts of a launch whose pointers are aligned as far as is known. Where they depend on more than that, the counts under
/// the assumption that the pointers are aligned as allocations are; not, if `costly` steps did not suffice for the former.
SimulationResult simulate_launch(const Program &program, const Launch &launch,
                                 const std::vector<Assumption> &pointer_assumptions, const Architecture &architecture,
                                 const SimulationOptions &options, std::uint64_t costly);

/// What all launches of a file together may spend of which a part is assumed: no more time than Clang took to read it, as what holds for all
/// launches is known without them. In proportion to the budget of one launch, `most`.
std::uint64_t steps_for_assumed(std::uint64_t most, std::uint64_t source_bytes);

/// Launches are simulated at the same time where options.parallel_for does so; the results are the same. `source_bytes`: FrontendResult.
SimulatedLaunches simulate_launches(std::span<const Program> programs, std::span<const SimulationJob> work,
                                    const AnalysisOptions &options, std::uint64_t source_bytes = UINT64_MAX);

} // namespace smem
