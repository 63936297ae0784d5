// The cases of a pattern beside the requests of the launch that was analysed.
#pragma once

#include "report/html_data.h"

namespace smem {

/// In the pattern's order, each with those of the site's requests that cost what the case says; none of a case that is a bound.
std::vector<HtmlCase> html_cases(const HtmlSite &site, const Launch &launch, const Architecture &architecture);

} // namespace smem
