// How much of a source an attempt has understood: whether what was tried has gained anything.
#pragma once

#include <cstddef>

#include "frontend/frontend.h"

namespace smem {

/// What a result has: kernels with code, and messages about what it lacks.
struct Extent {
  std::size_t kernels = 0, messages = 0;
  /// Without kernels, only where nothing is wrong any more.
  bool exceeds(const Extent &other) const {
    return kernels > other.kernels ||
           (kernels == other.kernels && messages < other.messages && (kernels != 0 || messages == 0));
  }
};

Extent extent_of(const FrontendResult &result);

/// Whether there are errors, or no kernels.
bool has_errors(const FrontendResult &result);

/// Back to what there was; a file that what was tried has read, or missed, may change what comes of the source.
void restore(FrontendResult &result, FrontendResult &&before);

} // namespace smem
