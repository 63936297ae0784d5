// What --explain says of an uncertainty.
#pragma once

#include "nvcc/uncertainties.h"

#include <string>
#include <vector>

namespace smem {

std::vector<std::string> uncertainty_ids();
std::string explain_text(const UncertaintyInfo &info);
/// The same as a section of a document.
std::string explain_markdown(const UncertaintyInfo &info);

} // namespace smem
