// The accesses that suggestions are about.
#pragma once

#include "fixes/fixes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace smem {

/// The first suggestion about the array; null: there is none.
const FixSuggestion *suggestion_for(const std::vector<FixSuggestion> &suggestions, std::size_t program,
                                    std::uint32_t array);

/// Accesses with conflicts of arrays that have a suggestion.
std::vector<FixedSite> sites_of(const std::vector<FixSuggestion> &suggestions, const FileAnalysis &analysis);

} // namespace smem
