// The texts that edits are made for.
#pragma once

#include "analysis/analysis.h"
#include "fixes/edits.h"

#include <cstddef>
#include <vector>

namespace smem {

/// Adds the files that the variables (indices into ArrayUses::variables) are declared and accessed in, as the analysis read them. A file is left
/// out if its text is not what was compiled.
void read_texts(FileTexts &texts, const FileAnalysis &analysis, const AnalysisOptions &options,
                const std::vector<std::size_t> &variables);

} // namespace smem
