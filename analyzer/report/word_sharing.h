// Lanes of one atomic that update the same word.
#pragma once

#include "smem/memory_model.h"

#include <string>

namespace smem {

struct WordSharing {
  LaneMask lanes = 0;     ///< of the word that the most lanes update, the first of several
  std::uint64_t word = 0; ///< its byte address
  unsigned words = 0;     ///< distinct ones of the request
};
WordSharing shared_words(const Request &request, const Access &access);

/// One line for a finding: which lanes update which word.
std::string serial_cause(const Request &request, const Access &access);

/// What to do about it.
std::string serial_hint(const Request &request, const Access &access);

} // namespace smem
