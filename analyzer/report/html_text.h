// Short texts of the HTML report's entries.
#pragma once

#include "report/html_data.h"

#include <string>
#include <utility>

namespace smem {

/// What stands beside an entry of a list, and whether something is wrong with it.
std::pair<std::string, bool> label_of(const HtmlSite &site);

/// The access's expression, or what was found where there is no access.
std::string expression_of(const HtmlSite &site);

/// `file:line`
std::string place_of(const SourceLocation &location);

} // namespace smem
