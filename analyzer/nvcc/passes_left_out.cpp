#include "nvcc/llvm_pipeline.h"

namespace smem {

std::span<const std::string_view> passes_left_out() {
  static constexpr std::string_view kPasses[] = {
      // Of languages and of settings that device code does not have: they would do nothing.
      "CoroConditionalWrapper", "CoroEarlyPass", "CoroElidePass", "CoroSplitPass", "CoroCleanupPass", "OpenMPOptPass",
      "OpenMPOptCGSCCPass", "EntryExitInstrumenterPass",
      // nvcc does not: merge the stores of both blocks of a branch,
      "MergedLoadStoreMotionPass",
      // take vector loads apart,
      "VectorCombinePass",
      // hide how large a remainder can be before loops are unrolled,
      "DivRemPairsPass",
      // drop what only unused bits come from, however far from there,
      "BDCEPass",
      // empty blocks that loads go to,
      "SpeculativeExecutionPass",
      // conclude from `t == 0` what `t / 4` is where that is computed before and used twice (16 of 16 probes),
      "CorrelatedValuePropagationPass",
      // nor move loads out of a function to the lines that call it.
      "ArgumentPromotionPass"};
  return kPasses;
}

} // namespace smem
