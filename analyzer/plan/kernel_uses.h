// What a kernel reads, and the launches that are plausible for it by that.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <vector>

#include "smem/launch.h"
#include "smem/program.h"

namespace smem {

/// What a kernel reads of its position and its arguments.
struct Uses {
  bool thread_y = false, thread_z = false, block_y = false, block_z = false;
  struct Piece {
    std::uint32_t index;
    std::uint64_t offset;
    std::uint32_t width;
    auto operator<=>(const Piece &) const = default;
  };
  std::set<Piece> arguments;
};

Uses uses_of(const Program &program);

/// Shapes of blocks, the most plausible first.
std::vector<Dim3> plausible_blocks(const Program &program, const Uses &uses);
Dim3 plausible_grid(const Dim3 &block, const Uses &uses);

} // namespace smem
