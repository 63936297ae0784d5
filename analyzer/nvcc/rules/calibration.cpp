#include "nvcc/rules/calibration.h"

#include <algorithm>
#include <cmath>

namespace smem {
namespace {

constexpr CalibratedClass kClasses[] = {
#define SMEM_CALIBRATED(uncertainties, right, wrong) {uncertainties, right, wrong},
#include "nvcc/rules/calibration.def"
#undef SMEM_CALIBRATED
};

/// The upper end of Wilson's interval for the share of right rows, 95% confidence.
double highest_share(const CalibratedClass &known) {
  constexpr double z = 1.96;
  const double rows = known.rows(), share = known.right / rows, step = z * z / rows;
  return (share + step / 2 + z * std::sqrt(share * (1 - share) / rows + step / (4 * rows))) / (1 + step);
}

} // namespace

std::span<const CalibratedClass> calibration() { return kClasses; }

const CalibratedClass *calibration_of(std::string_view uncertainties) {
  const auto *const found = std::ranges::find(kClasses, uncertainties, &CalibratedClass::uncertainties);
  return found == std::end(kClasses) ? nullptr : found;
}

bool may_be_claimed(const CalibratedClass *known, bool uncertain) {
  if (uncertain)
    return known && known->rows() >= kClaimedRows && known->right >= kClaimedPrecision * known->rows();
  return !known || known->rows() < kClaimedRows || highest_share(*known) >= kClaimedPrecision;
}

bool may_be_claimed_by_calibration(const std::set<std::string> &uncertainties) {
  std::string joined;
  for (const std::string &id : uncertainties)
    joined += (joined.empty() ? "" : "+") + id;
  return may_be_claimed(calibration_of(joined), !uncertainties.empty());
}

} // namespace smem
