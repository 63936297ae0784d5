// Instructions that move memory through units the model has no rules for.
#pragma once

#include <vector>

#include "ir/lower.h"

namespace smem {

struct Uncounted {
  enum class Unit : std::uint8_t { Texture, Surface, Heap };
  Unit unit{};
  SourceLocation location;

  auto operator<=>(const Uncounted &) const = default;
};

/// Those of all kernels of the optimised module, sorted, each place once.
std::vector<Uncounted> uncounted_accesses(llvm::Module &module, const LowerOptions &options = {});

} // namespace smem
