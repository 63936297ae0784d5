// What the launches of a file compute where their kernels have no loads and stores, for floors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "smem/kernel_arithmetic.h"

namespace smem {

struct CountingJob {
  const Program *program = nullptr; ///< the kernel
  const Launch *launch = nullptr;
  const KernelArithmetic *arithmetic = nullptr; ///< of the kernel
};

struct CountedLaunches {
  std::vector<ArithmeticWork> work; ///< parallel to the jobs; lower bounds, as CountedWork's
  std::uint64_t steps = 0;          ///< instructions executed for all of them
  std::string error;                ///< an exception's text
};

/// One piece of code of one launch may take 1/16 of the budget of a launch; all together take what the simulation has
/// `left` of the file's budget, or 1/8 of the budget of a launch where that is more. Launches that are alike are counted
/// once; others at the same time where options.parallel_for does so; the results are the same.
CountedLaunches count_launches(std::span<const CountingJob> jobs, const AnalysisOptions &options, std::uint64_t left);

/// What is left of a file's budget after so many steps.
std::uint64_t left_of_file(const SimulationOptions &options, std::uint64_t steps);

} // namespace smem
