// Prediction and measurement side by side, row by row.
#pragma once

#include "model.h"

#include <functional>

namespace smem::compare {

struct CompareOptions {
  /// Kernels to compare, by name as a person writes it or mangled; all if empty.
  std::function<bool(const std::string &)> wants_kernel;
  /// Other measurements of the same program. Rows that they count otherwise are unstable; but one that was claimed to be exact is wrong.
  std::vector<const Measurement *> again;
};

/// The result points into both inputs.
Comparison compare(const Prediction &prediction, const Measurement &measurement, const CompareOptions &options = {});

} // namespace smem::compare
