// Source positions of the two sides: which frame of an inlining chain counts, and whether two paths name one file.
#pragma once

#include "model.h"

namespace smem::compare {

/// Headers of a CUDA toolkit, of the compiler, or of smem-lint's own set.
bool is_toolkit_header(std::string_view path);

/// The innermost place outside the toolkit's headers; the outermost if there is none.
Place user_place(const std::vector<Place> &chain);

/// How many components two paths have in common from their end; 0 if not even the name.
std::size_t common_tail(std::string_view a, std::string_view b);

/// The one of `candidates` that most likely is the same file, seen from another folder or machine.
std::optional<std::string> same_file(const std::string &path, const std::vector<std::string> &candidates);

} // namespace smem::compare
