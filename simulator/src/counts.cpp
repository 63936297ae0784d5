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

} // namespace smem
