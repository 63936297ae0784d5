// `smem-validate compare`: a prediction beside a measurement. Needs no GPU.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace smem::compare {

/// Returns the exit code: 0 all rows exact or unknown, 1 mismatches, 2 nothing could be compared.
int run_command(const std::vector<std::string> &arguments, std::ostream &out, std::ostream &errors);

} // namespace smem::compare
