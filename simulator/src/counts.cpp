#include <algorithm>

#include "smem/simulate.h"

namespace smem {

Counts &Counts::operator+=(const Counts &other) {
  requests += other.requests;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  tags += other.tags;
  conflict_degree = std::max(conflict_degree, other.conflict_degree);
  serial_wavefronts += other.serial_wavefronts;
  line_cycles += other.line_cycles;
  return *this;
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
  case Verdict::Exact: return "exact";
  case Verdict::Assumed: return "assumed";
  case Verdict::Unknown: return "unknown";
  }
  return "?";
}

DataDependence &DataDependence::operator+=(const DataDependence &other) {
  const double before = static_cast<double>(requests), more = static_cast<double>(other.requests);
  for (const auto span : {&DataDependence::conflict_degree, &DataDependence::wavefronts, &DataDependence::sectors})
    this->*span = {std::min((this->*span).least, (other.*span).least),
                   std::max((this->*span).most, (other.*span).most)};
  for (const auto mean :
       {&DataDependence::expected_degree, &DataDependence::expected_wavefronts, &DataDependence::expected_sectors}) {
    if (this->*mean && other.*mean && before + more > 0)
      this->*mean = (*(this->*mean) * before + *(other.*mean) * more) / (before + more);
    else
      (this->*mean).reset();
  }
  if (range != other.range)
    range.clear();
  if (__builtin_add_overflow(requests, other.requests, &requests))
    requests = UINT64_MAX;
  return *this;
}

} // namespace smem
