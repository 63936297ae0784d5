#include "analysis/likely_blocks.h"

#include <algorithm>
#include <bit>

#include "smem/memory_model.h"

namespace smem {

std::vector<std::vector<Dim3>> likely_blocks(const Program &program, const Launch &launch,
                                             const Architecture &architecture, bool planes) {
  const std::uint32_t most =
      std::min(program.max_threads.value_or(architecture.max_threads_per_block), architecture.max_threads_per_block);
  std::vector<Dim3> powers, others;
  const auto add = [&](std::vector<Dim3> &tier, const Dim3 &block) {
    if (admits(launch.block_facts, block))
      tier.push_back(block);
  };
  for (std::uint32_t threads = kWarpSize; threads <= most; threads *= 2)
    for (std::uint32_t y = 1; y <= (planes ? threads : 1); y *= 2)
      add(powers, {threads / y, y, 1});
  for (std::uint32_t threads = kWarpSize; threads <= most; threads += kWarpSize)
    if (!std::has_single_bit(threads))
      add(others, {threads, 1, 1});
  return {std::move(powers), std::move(others)};
}

} // namespace smem
