// CUDA sources that other sources include: they are analysed with these.
#pragma once

#include <set>
#include <string>

namespace smem {

/// The CUDA sources of `sources` (absolute paths) that another one of them includes, directly or through others, by `#include "name.cu"` under no condition: each of
/// them is compiled with that one. Of sources that include each other the first stays.
std::set<std::string> included_sources(const std::set<std::string> &sources);

} // namespace smem
