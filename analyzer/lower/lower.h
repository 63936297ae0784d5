// Optimised device IR -> Programs: the backward slice of addresses, predicates and trip counts of every kernel.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "smem/program.h"
#include "source/source_index.h"

namespace llvm {
class Module;
}

namespace smem {

struct LowerOptions {
  /// Asked for paths that looks_like_toolkit() does not decide; the front end knows its system headers.
  std::function<bool(std::string_view)> is_toolkit_file;
  std::stop_token stop; ///< asked for an end, kernels are missing in what is returned
};

/// Whether a file is not the user's own: accesses in it are reported at the call that leads there.
bool is_toolkit_file(const LowerOptions &options, std::string_view path);

/// `kernel<int>` of what demangles to `void kernel<int>(int*)`.
std::string kernel_display_name(const std::string &mangled);

/// Models what ptxas does after IR (merging of adjacent accesses, address-space inference), then lowers each kernel.
/// Changes `module`. A construct that does not lower leaves its sites with Site::not_lowered naming it.
std::vector<Program> lower_module(llvm::Module &module, const SourceIndex &index, const LowerOptions &options = {});

} // namespace smem
