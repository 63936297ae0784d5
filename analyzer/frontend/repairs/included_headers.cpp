#include "frontend/repairs/included_headers.h"

namespace smem {

Next ProjectHeaders::after(Progress &progress) {
  constexpr std::size_t kMostSearches = 16; // headers of headers
  if (searches_ == kMostSearches)
    return Next::Step;
  auto &found = progress.repairs.own_headers.found;
  const std::size_t known = found.size();
  found.merge(progress.attempt.inclusions.in_project);
  if (found.size() == known)
    return Next::Step;
  ++searches_;
  return Next::AgainForFree;
}

Next FrameworkStandIns::after(Progress &progress) {
  if (progress.attempt.inclusions.has_pytorch)
    return Next::Step;
  auto &stand_ins = progress.repairs.stand_ins;
  const std::size_t known = stand_ins.size();
  stand_ins.merge(progress.attempt.inclusions.replaceable);
  return stand_ins.size() != known && !progress.headers.empty() ? Next::Again : Next::Step;
}

} // namespace smem
