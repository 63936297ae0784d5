#pragma once

#include "model.h"

#include <filesystem>
#include <string>

namespace smem::compare {

/// Every source file with rows, its lines beside what was predicted and measured for them, as HTML.
std::string annotated_sources(const Comparison &comparison, const std::filesystem::path &source_root);

/// The place in the page of a line of a file.
std::string line_anchor(const Place &place);

} // namespace smem::compare
