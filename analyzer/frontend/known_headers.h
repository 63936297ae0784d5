// Which header of the standard library or of the CUDA toolkit declares a name: what a header that is not there would have included, too.
#pragma once

#include <string_view>

namespace smem {

struct SourceError;

/// `in_std`: as a member of namespace std. Empty: none that is known here.
std::string_view header_that_declares(std::string_view name, bool in_std);

/// Of the name in an error about one that is not declared, or of the member where that is namespace std itself.
std::string_view header_missed_by(const SourceError &error);

} // namespace smem
