// How often a loop runs, as far as nvcc finds out.
#pragma once

namespace llvm {
class BranchInst;
class ICmpInst;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace smem {

/// Does the loop go on where its counter has reached the bound? A branch out of it on the opposite condition says so as well.
bool is_inclusive(const llvm::Loop &loop, const llvm::BranchInst &branch, const llvm::ICmpInst &test);

/// Does nvcc find out how often the loop runs? Clang also does where a step other than one might wrap around, from the language's promise
/// that loops end.
bool has_computable_length(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

} // namespace smem
