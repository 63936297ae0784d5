// Repairs of how a shared array of one dimension is indexed, each tried on the requests of a block before anyone reads of them.
#pragma once

#include "report/hints.h"

#include <span>
#include <string>

namespace smem {

/// A shared array that a row accesses.
struct AccessedArray {
  const SharedArray *array = nullptr; ///< null: it is not known
  std::size_t index = 0;              ///< among the program's
};
AccessedArray accessed_array(const Program &program, const Site &site);

/// "sequential addressing, `s[t]` with `s[t + k]` for t < k and k halved each time, makes it 1 wavefront" of a reduction that doubles its stride; else
/// "a gap after each 32 elements, `s[i + i / 32]`, makes it 1 wavefront". Empty where neither makes a request of the row cheap, or
/// the latter costs others more. `rows`: of the program.
std::string index_hint(const Program &program, const SiteRow &row, std::span<const SiteRow> rows,
                       const Architecture &architecture, const RequestsOf &requests_of);

} // namespace smem
