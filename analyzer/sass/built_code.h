// The machine code in what a build has made: executables, shared and static libraries, object files, fatbins. cuobjdump takes it out of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "smem/program.h"
#include "sass/tools.h"

namespace smem::compiled {

enum class BuiltKind {
  Listing, ///< text, or what turns out to be none
  Cubin,
  Container, ///< of cubins
};

/// By the first bytes of a regular file. Nothing, with an error text, if it cannot be read.
std::optional<BuiltKind> kind_of_built(const std::string &path, std::string &error);

struct ExtractedCubins {
  std::vector<std::string> files; ///< in the scratch folder
  /// cuobjdump wrote several to one file, as archives may have members of one name. What is missing may have been there.
  std::string overwritten;
  std::string error; ///< not empty: why there are none
};

/// The cubins of `path` for `architecture` ("sm_90", with or without a suffix).
ExtractedCubins extract_cubins(const std::string &path, std::string_view architecture, const std::string &toolkit,
                               const Scratch &scratch);

/// The architectures of the machine code in `path`, with their suffixes; or, with an error text, why there is none.
std::set<std::string> architectures_in(const std::string &path, const std::string &toolkit, const Scratch &scratch,
                                       std::string &error);

/// Whether a cubin may have one of these kernels: whether their names are anywhere in it.
bool may_have_kernels(const std::string &cubin, const std::vector<Program> &programs);

} // namespace smem::compiled
