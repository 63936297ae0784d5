// What a request can cost whose addresses depend on data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "smem/architecture.h"
#include "smem/simulate.h"
#include "value.h"

namespace smem {

/// Lane l of `active` accesses byte base[l] + scale * u, its u being any of 0 .. count - 1.
struct DataRequest {
  LaneMask active = 0;
  Lanes base{};
  std::int64_t scale = 1;  ///< positive
  std::uint64_t count = 1; ///< at least 1
};

struct DataCost {
  Span conflict_degree, wavefronts, sectors;
  std::optional<double> expected_degree, expected_wavefronts, expected_sectors;
  std::string range; ///< of the index, for the reader
  /// The cost is the same whatever the data: that of a request with every u = 0.
  bool always_the_same = false;
};

/// nullopt for accesses that have no rule for this.
std::optional<DataCost> data_cost(const DataRequest &request, const Access &access, const Architecture &architecture);

/// The same, each cost computed once: the instances of an unrolled loop ask for the same again and again.
class DataCosts {
public:
  const std::optional<DataCost> &of(DataRequest request, const Access &access, const Architecture &architecture);

private:
  std::map<std::vector<std::int64_t>, std::optional<DataCost>> known_;
};

} // namespace smem
