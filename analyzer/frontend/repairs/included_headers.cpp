#include "frontend/repairs/included_headers.h"

#include "frontend/known_headers.h"

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

Next ImpliedHeaders::after(Progress &progress) {
  const std::string &missing = progress.attempt.inclusions.first_missing;
  if (missing.empty())
    return Next::Step;
  bool more = false;
  for (const SourceError &error : progress.attempt.errors)
    if (const std::string_view header = header_missed_by(error); !header.empty())
      more |= progress.repairs.own_headers.implied[missing].emplace(header).second;
  return more ? Next::AgainForFree : Next::Step;
}

Next FrameworkStandIns::after(Progress &progress) {
  if (progress.attempt.inclusions.has_pytorch)
    std::erase_if(progress.attempt.inclusions.replaceable,
                  [](const std::string &header) { return stand_in_for(header) == StandIn::PyTorch; });
  auto &stand_ins = progress.repairs.stand_ins;
  const std::size_t known = stand_ins.size();
  stand_ins.merge(progress.attempt.inclusions.replaceable);
  return stand_ins.size() != known && !progress.headers.empty() ? Next::Again : Next::Step;
}

} // namespace smem
