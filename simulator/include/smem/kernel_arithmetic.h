// What a kernel computes beside its memory instructions, and how often.
#pragma once

#include <span>
#include <vector>

#include "smem/arithmetic_work.h"
#include "smem/program.h"
#include "smem/simulate.h"

namespace smem {

/// A Program that has what decides how often pieces of a kernel's code run, and in each of them a load that the kernel has not.
struct CountedCode {
  Program program;
  std::vector<BlockArithmetic> blocks; ///< by its sites
};

struct KernelArithmetic {
  std::vector<BlockArithmetic> blocks; ///< known by sites of the kernel's own Program
  std::vector<CountedCode> others; ///< what is outside of loops, and loops, one by one: some may take too long to count

  bool empty() const { return blocks.empty() && others.empty(); }
};

/// Of a launch, whose `result` is that of the kernel's own Program; `steps` is raised by what it took to count. Lower bounds: what data decide
/// counts as never executed.
ArithmeticWork arithmetic_of(const SimulationResult &result, const KernelArithmetic &arithmetic, const Launch &launch,
                             const Architecture &architecture, const SimulationOptions &options, std::uint64_t &steps);

} // namespace smem
