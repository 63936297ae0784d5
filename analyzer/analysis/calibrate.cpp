#include "analysis/calibrate.h"

#include "nvcc/uncertainties.h"

namespace smem {

void calibrate(SimulationResult &result, const std::function<bool(const std::set<std::string> &)> &may_claim) {
  for (SiteResult &site : result.sites) {
    if (site.verdict == Verdict::Unknown || !site.executed)
      continue;
    std::set<std::string> uncertainties;
    for (const Assumption &one : site.assumptions)
      if (!one.id.empty())
        uncertainties.insert(one.id);
    const bool claimed = may_claim(uncertainties);
    if (uncertainties.empty() ? claimed : !claimed)
      continue;
    if (claimed) {
      std::erase_if(site.assumptions, [](const Assumption &one) { return !one.id.empty(); });
      site.established.assign(uncertainties.begin(), uncertainties.end());
    } else {
      site.assumptions.push_back(assumption(Uncertainty::Calibration));
    }
    site.verdict = site.assumptions.empty() ? Verdict::Exact : Verdict::Assumed;
    site.reason = to_string(site.assumptions);
  }
}

} // namespace smem
