// Launches that the author of a kernel wrote above it: `// smem-lint: launch block=(32,8) grid=(128,128) N=4096`.
#pragma once

#include "plan/launch_wish.h"
#include "smem/program.h"
#include "support/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace smem {

struct LaunchComment {
  SourceLocation location;
  LaunchWish wish;                   ///< provenance Comment
  std::vector<std::size_t> programs; ///< the kernel (all its instantiations) that it stands above, behind or inside of
};

struct LaunchComments {
  std::vector<LaunchComment> comments;
  std::vector<Diagnostic> diagnostics; ///< comments that cannot be read, or belong to no kernel
};

/// `contents` is the text of `file`; `programs` are all kernels, of which those in other files are ignored.
LaunchComments find_launch_comments(const std::string &file, std::string_view contents,
                                    const std::vector<Program> &programs);

} // namespace smem
