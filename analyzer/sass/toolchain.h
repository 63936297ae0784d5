// Machine code of a file: compiled by nvcc and disassembled by nvdisasm, or read from what somebody has prepared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sass/listing.h"

namespace smem::compiled {

/// A program of the toolkit: in `toolkit` (its root, may be empty), $CUDA_PATH, $CUDA_HOME, on the path, in /usr/local/cuda; empty if it is
/// in none. Folders of the path that are relative are passed over: what they are depends on whose folder smem-lint is run in.
std::string find_cuda_program(const std::string &name, const std::string &toolkit);

/// What nvcc is to compile.
struct CompileWish {
  std::string file;
  std::string architecture;       ///< "sm_90", with the suffix that the flags have, if any
  std::string toolkit;            ///< root of the toolkit; empty: wherever nvcc is found
  std::vector<std::string> flags; ///< as nvcc had them; those that say what to make of the file are dropped
};

struct ObtainedListing {
  std::optional<Listing> listing;
  std::string from;  ///< what it is and what made it, for the reader
  std::string error; ///< not empty: why there is none, and what would mend it
};

/// Compiles and disassembles. The name of the file must be one that a shell leaves alone, as nvcc hands it to one.
ObtainedListing compile_and_disassemble(const CompileWish &wish);

/// A listing as it is; a cubin is disassembled.
ObtainedListing read_prepared(const std::string &path, const std::string &toolkit);

/// nvcc's flags without those that name architectures, outputs and kinds of output.
std::vector<std::string> flags_for_cubin(const std::vector<std::string> &flags);

} // namespace smem::compiled
