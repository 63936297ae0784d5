// What nvcc makes of a file.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "sass/tools.h"

namespace smem::compiled {

struct CompileWish {
  std::string file;
  std::string architecture;       ///< "sm_90", with the suffix that the flags have, if any
  std::string toolkit;            ///< root of the toolkit; empty: wherever nvcc is found
  std::vector<std::string> flags; ///< as nvcc had them; those that say what to make of the file are dropped
};

/// nvcc's flags without those that name architectures, outputs and kinds of output.
std::vector<std::string> flags_for_cubin(const std::vector<std::string> &flags);

/// Why nvcc cannot be asked about this file; empty: it can.
std::string refusal_to_compile(const CompileWish &wish);

/// Compiles to `cubin`. Not empty: why there is none.
std::string compile(const std::string &nvcc, const CompileWish &wish, const std::string &cubin, const Scratch &scratch,
                    const std::stop_token &stop);

/// The files that nvcc reads for this, absolute; empty if it does not say.
std::vector<std::string> files_read(const std::string &nvcc, const CompileWish &wish, const Scratch &scratch,
                                    const std::stop_token &stop);

} // namespace smem::compiled
