// Why a row does not agree: the likely reason, from widths, requests, and the rows nearby.
#pragma once

#include "model.h"

namespace smem::compare {

/// Fills in cause and reason of the launch's mismatches.
void explain_mismatches(LaunchComparison &launch);

/// `LDS.128 ×2 at 0x1f0, 0x210; LDS.32 at 0x300`.
std::string describe(const std::vector<const Instruction *> &instructions);

} // namespace smem::compare
