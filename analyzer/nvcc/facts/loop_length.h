// How often a loop runs, as far as nvcc finds out.
#pragma once

namespace llvm {
class BranchInst;
class ICmpInst;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace smem {

/// Does the loop go on where its counter has reached the bound? A branch out of it on the opposite condition says so as well.
bool is_inclusive(const llvm::Loop &loop, const llvm::BranchInst &branch, const llvm::ICmpInst &test);

/// Notes of loops that the source promises nothing of: their counters are unsigned. LLVM concludes from ranges that many of these do not wrap, nvcc does not. To be called before it does.
void note_wrapping_counters(const llvm::LoopInfo &loops);

enum class Computable { No, Perhaps, Yes };

/// Does nvcc find out how often the loop runs? Clang also does where a step other than one might wrap around, from the language's promise
/// that loops end, from ranges, and where `i = threadIdx.x; i < n; i += blockDim.x` counts in 64 bits.
Computable computable_length(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

} // namespace smem
