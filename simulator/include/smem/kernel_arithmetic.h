// What a kernel computes beside its memory instructions, and how often.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "smem/arithmetic_work.h"
#include "smem/program.h"
#include "smem/simulate.h"

namespace smem {

/// A Program that has what decides how often pieces of a kernel's code run, and in each of them a load that the kernel
/// has not.
struct CountedCode {
  Program program;
  std::vector<BlockArithmetic> blocks; ///< by its sites
};

struct KernelArithmetic {
  std::vector<BlockArithmetic> blocks; ///< known by sites of the kernel's own Program
  /// What is outside of loops, and loops, one by one: some may take too long to count.
  std::vector<CountedCode> others;

  bool empty() const { return blocks.empty() && others.empty(); }
};

/// What a launch does in KernelArithmetic::others.
struct CountedWork {
  ArithmeticWork work;     ///< lower bounds: what data decide counts as never executed
  std::uint64_t steps = 0; ///< instructions executed to count
  bool exhausted = false;  ///< they did not suffice for some code, which counts as never executed
};
/// Each of `codes` may take options.max_steps, all of them `together`. Code that comes after an end by options.stop
/// counts as never executed. `prepared`: their programs, if several launches are counted.
CountedWork count_work(std::span<const CountedCode> codes, const Launch &launch, const Architecture &architecture,
                       const SimulationOptions &options, std::uint64_t together = UINT64_MAX,
                       std::span<const std::shared_ptr<const PreparedProgram>> prepared = {});

} // namespace smem
