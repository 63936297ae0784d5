// Why a request costs what it costs, in lanes, banks and sectors.
#pragma once

#include "smem/architecture.h"
#include "smem/memory_model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smem {

/// "lane 3", "lanes 0-31", "lanes 0,4,...,28", "lanes 0-3 and 16-19".
std::string describe_lanes(LaneMask lanes);

/// The distance in bytes from each active lane to the next, if it is the same for all of them.
std::optional<std::int64_t> lane_stride(const Request &request);

/// The bank that serves the most distinct words in one phase of a request.
struct Pileup {
  unsigned bank = 0;
  unsigned words = 0;         ///< distinct words of that bank
  LaneMask lanes = 0;         ///< the lanes that want them
  LaneMask phase = kFullMask; ///< the lanes served in that phase
};
Pileup worst_pileup(const Request &request, const Access &access, const Architecture &architecture);

/// One line for a finding: which lanes meet in which bank.
std::string shared_cause(const Request &request, const Access &access, const Architecture &architecture);
/// One line for a finding: how the lanes scatter over sectors.
std::string global_cause(const Request &request, const Access &access, const RequestCost &cost,
                         const Architecture &architecture);

/// How many 128-byte lines the active lanes touch.
unsigned distinct_lines(const Request &request, const Architecture &architecture);

/// A drawing of every active lane: byte offset, word and bank. For --verbose.
std::string lane_map(const Request &request, const Access &access, const Architecture &architecture);

} // namespace smem
