// Verdicts by what the model has been right about.
#pragma once

#include "smem/simulate.h"

#include "nvcc/rules/calibration.h"

#include <functional>
#include <set>
#include <string>

namespace smem {

/// An access is no assumption where it rests on modelling uncertainties that machine code has shown to be none, and no claim where it has shown the
/// opposite (nvcc/rules/calibration.h).
/// `may_claim`: whether what rests on these uncertainties is right often enough.
void calibrate(SimulationResult &result,
               const std::function<bool(const std::set<std::string> &)> &may_claim = may_be_claimed_by_calibration);

} // namespace smem
