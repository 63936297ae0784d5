// SHA-256 (FIPS 180-4), to tell one version of a source file from another.
#pragma once

#include <istream>
#include <string>

namespace smem_lint::validate {

// Of everything up to the end of the stream, as 64 lower-case hexadecimal digits.
std::string sha256(std::istream &in);

} // namespace smem_lint::validate
