// Which measured launches a predicted one stands for.
#pragma once

#include "model.h"

namespace smem::compare {

struct LaunchMatch {
  const PredictedLaunch *predicted = nullptr;
  std::vector<const MeasuredLaunch *> measured;
};

struct LaunchMatches {
  std::vector<LaunchMatch> matches;
  std::vector<Unmatched> only_predicted, only_measured;
};

/// Launches are matched by kernel, configuration and order. Equal ones (a loop's, a warm-up's) count once.
LaunchMatches match_launches(const Prediction &prediction, const Measurement &measurement);

} // namespace smem::compare
