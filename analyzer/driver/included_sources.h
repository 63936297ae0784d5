// CUDA sources that other sources include: they are analysed with these.
#pragma once

#include <set>
#include <string>

namespace smem {

/// The CUDA sources of `sources` (absolute paths) that another one of them includes, directly or through others, by `#include "name.cu"` under no condition: each of
/// them is compiled with that one. Of sources that include each other the first stays.
std::set<std::string> included_sources(const std::set<std::string> &sources);

/// A CUDA source in the folder of `file`, or in the one above, that includes it, where `file` includes nothing itself: what it uses is declared by whoever includes it. Of several the first by
/// name; empty: there is none.
std::string source_around(const std::string &file);

} // namespace smem
