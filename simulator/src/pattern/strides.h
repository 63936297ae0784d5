// What lanes of a request are apart by: quantities that they multiply differently.
#pragma once

#include <cstdint>
#include <vector>

#include "domain.h"

namespace smem::pattern {

/// Each lane adds by[lane] times the quantity.
struct Stride {
  Lanes by{};
  Quantity of;
};

struct Strides {
  std::vector<Stride> apart;
  std::vector<std::int64_t> alike; ///< coefficients of what all lanes add beside
};

/// Of terms by which lanes differ. What lanes multiply by the same is one quantity, `n + m`; a constant multiple in the bases, too: they are `base`
/// without it then.
Strides strides_of(const std::vector<Term> &terms, LaneMask lanes, const Domain &domain, Lanes &base);

} // namespace smem::pattern
