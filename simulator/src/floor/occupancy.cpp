#include "smem/occupancy.h"

#include <algorithm>

#include "smem/memory_model.h"

namespace smem {
namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

} // namespace

Occupancy occupancy(const Architecture &architecture, const BlockNeeds &block, std::uint32_t registers_per_sm) {
  constexpr std::uint64_t kRegistersAtOnce = 256, kWarpsAtOnce = 4;
  Occupancy out;
  const std::uint64_t warps = rounded_up(block.threads, kWarpSize) / kWarpSize;
  out.warps_per_block = static_cast<std::uint32_t>(warps);
  std::uint64_t blocks = architecture.max_blocks_per_sm;
  const auto limited = [&](std::uint64_t to, Occupancy::Limit by) {
    if (to < blocks) {
      blocks = to;
      out.limit = by;
    }
  };
  if (warps)
    limited(architecture.max_threads_per_sm / (warps * kWarpSize), Occupancy::Limit::Threads);
  if (block.shared_bytes)
    limited(architecture.capacity.shared_per_sm / (block.shared_bytes + architecture.capacity.reserved_per_block),
            Occupancy::Limit::SharedMemory);
  if (warps && block.registers.value_or(0) > 0) {
    const std::uint64_t of_warp = rounded_up(std::uint64_t{*block.registers} * kWarpSize, kRegistersAtOnce);
    limited(registers_per_sm / of_warp / kWarpsAtOnce * kWarpsAtOnce / rounded_up(warps, kWarpsAtOnce),
            Occupancy::Limit::Registers);
  }
  out.blocks_per_sm = static_cast<std::uint32_t>(blocks);
  return out;
}

std::string_view to_string(Occupancy::Limit limit) {
  switch (limit) {
  case Occupancy::Limit::Blocks: return "blocks";
  case Occupancy::Limit::Threads: return "threads";
  case Occupancy::Limit::SharedMemory: return "shared memory";
  case Occupancy::Limit::Registers: return "registers";
  }
  return "?";
}

} // namespace smem
