#include "plan/kernel_uses.h"

#include <algorithm>
#include <bit>

#include "plan/plausible_arguments.h"

namespace smem {
namespace {

/// The edge of the square tiles that a kernel keeps in shared memory, padded or not; 0 if it has none.
std::uint32_t tile_edge(const Program &program) {
  for (const SharedArray &array : program.shared_arrays)
    for (const std::uint32_t edge : {32u, 16u, 8u})
      for (const std::uint32_t element : {4u, 2u, 8u})
        for (const std::uint32_t padding : {0u, 1u})
          if (array.size == std::uint64_t{element} * edge * (edge + padding) &&
              std::count(array.declaration.begin(), array.declaration.end(), '[') == 2)
            return edge;
  return 0;
}

} // namespace

Uses uses_of(const Program &program) {
  Uses uses;
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions) {
      if (instruction.opcode == Opcode::Argument)
        uses.arguments.insert(
            {instruction.index, static_cast<std::uint64_t>(instruction.immediate), instruction.width});
      if (instruction.opcode != Opcode::Special)
        continue;
      switch (static_cast<SpecialRegister>(instruction.immediate)) {
      case SpecialRegister::ThreadY:
      case SpecialRegister::BlockDimY: uses.thread_y = true; break;
      case SpecialRegister::ThreadZ:
      case SpecialRegister::BlockDimZ: uses.thread_z = true; break;
      case SpecialRegister::BlockY:
      case SpecialRegister::GridDimY: uses.block_y = true; break;
      case SpecialRegister::BlockZ:
      case SpecialRegister::GridDimZ: uses.block_z = true; break;
      default: break;
      }
    }
  return uses;
}

std::vector<Dim3> plausible_blocks(const Program &program, const Uses &uses) {
  std::vector<Dim3> blocks;
  const std::uint32_t most = program.max_threads.value_or(1024);
  const auto add = [&](Dim3 block) {
    if (block.count() <= most && std::find(blocks.begin(), blocks.end(), block) == blocks.end())
      blocks.push_back(block);
  };
  if (uses.thread_z)
    add({8, 8, 4});
  else if (uses.thread_y) {
    if (const std::uint32_t edge = tile_edge(program))
      add({edge, edge, 1});
    if (program.max_threads && *program.max_threads % 32 == 0)
      add({32, *program.max_threads / 32, 1});
    add({32, 8, 1});
    add({16, 16, 1});
    add({32, 32, 1});
    add({8, 8, 1});
  } else {
    if (program.max_threads)
      add({*program.max_threads, 1, 1});
    for (const std::uint32_t threads : {256u, 128u, 512u, 64u, 32u})
      add({threads, 1, 1});
  }
  if (blocks.empty())
    blocks.push_back({std::min(most, 32u), 1, 1});
  return blocks;
}

Dim3 plausible_grid(const Dim3 &block, const Uses &uses) {
  if (!uses.block_y && !uses.block_z)
    return {64, 1, 1};
  const auto across = [](std::uint32_t threads) { return std::max<std::uint32_t>(1, kPlausibleExtent / threads); };
  return {across(block.x), across(block.y), uses.block_z ? 4u : 1u};
}

} // namespace smem
