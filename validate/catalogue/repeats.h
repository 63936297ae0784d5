// Whether measurements of one program have the same integers.
#pragma once

#include <istream>
#include <set>
#include <string>

namespace smem_lint::validate {

// The places whose counters differ between two records, such as "reduce(float*): LDS at sum.cu:12"; empty if there are none.
// Addresses of buffers and dates may differ.
std::set<std::string> differing_places(std::istream &first, std::istream &second);

} // namespace smem_lint::validate
