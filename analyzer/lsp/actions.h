// What can be done about what an analysis says, as edits.
#pragma once

#include <string>
#include <vector>

#include "lsp/answers.h"

namespace smem::lsp {

/// Some finding of these lines may be repaired by an edit that has yet to be looked for.
bool may_have_fixes(const View &view, const std::string &path, protocol::Range range);

/// For lines of a file, in the order in which they are offered: proved fixes, a launch comment, an expectation, NOLINT. `only`: kinds that are wanted; empty: all.
llvm::json::Array actions_for(const View &view, const std::string &path, protocol::Range range,
                              const std::vector<std::string> &only, const FileTexts &files);

} // namespace smem::lsp
