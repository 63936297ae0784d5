// Optimised device IR -> Programs: the backward slice of addresses, predicates and trip counts of every kernel.
#pragma once

#include <vector>

#include "smem/program.h"
#include "source/source_index.h"

namespace llvm {
class Module;
}

namespace smem {

/// Models what ptxas does after IR (merging of adjacent accesses, address-space inference), then lowers each kernel.
/// Changes `module`. A construct that does not lower leaves its sites with Site::not_lowered naming it.
std::vector<Program> lower_module(llvm::Module &module, const SourceIndex &index);

} // namespace smem
