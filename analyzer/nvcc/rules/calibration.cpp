#include "nvcc/rules/calibration.h"

#include <algorithm>

namespace smem {
namespace {

constexpr CalibratedClass kClasses[] = {
#define SMEM_CALIBRATED(uncertainties, right, wrong) {uncertainties, right, wrong},
#include "nvcc/rules/calibration.def"
#undef SMEM_CALIBRATED
};

} // namespace

std::span<const CalibratedClass> calibration() { return kClasses; }

const CalibratedClass *calibration_of(std::string_view uncertainties) {
  const auto *const found = std::ranges::find(kClasses, uncertainties, &CalibratedClass::uncertainties);
  return found == std::end(kClasses) ? nullptr : found;
}

bool may_be_claimed(const CalibratedClass *known, bool uncertain) {
  const bool seen = known && known->rows() >= kClaimedRows;
  if (!seen)
    return !uncertain; // that is what the uncertainties are for
  return known->right >= kClaimedPrecision * known->rows();
}

bool may_be_claimed_by_calibration(const std::set<std::string> &uncertainties) {
  std::string joined;
  for (const std::string &id : uncertainties)
    joined += (joined.empty() ? "" : "+") + id;
  return may_be_claimed(calibration_of(joined), !uncertainties.empty());
}

} // namespace smem
