// Instructions that move memory through units the model has no rules for.
#pragma once

#include <optional>
#include <vector>

#include "ir/lower.h"

namespace llvm {
class Function;
} // namespace llvm

namespace smem {

struct Uncounted {
  enum class Unit : std::uint8_t { Texture, Surface, Heap };
  Unit unit{};
  SourceLocation location;

  auto operator<=>(const Uncounted &) const = default;
};

/// Of a function of the run-time library; those of textures and surfaces are only declared, in the shipped headers (textures.h, surfaces.h).
std::optional<Uncounted::Unit> unit_of_function(const llvm::Function &function);

/// Those of all kernels of the optimised module, sorted, each place once.
std::vector<Uncounted> uncounted_accesses(llvm::Module &module, const LowerOptions &options = {});

} // namespace smem
