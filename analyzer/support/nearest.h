// Names the nearest of the known words when someone mistypes one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smem {

std::size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'N'?" for the closest candidate, or empty when none is close.
std::string did_you_mean(std::string_view word, const std::vector<std::string> &candidates);

/// The same, or "; WHAT a, b, c" when none is close: of many candidates the first.
std::string did_you_mean_or(std::string_view word, const std::vector<std::string> &candidates, std::string_view what);

} // namespace smem
