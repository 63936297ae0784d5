// How often the model was right where it said what nvcc does, by what the prediction rests on: measured against machine code of public kernels that are not
// looked into (docs/compiled-figures.md). Claims follow it.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace smem {

/// Rows of one class: accesses that rest on the same modelling uncertainties.
struct CalibratedClass {
  std::string_view uncertainties; ///< their ids, sorted, joined by "+"; empty: none
  std::uint32_t right = 0, wrong = 0;

  std::uint32_t rows() const { return right + wrong; }
};

/// The share of right rows from which on a class may be claimed. An uncertainty is none any more if so many rows have it; what rests on nothing is claimed
/// until its rows show that its share is less, beyond chance (the upper end of Wilson's 95% interval).
inline constexpr double kClaimedPrecision = 0.999;
inline constexpr std::uint32_t kClaimedRows = 300;

std::span<const CalibratedClass> calibration();
/// Null if no such row was seen.
const CalibratedClass *calibration_of(std::string_view uncertainties);

/// Whether accesses that rest on these uncertainties, or on none, are right often enough to be claimed.
bool may_be_claimed(const CalibratedClass *known, bool uncertain);
bool may_be_claimed_by_calibration(const std::set<std::string> &uncertainties);

} // namespace smem
