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

/// One piece of code of one launch may take 1/64 of the budget of a launch, all together 1/16: floors are told beside counts, and may not cost as
/// much as these do. Launches that are alike are counted once; others at the same time where options.parallel_for does so; the results are the same.
CountedLaunches count_launches(std::span<const CountingJob> jobs, const AnalysisOptions &options);

} // namespace smem
