// Optimised device IR -> Programs: the backward slice of addresses, predicates and trip counts of every kernel.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "nvcc/rules/rules.h"
#include "program/lower_options.h"
#include "smem/kernel_arithmetic.h"
#include "smem/program.h"
#include "syntax/source_index.h"

namespace llvm {
class Module;
}

namespace smem {

/// What each kernel computes, by mangled name.
using ArithmeticOfKernels = std::map<std::string, KernelArithmetic>;

/// `kernel<int>` of what demangles to `void kernel<int>(int*)`.
std::string kernel_display_name(const std::string &mangled);

/// Models what ptxas does after IR (merging of adjacent accesses, address-space inference), then lowers each kernel.
/// Changes `module`. A construct that does not lower leaves its sites with Site::not_lowered naming it.
std::vector<Program> lower_module(llvm::Module &module, const SourceIndex &index, const LowerOptions &options = {},
                                  const CompilerRules &rules = rules_for(), ArithmeticOfKernels *arithmetic = nullptr);

/// The same of a module that is not optimised, for the kernels of these mangled names: every access to shared memory is the source's, none
/// is merged, removed or moved.
std::vector<Program> lower_source_module(llvm::Module &module, const std::set<std::string> &kernels,
                                         const SourceIndex &index, const LowerOptions &options = {},
                                         const CompilerRules &rules = rules_for());

} // namespace smem
